/** The payee, the player's ways to deposit and withdraw, and the current limits. */
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { mayCancel } from '#server/money/funds/withdrawals/may-cancel.ts';
import { COOLING_MS } from '#server/money/funds/withdrawals/payout-details.ts';
import { mayHaveToWager, withdrawable } from '#server/money/funds/withdrawals/withdrawable.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { MINOR_PER_MAJOR, majorFromMinor } from '#values/money.ts';
import { isDemoPool, isRealPool } from '#values/pools.ts';

export async function paymentInfo(parts: Parts, caller: Caller): Promise<ResultOf<Calls['getPaymentInfo']>> {
	const { playerId, pool } = playerOf(caller);
	const { setting } = caller.visitor.brand;
	const { payeeName, payeeUpiId } = setting.funds;
	const isOpen = parts.funds.payments.isOpenTo(pool);
	return {
		payee: { name: payeeName, upiId: payeeUpiId },
		isSimulated: !isRealPool(pool),
		deposit: await depositInfo(parts, caller),
		withdrawal: !isOpen ? noWithdrawal(caller) : await withdrawalInfo(parts, playerId, caller),
	};
}

async function depositInfo({ funds }: Parts, caller: Caller) {
	const { playerId, pool } = playerOf(caller);
	const { funds: rules } = caller.visitor.brand.setting;
	const { protection } = funds;
	const uses = await protection.limits.depositUses(playerId);
	const bar = protection.barOf(playerId);
	const offered = {
		UPI: rules.upiDeposits && funds.payments.isOpenTo(pool) && rules.payeeUpiId !== '',
		RECEIPT: rules.receiptDeposits && !isDemoPool(pool),
	};
	const methods = (['UPI', 'RECEIPT'] as const).filter((method) => offered[method]);
	const refusal = bar?.code ?? (methods.length === 0 ? 'PAYMENT_UNAVAILABLE' : null);
	const max = Math.min(rules.maxDeposit * MINOR_PER_MAJOR, ...uses.map(({ left }) => left));
	return {
		methods: refusal === null ? methods : [],
		refusal,
		min: rules.minDeposit,
		max: majorFromMinor(max),
		limits: uses.map(({ period, limit, used, left }) => ({
			period,
			limit: majorFromMinor(limit),
			used: majorFromMinor(used),
			left: majorFromMinor(left),
		})),
	};
}

async function withdrawalInfo({ funds, exchange }: Parts, playerId: PlayerId, caller: Caller) {
	const { setting } = caller.visitor.brand;
	const wallet = exchange.wallet(playerId);
	if (!wallet) throw new Refused('UNKNOWN_USER');
	const [turnover, saved] = await Promise.all([
		funds.withdrawals.turnover(playerId, mayHaveToWager(wallet, setting)),
		funds.payoutDetails.of(playerId),
	]);
	const { max, heldBack, leftToday } = withdrawable(
		{ ...wallet, lacked: exchange.lacked(playerId) },
		turnover,
		setting,
	);
	const refusal = setting.funds.withdrawals ? (leftToday === 0 ? 'TOO_MANY_WITHDRAWALS' : null) : 'PAYMENT_UNAVAILABLE';
	return {
		methods: refusal === null ? (['UPI', 'BANK'] as const).slice() : [],
		refusal,
		min: setting.funds.minWithdrawal,
		max: majorFromMinor(max),
		heldBack: heldBack.map(({ reason, amount }) => ({ reason, amount: majorFromMinor(amount) })),
		leftToday,
		canCancel: mayCancel(setting, exchange.now()),
		saved: saved.map(({ detailsId, method, masked, atMs }) => ({
			id: detailsId,
			method,
			masked,
			usableFrom: isoTime(atMs + COOLING_MS),
		})),
	};
}

const noWithdrawal = (caller: Caller) => ({
	methods: [],
	refusal: 'PAYMENT_UNAVAILABLE',
	min: caller.visitor.brand.setting.funds.minWithdrawal,
	max: 0,
	heldBack: [],
	leftToday: 0,
	canCancel: false,
	saved: [],
});
