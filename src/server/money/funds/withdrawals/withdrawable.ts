/** The amount that a player may withdraw now, and the reasons that block the rest. Amounts are minor units. */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange, WalletRecord } from '#server/exchange/exchange.ts';
import { freeCash } from '#server/exchange/free-cash.ts';
import { moneyAtRisk } from '#server/money/funds/money-at-risk.ts';
import { openRounds } from '#server/money/funds/open-rounds.ts';
import { CREDITED } from '#server/money/funds/payments/payment-data.ts';
import { upToStep } from '#values/currencies.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

type HeldBack = 'PENDING_WITHDRAWALS' | 'OPEN_BETS' | 'OPEN_ROUNDS' | 'TURNOVER' | 'LARGEST_WITHDRAWAL';

/** A player's totals, as the ledger has them. */
export interface Turnover {
	/** Received by payments and receipts. */
	deposited: number;
	/** Paid out, or in progress. */
	withdrawn: number;
	/** Money that was at risk in events and in rounds of the casino. */
	wagered: number;
	/** Stakes of open rounds of the casino. */
	inRounds: number;
	/** Withdrawals of the last 24 hours that were not rejected, cancelled or failed: their number and their sum. */
	countToday: number;
	sumToday: number;
}

/** SQL: what a withdrawal takes from the player: what is paid out, and the tax. */
const ASKED_FOR = `((data ->> 'amount')::bigint + coalesce((data -> 'tax' ->> 'amount')::bigint, 0))`;

/** @param asksWagered whether the wagered amount is needed, the most expensive figure; otherwise it is 0 */
export async function turnoverOf(
	db: Pick<pg.Pool, 'query'>,
	exchange: Pick<Exchange, 'openBets'>,
	playerId: PlayerId,
	nowMs: number,
	asksWagered = true,
): Promise<Turnover> {
	const reading = db.query<Omit<Turnover, 'wagered' | 'inRounds'>>({
		name: 'turnover-of',
		text: `select
		   coalesce((select sum(${CREDITED}) from workflow
		     where wallet_id = $1 and (kind = 'PAYMENT' and state in ('SUCCESS', 'CREDITED', 'DISPUTED', 'WON', 'LOST')
		       or kind = 'DEPOSIT' and state = 'APPROVED')), 0)::bigint as deposited,
		   coalesce(sum(amount), 0)::bigint as withdrawn,
		   (count(*) filter (where opened_at >= $2))::int as "countToday",
		   coalesce(sum(amount) filter (where opened_at >= $2), 0)::bigint as "sumToday"
		 from (
		   select ${ASKED_FOR} as amount, opened_at from workflow where wallet_id = $1
		     and kind = 'WITHDRAWAL' and state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED')
		 ) as withdrawal`,
		values: [playerId, nowMs - DAY_MS],
	});
	const [{ rows }, rounds, risks] = await Promise.all([
		reading,
		openRounds(db, playerId),
		asksWagered ? moneyAtRisk(db, exchange, playerId) : [],
	]);
	const funds = rows[0] as Omit<Turnover, 'wagered' | 'inRounds'>;
	const wagered = risks.reduce((sum, { amount }) => sum + amount, 0);
	const inRounds = rounds.reduce((sum, { stake }) => sum + stake, 0);
	return { ...funds, wagered, inRounds };
}

/**
 * The person's withdrawal requests over these accounts, in total and in the last 24 hours, without refused ones, and
 * whether any was paid: until then each one is the person's first.
 */
export async function withdrawnBy(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	nowMs: number,
): Promise<{ total: AnyMinor; today: AnyMinor; wasPaid: boolean }> {
	const { rows } = await db.query<{ total: AnyMinor; today: AnyMinor; wasPaid: boolean }>({
		name: 'withdrawn-by',
		text: `select coalesce(sum(${ASKED_FOR}), 0)::bigint as total,
		   coalesce(sum(${ASKED_FOR}) filter (where opened_at >= $2), 0)::bigint as today,
		   coalesce(bool_or(state = 'PAID'), false) as "wasPaid"
		 from workflow where wallet_id = any($1) and kind = 'WITHDRAWAL'
		   and state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED')`,
		values: [playerIds, nowMs - DAY_MS],
	});
	return rows[0] ?? { total: 0, today: 0, wasPaid: false };
}

interface Withdrawable {
	max: number;
	heldBack: { reason: HeldBack; amount: AnyMinor }[];
	leftToday: number;
}

/** Whether the wagered amount can matter: deposits have to be wagered, and there is money to hold back. */
export const mayHaveToWager = ({ cash }: Pick<WalletRecord, 'cash'>, { funds }: DomainSetting): boolean =>
	cash > 0 && funds.turnover > 0;

/**
 * A deposit has to be wagered before it is withdrawn, as many times as the domain requires. What open bets lack stays in cash,
 * and counts as held for them.
 */
export function withdrawable(
	{
		cash,
		exposure,
		hold,
		pool,
		lacked,
	}: Pick<WalletRecord, 'cash' | 'exposure' | 'hold' | 'pool'> & { lacked: AnyMinor },
	{ deposited, wagered, inRounds, countToday }: Turnover,
	{ funds }: DomainSetting,
): Withdrawable {
	const free = Math.max(0, freeCash(cash, lacked));
	const bound = Math.max(0, cash) - free;
	// The risk of a bet may be a part of a coin, and no withdrawal is.
	const toWager = upToStep(deposited * funds.turnover - wagered, stepOf(pool));
	const locked = Math.min(free, Math.max(0, toWager - bound));
	const allowed = free - locked;
	const largest = funds.maxWithdrawal * MINOR_PER_MAJOR;
	const parts: [HeldBack, number][] = [
		['PENDING_WITHDRAWALS', hold],
		['OPEN_BETS', exposure + bound],
		['OPEN_ROUNDS', inRounds],
		['TURNOVER', locked],
		['LARGEST_WITHDRAWAL', Math.max(0, allowed - largest)],
	];
	return {
		max: Math.min(allowed, largest),
		heldBack: parts.flatMap(([reason, amount]) => (amount > 0 ? [{ reason, amount }] : [])),
		leftToday: Math.max(0, funds.withdrawalsPerDay - countToday),
	};
}
