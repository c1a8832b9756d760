/** What the cashier asks the server for. A hub message that a deposit or withdrawal moved on asks for all of it again. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf, RequestOf } from '#web/api/units.ts';

export type PaymentInfo = AnswerOf<'getPaymentInfo'>;
export type PaymentOrder = AnswerOf<'generatePayment'>;
export type FundsRow = AnswerOf<'getDepositWithdrawals'>['items'][number];
export type GenerateRequest = RequestOf<'generatePayment'>;

/** The key of all of it. */
export const FUNDS = ['player', 'funds'] as const;

export const paymentInfoQuery = () =>
	queryOptions({
		queryKey: [...FUNDS, 'info'],
		queryFn: ({ signal }) => call('getPaymentInfo', {}, { signal }),
		staleTime: 0,
	});

/** The same request id always answers the same order, so asking again makes no second one. */
export const orderQuery = (request: GenerateRequest) =>
	queryOptions({
		queryKey: ['player', 'payment-order', request.clientRequestId],
		queryFn: ({ signal }) => call('generatePayment', request, { signal }),
		staleTime: Number.POSITIVE_INFINITY,
	});

export const orderStatusQuery = (orderId: string) =>
	queryOptions({
		queryKey: [...FUNDS, 'order', orderId],
		queryFn: ({ signal }) => call('checkPayment', { orderId }, { signal }),
		staleTime: 0,
	});

export const fundsRowsQuery = (filter: RequestOf<'getDepositWithdrawals'>) =>
	queryOptions({
		queryKey: [...FUNDS, 'rows', filter],
		queryFn: ({ signal }) => call('getDepositWithdrawals', filter, { signal }),
		staleTime: 0,
	});

export type Identity = AnswerOf<'getIdentity'>;

export const identityQuery = () =>
	queryOptions({
		queryKey: [...FUNDS, 'identity'],
		queryFn: ({ signal }) => call('getIdentity', {}, { signal }),
		staleTime: 0,
	});

export const dailyCoinsQuery = () =>
	queryOptions({
		queryKey: [...FUNDS, 'coins'],
		queryFn: ({ signal }) => call('getDailyCoins', {}, { signal }),
		staleTime: 0,
	});
