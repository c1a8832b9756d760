/**
 * What the ledger knows of a settlement, so that it can be taken back: the engine has forgotten the bets, and checks that
 * they add up to what their players were paid. A settlement of any size is read in parts, from one snapshot, so that no
 * part takes long.
 */
import type pg from 'pg';
import type { PaidSettlement, ReversedWallet, Settlement } from '#engine/command.ts';
import type { BetReferences } from '#server/exchange/exchange.ts';
import { hasDetachedBets } from '#server/exchange/ledger/detached-months.ts';
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Bets that are read at once: some milliseconds. */
const BETS_A_PART = 500;

/**
 * SQL: the time from which the settlement of market `$1` ended its bets, as `since`, with the runners that are removed; no row
 * while the market is not settled. A single command ends all of them at one instant. From its beginning on, only a walk ends
 * bets of its market. While a settlement is taken back, its time is known.
 */
export const PAID = `select coalesce((terms ->> 'settlingSinceMs')::bigint,
     (select max(ended_at) from bet where market_id = $1 and result is not null)) as since, removed
   from market_state where market_id = $1
     and (status in ('SETTLED', 'VOIDED') or jsonb_typeof(terms -> 'reversing') = 'object')`;

/**
 * SQL: whether that settlement, `paid`, and not an earlier act made a bet void. What is void on a removed runner its removal
 * made void, which may have been at the same instant; and where the settlement ended no bet, before it.
 */
export const isVoidByResult = (bet: string): string => `(${bet}.result = 'VOID' and ${bet}.ended_at >= paid.since
   and not exists (select 1 from jsonb_array_elements(paid.removed) as removal
     where (removal ->> 0)::int = ${bet}.runner and removal ->> 2 is null))`;

/** SQL: the parts that bets of market `$1` have in its matches, without those that are void. */
const PARTS = `(
   select batch, line, taker_bet_id as bet_id, stake, price from bet_match where market_id = $1
   union all select batch, line, maker_bet_id, stake, price from bet_match where market_id = $1
 ) as part where not exists (
   select 1 from void_match where void_match.batch = part.batch and void_match.line = part.line
 )`;

/**
 * Bets that the settlement of market `$1` ended, with their matched part at that time: a settlement voids bets on void
 * runners as a whole. The index of a market's bets answers it at any size of the ledger.
 */
const SETTLED = `with met as (
   select bet_id, sum(stake)::bigint as stake, sum(stake * price)::bigint as value,
     jsonb_agg(jsonb_build_object('stake', stake, 'price', price) order by batch, line) as fills from ${PARTS} group by bet_id
 ), paid as (${PAID}), settled as (
   select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, bet.stake,
     persist, placed_at as "placedAtMs", matched_at as "matchedAtMs", met.stake as counted, matched, matched_value as "matchedValue", remaining,
     cancelled, lapsed, voided, result, profit_exact as "profitExact", ended_at as "endedAtMs",
     fill_or_kill as "fillOrKill",
     -- where fills are kept one by one they are needed again
     coalesce(bet.fills, case when met.value = matched_value
       and (terms ->> 'reducible' = 'true' or jsonb_typeof(terms -> 'ladder') = 'object')
       then met.fills end) as fills, delay, on_close as "onClose", coalesce(takes_start, false) as "takesStart",
     parts, queued_after as "queuedAfter", order_ref as "orderRef", strategy_ref as "strategyRef"
   from bet join met using (bet_id) join market_state using (market_id) left join bet_reference using (bet_id), paid
   where market_id = $1 and result is not null and (result in ('WON', 'LOST') or ${isVoidByResult('bet')})
 )`;

/** SQL: those bets. */
export const SETTLED_BETS = `${SETTLED} select * from settled order by "betId"`;

/** Winners before losers; of each wallet the void bets first. */
const BY_WALLET = `${SETTLED}
 select settled.*, net, commission,
   sum("profitExact") filter (where result <> 'VOID') over own as exact
 from settled left join player_settlement on market_id = "marketId" and wallet_id = "walletId"
 window own as (partition by "walletId")
 order by coalesce(net, 0) <= 0, "walletId", result <> 'VOID', "betId"`;

type SettledRow = BetRow & BetReferences & { counted: number };
type WalletRow = SettledRow & { net: number | null; commission: number; exact: string | null };

const betOf = ({ net: _net, commission: _commission, exact: _exact, ...row }: WalletRow): BetRow => asPlaced(row);
/** A bet that comes back has the names that its bot gave it. */
const asPlaced = ({ counted, orderRef, strategyRef, ...bet }: SettledRow): BetRow => ({
	...bet,
	matched: counted,
	...(orderRef === null && strategyRef === null ? {} : { references: { orderRef, strategyRef } }),
});

/**
 * Without it a settlement that is under way, or was taken back meanwhile, would look like one without bets, which the engine
 * takes where no player was paid: the bets of a void market would stay void.
 * @throws Refused WRONG_MARKET_STATE
 */
async function expectSettled(db: pg.Pool, marketId: MarketId): Promise<void> {
	const { rows } = await db.query<{ since: number | null }>(PAID, [marketId]);
	if (rows.length === 0) throw new Refused('WRONG_MARKET_STATE');
}

/** A settlement as the ledger has it; the engine compares it with its own. */
interface LedgerSettlement extends Settlement {
	bets: BetRow[];
}

/** @throws Refused WRONG_MARKET_STATE if the market is not settled, or a month with its bets is detached */
export async function settlementOf(db: pg.Pool, marketId: MarketId): Promise<LedgerSettlement> {
	if (await hasDetachedBets(db, marketId)) throw new Refused('WRONG_MARKET_STATE');
	const bets: BetRow[] = [];
	for await (const rows of partsOf<SettledRow>(db, SETTLED_BETS, marketId)) bets.push(...rows.map(asPlaced));
	const { rows: payments } = await db.query<PaidSettlement>(
		`select wallet_id as "walletId", net, commission from player_settlement where market_id = $1 order by wallet_id`,
		[marketId],
	);
	const nextStep = await nextStepOf(db, marketId);
	// Still, so that what was read is all of it.
	await expectSettled(db, marketId);
	return { bets, payments, nextStep };
}

async function nextStepOf(db: pg.Pool, marketId: MarketId): Promise<number> {
	const { rows } = await db.query<{ next: number }>(
		`select coalesce(max(step) + 1, 0)::int as next from posting
		 where ref = $1 and kind in ('MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED')`,
		[marketId],
	);
	return rows[0]?.next ?? 0;
}

/** How large a settlement is, and what its reversal begins with. */
interface SettlementExtent {
	betCount: number;
	paidSinceMs: number;
	nextStep: number;
}

/** @throws Refused WRONG_MARKET_STATE if the market is not settled, or a month with its bets is detached */
export async function extentOf(db: pg.Pool, marketId: MarketId): Promise<SettlementExtent> {
	if (await hasDetachedBets(db, marketId)) throw new Refused('WRONG_MARKET_STATE');
	await expectSettled(db, marketId);
	const { rows } = await db.query<{ betCount: number; paidSinceMs: number }>(
		`with paid as (${PAID}) select count(*)::int as "betCount", coalesce(max(since), 0) as "paidSinceMs"
		 from bet, paid where market_id = $1 and result is not null
		   and (result in ('WON', 'LOST') or (${isVoidByResult('bet')} and bet_id in (select bet_id from ${PARTS})))`,
		[marketId],
	);
	const { betCount = 0, paidSinceMs = 0 } = rows[0] ?? {};
	return { betCount, paidSinceMs, nextStep: await nextStepOf(db, marketId) };
}

/**
 * The wallets of a settlement with their bets, winners before losers. A wallet of the house with more bets than are read at
 * once comes in parts.
 * @param most how many bets the next part has
 */
export async function* settledWallets(
	db: pg.Pool,
	marketId: MarketId,
	most: () => number = () => BETS_A_PART,
): AsyncGenerator<ReversedWallet> {
	let rows: WalletRow[] = [];
	let isPart = false;
	for await (const row of each(partsOf<WalletRow>(db, BY_WALLET, marketId))) {
		const [first] = rows;
		if (first && first.walletId !== row.walletId) {
			yield reversed(rows, isPart && { isLast: true });
			[rows, isPart] = [[], false];
		}
		if (rows.length >= most() && row.walletId < FIRST_PLAYER_ID) {
			yield reversed(rows, { isLast: false });
			[rows, isPart] = [[], true];
		}
		rows.push(row);
	}
	if (rows.length > 0) yield reversed(rows, isPart && { isLast: true });
}

/** @param rows of one wallet, at least one */
function reversed(rows: readonly WalletRow[], part: { isLast: boolean } | false): ReversedWallet {
	const [{ walletId, net, commission, exact }] = rows as [WalletRow];
	const bets = rows.map(betOf);
	const payment = net === null ? null : { net, commission };
	return { walletId, bets, payment, ...(part ? { part: { ...part, exact } } : {}) };
}

async function* each<Row>(parts: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
	for await (const rows of parts) yield* rows;
}

/** The rows of a statement about a market, some at a time: the database keeps its place between them. */
async function* partsOf<Row extends pg.QueryResultRow>(
	db: pg.Pool,
	statement: string,
	marketId: MarketId,
): AsyncGenerator<readonly Row[]> {
	const client = await db.connect();
	let failed = true;
	try {
		await client.query('begin read only');
		await client.query(`declare settled_bets no scroll cursor for ${statement}`, [marketId]);
		for (;;) {
			// The first may sort all of them.
			const { rows } = await unhurried(client).query<Row>(`fetch ${BETS_A_PART} from settled_bets`);
			if (rows.length > 0) yield rows;
			if (rows.length < BETS_A_PART) break;
		}
		await client.query('commit');
		failed = false;
	} finally {
		// What a caller broke off, or the database, leaves no transaction behind.
		client.release(failed);
	}
}
