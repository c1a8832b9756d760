/**
 * Returns a settled market to CLOSED, so that it can be settled again, or voided as a whole or in part. The engine has
 * forgotten its bets; the ledger supplies them, and the engine checks that they add up to the settlement.
 */
import type pg from 'pg';
import type { Settlement } from '#engine/command.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { hasDetachedBets } from '#server/exchange/ledger/detached-months.ts';
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/**
 * @throws Refused WRONG_MARKET_STATE if the market is not settled, or the ledger's bets do not add up to the settlement
 */
export async function reopenMarket(db: pg.Pool, exchange: Exchange, marketId: MarketId): Promise<void> {
	await exchange.submit({ kind: 'reopen-market', marketId, ...(await settlementOf(db, marketId)) });
}

/** A settlement as the ledger has it; the engine compares it with its own. */
interface LedgerSettlement extends Settlement {
	bets: BetRow[];
}

/** @throws Refused WRONG_MARKET_STATE if a month with its bets is detached */
export async function settlementOf(db: pg.Pool, marketId: MarketId): Promise<LedgerSettlement> {
	if (await hasDetachedBets(db, marketId)) throw new Refused('WRONG_MARKET_STATE');
	const bets = await settledBets(db, marketId);
	const { rows: payments } = await db.query<{ walletId: WalletId; net: AnyPaise; commission: AnyPaise }>(
		`select wallet_id as "walletId", net, commission from player_settlement where market_id = $1 order by wallet_id`,
		[marketId],
	);
	const { rows: steps } = await db.query<{ next: number }>(
		`select coalesce(max(step) + 1, 0)::int as next from posting
		 where ref = $1 and kind in ('MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED')`,
		[marketId],
	);
	return { bets, payments, nextStep: steps[0]?.next ?? 0 };
}

/**
 * SQL: the time from which the settlement of market `$1` ended its bets, as `since`; null while the market is not settled.
 * A single command ends all of them at one instant. From its beginning on, only a walk ends bets of its market.
 */
export const PAID_SINCE = `select coalesce((terms ->> 'settlingSinceMs')::bigint,
     (select max(ended_at) from bet where market_id = $1 and result is not null)) as since
   from market_state where market_id = $1 and status in ('SETTLED', 'VOIDED')`;

/**
 * Bets that the settlement of market `$1` ended, with their matched part at that time: a settlement voids bets on void
 * runners as a whole. The index of settled bets answers it at any size of the ledger.
 */
export const SETTLED_BETS = `with met as (
   select bet_id, sum(stake)::bigint as stake, sum(stake * price)::bigint as value,
     jsonb_agg(jsonb_build_object('stake', stake, 'price', price) order by batch, line) as fills from (
     select batch, line, taker_bet_id as bet_id, stake, price from bet_match where market_id = $1
     union all select batch, line, maker_bet_id, stake, price from bet_match where market_id = $1
   ) as part where not exists (
     select 1 from void_match where void_match.batch = part.batch and void_match.line = part.line
   ) group by bet_id
 ), paid as (${PAID_SINCE})
 select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, bet.stake,
   persist, placed_at as "placedAtMs", matched_at as "matchedAtMs", met.stake as counted, matched, matched_value as "matchedValue", remaining,
   cancelled, lapsed, voided, result, profit_exact as "profitExact", ended_at as "endedAtMs",
   fill_or_kill as "fillOrKill",
   -- where fills are kept one by one they are needed again
   coalesce(bet.fills, case when met.value = matched_value
     and (terms ->> 'reducible' = 'true' or jsonb_typeof(terms -> 'ladder') = 'object')
     then met.fills end) as fills, delay, parts, queued_after as "queuedAfter"
 from bet join met using (bet_id) join market_state using (market_id), paid
 where market_id = $1 and result is not null
   and (result in ('WON', 'LOST') or (result = 'VOID' and ended_at >= paid.since))
 order by bet_id`;

async function settledBets(db: pg.Pool, marketId: MarketId): Promise<BetRow[]> {
	const { rows } = await db.query<BetRow & { counted: number }>(SETTLED_BETS, [marketId]);
	return rows.map(({ counted, ...bet }) => ({ ...bet, matched: counted }));
}
