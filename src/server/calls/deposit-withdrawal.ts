import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { depositorOf, workflowId } from '#server/calls/payment.ts';
import { requestKey } from '#server/calls/request-key.ts';
import type { FundsRowView } from '#server/money/funds/funds-rows.ts';
import { mayCancel } from '#server/money/funds/withdrawals/may-cancel.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';

const canCancel = ({ exchange }: Parts, { visitor }: Caller): boolean =>
	mayCancel(visitor.brand.setting, exchange.now());

export const depositWithdrawalHandlers = (
	parts: Parts,
): HandlersOf<
	| 'createRequestForDepositWithdrawal'
	| 'createDeposit'
	| 'createWithdrawal'
	| 'cancelWithdrawal'
	| 'playerRequests'
	| 'getDepositWithdrawals'
	| 'getUserWithdrawalHistory'
> => ({
	createDeposit: (input, caller) => createDeposit(parts, input, caller),
	createWithdrawal: (input, caller) => createWithdrawal(parts, input, caller),
	createRequestForDepositWithdrawal: (input, caller) => {
		if (input.type === 'DEPOSIT') {
			const { amount, utr, imageRef, clientRequestId } = input;
			return createDeposit(parts, { amount, utr, imageRef, clientRequestId }, caller);
		}
		const { amount, details, clientRequestId } = input;
		return createWithdrawal(parts, { amount, details, clientRequestId }, caller);
	},
	cancelWithdrawal: async ({ id }, caller) => {
		const [kind, number = ''] = id.split('-');
		if (kind !== 'WITHDRAWAL') throw new Refused('NOT_FOUND');
		const workflow = await parts.funds.withdrawals.cancel(depositorOf(caller), workflowId(number));
		return await parts.funds.rows.of(workflow, canCancel(parts, caller));
	},
	playerRequests: ({ maxResultCount, skipCount, ...filter }, caller) =>
		parts.funds.rows.page(playerOf(caller).playerId, filter, {
			take: maxResultCount,
			skip: skipCount,
			undecided: true,
			canCancel: canCancel(parts, caller),
		}),
	getDepositWithdrawals: ({ maxResultCount, skipCount, ...filter }, caller) =>
		parts.funds.rows.page(playerOf(caller).playerId, filter, {
			take: maxResultCount,
			skip: skipCount,
			canCancel: canCancel(parts, caller),
		}),
	getUserWithdrawalHistory: ({ maxResultCount, skipCount }, caller) =>
		parts.funds.rows.page(
			playerOf(caller).playerId,
			{ type: 'WITHDRAWAL' },
			{ take: maxResultCount, skip: skipCount, canCancel: canCancel(parts, caller) },
		),
});

async function createDeposit(
	parts: Parts,
	input: { amount: AnyMinor; utr: string; imageRef: string; clientRequestId: string },
	caller: Caller,
): Promise<FundsRowView> {
	const { funds } = parts;
	const player = depositorOf(caller);
	funds.terms.admit(player.playerId);
	funds.realMoney.admit(player.playerId, caller.visitor.country ?? null);
	const { clientRequestId: _, ...deposit } = input;
	const workflow = await funds.deposits.submit(player, deposit, requestKey('CreateDeposit', player.playerId, input));
	return await funds.rows.of(workflow, canCancel(parts, caller));
}

type Target = Parameters<Parts['funds']['withdrawals']['request']>[2];

async function createWithdrawal(
	parts: Parts,
	input: { amount: AnyMinor; details: Target; clientRequestId: string },
	caller: Caller,
): Promise<FundsRowView> {
	const { funds } = parts;
	const player = depositorOf(caller);
	funds.realMoney.admitWithdrawal(player.playerId);
	// The key is kept as long as the request: it contains bank details only as a fingerprint.
	const { details, ...rest } = input;
	const key = requestKey('CreateWithdrawal', player.playerId, {
		...rest,
		details: funds.fingerprint(JSON.stringify(details)),
	});
	const workflow = await funds.withdrawals.request(player, input.amount, details, key);
	return await funds.rows.of(workflow, canCancel(parts, caller));
}
