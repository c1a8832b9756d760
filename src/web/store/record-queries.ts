/**
 * The player's own records: history, statement, results, login attempts. Loaded with the screens that show them, and
 * requested again whenever one is opened: next to the head's balance an answer of a moment ago would be wrong.
 */

import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';

/** Always, because an answer from before the device's clock was set back counts as new for as long. */
const AFRESH = { staleTime: 0, refetchOnMount: 'always' } as const;

export const betHistoryQuery = (filter: RequestOf<'getUserBetHistory'>) =>
	queryOptions({
		queryKey: ['player', 'bet-history', filter],
		queryFn: ({ signal }) => call('getUserBetHistory', filter, { signal }),
		...AFRESH,
	});

/** Requested again with what else shows the player's money. */
export const statementQuery = (filter: RequestOf<'getTransactionHistory'>) =>
	queryOptions({
		queryKey: ['player', 'funds', 'statement', filter],
		queryFn: ({ signal }) => call('getTransactionHistory', filter, { signal }),
		...AFRESH,
	});

/** The same. */
export const moneyQuery = (period: RequestOf<'getMoneySummary'>) =>
	queryOptions({
		queryKey: ['player', 'funds', 'money', period],
		queryFn: ({ signal }) => call('getMoneySummary', period, { signal }),
		...AFRESH,
	});

/** One row of the statement with what is behind it; a booked row never changes. */
export const transactionQuery = (id: string) =>
	queryOptions({
		queryKey: ['player', 'transaction', id],
		queryFn: ({ signal }) => call('getTransactionDetail', { id }, { signal }),
	});

export const loginAttemptsQuery = (filter: RequestOf<'getUserLoginAttempts'>) =>
	queryOptions({
		queryKey: ['player', 'login-attempts', filter],
		queryFn: ({ signal }) => call('getUserLoginAttempts', filter, { signal }),
		...AFRESH,
	});

/** The mail address, and what is told by mail. */
export const contactQuery = () =>
	queryOptions({
		queryKey: ['player', 'contact'],
		queryFn: ({ signal }) => call('getContact', {}, { signal }),
	});

export const activityQuery = (filter: RequestOf<'getActivity'>) =>
	queryOptions({
		queryKey: ['player', 'activity', filter],
		queryFn: ({ signal }) => call('getActivity', filter, { signal }),
		...AFRESH,
	});

export const settledProfitLossQuery = (filter: RequestOf<'getUserProfitLoss'>) =>
	queryOptions({
		queryKey: ['player', 'settled-profit-loss', filter],
		queryFn: ({ signal }) => call('getUserProfitLoss', filter, { signal }),
		...AFRESH,
	});
