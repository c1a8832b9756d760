/**
 * Takes the oldest month of bets, matches and events of markets out of the tables, and puts it back. A detached month is
 * three tables of the schema `archive`, which can be dumped and dropped. What its bets came to stays as sums, because settlements and the
 * turnover of players are checked against them; postings, seals and settlements stay whole.
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { SEALED_TABLES } from '#server/exchange/ledger/seal-batch.ts';
import { keyIdOf } from '#server/platform/keys/ledger-key.ts';
import {
	attachedMonths,
	boundsOf,
	type Month,
	partitionOf,
	TABLES_BY_MONTH,
} from '#server/platform/postgres/months.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** Bonuses, corrections and complaints look back as far as this. */
const LEAST_KEPT_DAYS = 100;
/** Commits wait for these locks. */
const LOCK_LIMIT = '2s';

export interface DetachedMonth {
	month: Month;
	lastBetId: number;
	/** Of its last match; null without one. */
	lastBatch: number | null;
	lastLine: number | null;
	/** Sealed rows. */
	bets: number;
	matches: number;
	/** Of its last event of a market; null without one. */
	lastEventBatch: number | null;
	lastEventLine: number | null;
	/** Null for a month that was detached when events had no months: they are still in their table. */
	events: number | null;
	keyId: string;
	seal: Buffer;
}

type Db = Pick<pg.Pool, 'query'>;

/** The oldest first. */
export async function detachedMonths(db: Db): Promise<DetachedMonth[]> {
	const { rows } = await db.query<DetachedMonth>(
		`select month, last_bet_id as "lastBetId", last_batch as "lastBatch", last_line as "lastLine", bets, matches,
		   last_event_batch as "lastEventBatch", last_event_line as "lastEventLine", events, key_id as "keyId", seal from detached_month order by month`,
	);
	return rows;
}

/** The seal of a detached month: a keyed hash over its row and its sums. */
export async function sealOf(db: Db, key: string, month: Omit<DetachedMonth, 'keyId' | 'seal'>): Promise<Buffer> {
	const { rows } = await db.query<{ sums: string }>(
		`select coalesce(string_agg(concat_ws(',', market_id, wallet_id, matched, profit::text), ';'
		   order by market_id, wallet_id), '') as sums from detached_bets where month = $1`,
		[month.month],
	);
	const { lastBetId, lastBatch, lastLine, bets, matches, lastEventBatch, lastEventLine, events } = month;
	const ofEvents = events === null ? [] : [lastEventBatch, lastEventLine, events];
	const ofBets = ['detached', month.month, lastBetId, lastBatch, lastLine, bets, matches];
	return createHmac('sha256', key)
		.update([...ofBets, ...ofEvents, rows[0]?.sums].join('|'))
		.digest();
}

/** @throws Error when the month may not be detached: nothing has changed */
export async function detachMonth(db: pg.Pool, month: Month, key: string, nowMs: number): Promise<DetachedMonth> {
	return await inTransaction(db, async (client) => {
		await client.query(`set local lock_timeout = '${LOCK_LIMIT}'`);
		await mayBeDetached(client, month, nowMs);
		const detached = await writeDown(client, month, key);
		await client.query('create schema if not exists archive');
		for (const table of Object.keys(TABLES_BY_MONTH)) {
			const partition = partitionOf(table, month);
			await client.query(`alter table ${table} detach partition ${partition}`);
			await client.query(`alter table ${partition} set schema archive`);
		}
		return detached;
	});
}

async function mayBeDetached(client: pg.PoolClient, month: Month, nowMs: number): Promise<void> {
	const months = await attachedMonths(client, 'bet');
	if (months[0] !== month) throw new Error(`${month} is not the oldest attached month, which is ${months[0]}.`);
	if (nowMs < boundsOf(month).toMs + LEAST_KEPT_DAYS * DAY_MS)
		throw new Error(`${month} ended less than ${LEAST_KEPT_DAYS} days ago.`);
	// A market that is reopened meanwhile waits until the month is gone, and is then refused.
	for (const table of Object.keys(TABLES_BY_MONTH))
		await client.query(`lock table ${partitionOf(table, month)} in share mode`);
	const { toMs } = boundsOf(month);
	const { rows } = await client.query<{ why: string }>(
		`select 'bet ' || bet_id || ' has not ended' as why from bet where placed_at < $1 and ended_at is null
		 union all select 'market ' || market_id || ' of bet ' || bet_id || ' has not ended'
		 from bet join market_state using (market_id) where placed_at < $1 and not is_over
		 union all select 'bet ' || min(late.bet_id) || ' was placed after a later one' from bet as late
		 where placed_at >= $1 having min(bet_id) < (select max(bet_id) from bet where placed_at < $1)
		 limit 1`,
		[toMs],
	);
	if (rows[0]) throw new Error(`${month} cannot be detached: ${rows[0].why}.`);
}

/** The number of a partition's rows that have seals, as a condition says which. */
function sealedRows(table: string, partition: string): string {
	const where = SEALED_TABLES.find((sealed) => sealed.table.into === table)?.seal.where;
	return `(select count(*)::int from ${partition}${where ? ` where ${where}` : ''})`;
}

async function writeDown(client: pg.PoolClient, month: Month, key: string): Promise<DetachedMonth> {
	const [bets, matches] = [partitionOf('bet', month), partitionOf('bet_match', month)];
	const lastOf = (table: string) => `select batch, line from ${table} order by batch desc, line desc limit 1`;
	const { rows } = await client.query<Omit<DetachedMonth, 'month' | 'keyId' | 'seal'>>(
		`select coalesce((select max(bet_id) from ${bets}), 0)::bigint as "lastBetId",
		   last.batch as "lastBatch", last.line as "lastLine",
		   ${sealedRows('bet', bets)} as bets, ${sealedRows('bet_match', matches)} as matches,
		   told.batch as "lastEventBatch", told.line as "lastEventLine",
		   ${sealedRows('market_event', partitionOf('market_event', month))} as events
		 from (values (1)) as one left join (${lastOf(matches)}) as last on true
		 left join (${lastOf(partitionOf('market_event', month))}) as told on true`,
	);
	const row = { month, ...(rows[0] as Omit<DetachedMonth, 'month' | 'keyId' | 'seal'>) };
	await client.query(
		`insert into detached_month (month, last_bet_id, last_batch, last_line, bets, matches, last_event_batch,
		   last_event_line, events, key_id, seal) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '')`,
		[
			month,
			row.lastBetId,
			row.lastBatch,
			row.lastLine,
			row.bets,
			row.matches,
			row.lastEventBatch,
			row.lastEventLine,
			row.events,
			keyIdOf(key),
		],
	);
	await client.query(
		`insert into detached_bets (month, market_id, wallet_id, matched, profit)
		 select $1, market_id, wallet_id, sum(matched),
		   coalesce(sum(profit_exact::numeric / parts) filter (where result in ('WON', 'LOST')), 0)
		 from ${bets} group by market_id, wallet_id`,
		[month],
	);
	const seal = await sealOf(client, key, row);
	await client.query('update detached_month set seal = $2 where month = $1', [month, seal]);
	return { ...row, keyId: keyIdOf(key), seal };
}

/**
 * Puts the newest detached month back. The audit then compares each of its rows with its seal.
 * @throws Error when it is another one, or its tables are not in the schema `archive`
 */
export async function attachMonth(db: pg.Pool, month: Month): Promise<void> {
	await inTransaction(db, async (client) => {
		await client.query(`set local lock_timeout = '${LOCK_LIMIT}'`);
		const newest = (await detachedMonths(client)).at(-1);
		if (newest?.month !== month)
			throw new Error(`${month} is not the newest detached month, which is ${newest?.month ?? 'none'}.`);
		const { fromMs, toMs } = boundsOf(month);
		for (const table of Object.keys(TABLES_BY_MONTH)) {
			if (table === 'market_event' && newest.events === null) continue;
			const partition = partitionOf(table, month);
			await client.query(`alter table archive.${partition} set schema public`);
			await client.query(`alter table ${table} attach partition ${partition} for values from (${fromMs}) to (${toMs})`);
		}
		// A month that was detached before these were kept has none.
		await client.query(
			`insert into bet_end (wallet_id, ended_at, market_id)
			 select distinct wallet_id, ended_at, market_id from ${partitionOf('bet', month)}
			 where ended_at is not null and wallet_id >= ${FIRST_PLAYER_ID} on conflict do nothing`,
		);
		await client.query('delete from detached_month where month = $1', [month]);
	});
}

/** True when bets of the market were detached: it cannot be reopened before they are back. */
export async function hasDetachedBets(db: Db, marketId: number): Promise<boolean> {
	const { rowCount } = await db.query('select 1 from detached_bets where market_id = $1 limit 1', [marketId]);
	return (rowCount ?? 0) > 0;
}

/** The table of a detached month in the schema `archive`; null where it was dropped, or lacks rows. */
export async function archivedTable(
	db: Db,
	table: 'bet' | 'bet_match',
	{ month, bets, matches }: DetachedMonth,
): Promise<string | null> {
	const name = `archive.${partitionOf(table, month)}`;
	const found = await db.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [name]);
	if (!found.rows[0]?.isThere) return null;
	const { rows } = await db.query<{ count: number }>(`select ${sealedRows(table, name)} as count`);
	return rows[0]?.count === (table === 'bet' ? bets : matches) ? name : null;
}
