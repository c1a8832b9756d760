/** Bets and matches by month: made ahead, detached and attached, with the audit. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attachMonth, detachMonth, sealOf } from '#server/exchange/ledger/detached-months.ts';
import { exportData } from '#server/money/funds/export-data.ts';
import { standingOf } from '#server/money/funds/player-standing.ts';
import { turnoverOf } from '#server/money/funds/withdrawals/withdrawable.ts';
import { lifetimes } from '#server/operators/lifetime.ts';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import { attachedMonths, boundsOf, monthOf, openMonths, partitionOf } from '#server/platform/postgres/months.ts';
import { BACK, LAY } from '#values/sides.ts';
import { DAY_MS } from '#values/time.ts';
import { dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { Day } from '../crashes/day.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { plainBet, plainMarket } from './plain-market.ts';

const STEPS = 35;
const PLAYERS = [1001, 1002, 1003, 1004, 1005];
/** Above the numbers of the day's own markets. */
const FIRST_PAID = 1_000_001;

let database: FreshDatabase;
let day: Day;
beforeEach(async () => {
	database = await freshDatabase();
	day = new Day(1, database, 0);
});
afterEach(async () => {
	await day.exchange?.drain();
	await database.drop();
});

/** A match that is paid, because the numbers of a slow day may bring none. */
async function payOne(marketId: number): Promise<void> {
	const [backer = 0, layer = 0] = PLAYERS;
	await day.insist(plainMarket(marketId));
	await day.insist(plainBet(marketId, backer, BACK));
	await day.insist(plainBet(marketId, layer, LAY));
	await day.insist({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] });
}

/** Bets in three months, each market of a month ended in it; some are reopened later. */
async function threeMonths(): Promise<[string, string, string]> {
	const months: string[] = [];
	for (let month = 0; month < 3; month++) {
		await day.open();
		months.push(monthOf(day.now));
		await payOne(FIRST_PAID + month);
		for (let step = 0; step < STEPS; step++) await day.step();
		const { rows } = await database.db.query<{ id: number }>(
			'select market_id as id from market_state where not is_over',
		);
		for (const { id } of rows) await day.insist({ kind: 'void-market', marketId: id });
		await day.exchange?.drain();
		day.now += 31 * DAY_MS;
	}
	await openMonths(database.db, day.now);
	return months as [string, string, string];
}

/** Long enough after all bets that any month may be detached. */
const muchLater = () => day.now + 365 * DAY_MS;
const detach = (month: string, nowMs = muchLater()) => detachMonth(database.db, month, LEDGER_KEY, nowMs);

async function findings(): Promise<{ name: string; wrong: object }[]> {
	const client = await database.db.connect();
	try {
		const found: { name: string; wrong: object }[] = [];
		for (const { name, run } of CHECKS) {
			await client.query('begin transaction isolation level repeatable read read only');
			const { wrong } = await run(client, sealKeys([LEDGER_KEY]));
			await client.query('rollback');
			if (wrong) found.push({ name, wrong });
		}
		return found;
	} finally {
		client.release();
	}
}

const count = async (table: string): Promise<number> =>
	(await database.db.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0;
const turnover = async (): Promise<number[]> =>
	(await Promise.all(PLAYERS.map((player) => turnoverOf(database.db, { openBets: () => [] }, player, day.now)))).map(
		({ wagered }) => wagered,
	);

it('detaches the oldest month and attaches it again: the audit holds each time, and no row and no turnover is lost', async () => {
	const [first, second] = await threeMonths();
	const counted = async () => ({
		bets: await count('bet'),
		matches: await count('bet_match'),
		events: await count('market_event'),
		turnover: await turnover(),
	});
	const before = await counted();
	expect(Math.max(...before.turnover)).toBeGreaterThan(0);
	expect(await findings()).toEqual([]);
	const left = { ...before };
	for (const month of [first, second]) {
		const [bets, matches, events] = [
			await count(partitionOf('bet', month)),
			await count(partitionOf('bet_match', month)),
			await count(partitionOf('market_event', month)),
		];
		expect(Math.min(bets, matches, events)).toBeGreaterThan(0);
		// What it counts of bets are those that are sealed.
		expect(await detach(month)).toMatchObject({ matches, events });
		left.bets -= bets;
		left.matches -= matches;
		left.events -= events;
		expect(await counted()).toEqual(left);
		expect(await findings()).toEqual([]);
	}
	await expect(attachMonth(database.db, first)).rejects.toThrow('is not the newest detached month');
	// They were detached before the ends of bets were kept.
	await database.db.query('delete from bet_end where ended_at < $1', [boundsOf(second).toMs]);
	for (const month of [second, first]) {
		await attachMonth(database.db, month);
		expect(await findings()).toEqual([]);
	}
	expect(await counted()).toEqual(before);
});

it('leaves what a player staked, that the player was active, and sums for the player’s own export', async () => {
	const { db } = database;
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
		 select id, 'localhost', 'p' || id, 'p' || id, false, 'PLAY', $2 from unnest($1::bigint[]) as id`,
		[PLAYERS, day.now],
	);
	const [first] = await threeMonths();
	const signedUp = dayOf(boundsOf(first).fromMs, HOME_ZONE);
	const period = { first: signedUp, last: signedUp + 40, zone: HOME_ZONE, hosts: ['localhost'], nowMs: day.now };
	const seen = async () => {
		const staked = await Promise.all(PLAYERS.map(async (player) => (await standingOf(db, player)).staked));
		const players = await lifetimes(db, 'player', period);
		const [month] = await lifetimes(db, 'month', period);
		return { staked, active: players.map(({ active }) => active), together: month?.active };
	};
	const before = await seen();
	expect(before.active).toContain(1);
	expect(Math.max(...before.staked)).toBeGreaterThan(0);
	for (const month of await attachedMonths(db, 'bet')) if (month < monthOf(day.now)) await detach(month);
	expect(await seen()).toEqual(before);
	// When the first bet was is in the detached month alone.
	for (const { firstBet } of await lifetimes(db, 'player', period)) expect(firstBet).toBeNull();
	expect(await lifetimes(db, 'month', period)).toMatchObject([{ firstBet: null }]);
	const { files } = await exportData(db, PLAYERS[0] as number);
	const { rows } = await db.query('select from detached_bets where wallet_id = $1', [PLAYERS[0]]);
	const csv = files.find(({ name }) => name === 'bets-of-earlier-months.csv')?.csv ?? '';
	expect(rows.length).toBeGreaterThan(0);
	expect(csv.trim().split('\n')).toHaveLength(rows.length + 1);
});

it('detaches no month that is young, not the oldest, or has a bet or a market in progress', async () => {
	const [first, second] = await threeMonths();
	await expect(detach(second)).rejects.toThrow(`${second} is not the oldest attached month`);
	await expect(detach(first, day.now)).rejects.toThrow('ended less than 100 days ago');
	const [market] = (
		await database.db.query<{ id: number }>(
			`select market_id as id from bet join market_state using (market_id)
			 where status in ('SETTLED', 'VOIDED') and placed_at < $1 order by bet_id limit 1`,
			[boundsOf(first).toMs],
		)
	).rows;
	await day.open();
	const { id: marketId } = market ?? expect.unreachable();
	await day.exchange?.recall(marketId);
	await reopenMarket(database.db, day.exchange ?? expect.unreachable(), marketId);
	await expect(detach(first)).rejects.toThrow(/has not ended/);
	expect(await attachedMonths(database.db, 'bet')).toContain(first);
	await day.insist({ kind: 'void-market', marketId });
	await detach(first);
	await expect(reopenMarket(database.db, day.exchange ?? expect.unreachable(), marketId)).rejects.toMatchObject({
		code: 'WRONG_MARKET_STATE',
	});
	await day.exchange?.drain();
	expect(await findings()).toEqual([]);
});

it('names what was changed of a detached month', async () => {
	const [first] = await threeMonths();
	const partition = `bet_${first.replace('-', '_')}`;
	await detach(first);
	const restored = async (change: string, back: string): Promise<object[]> => {
		await database.db.query(change);
		const found = await findings();
		await database.db.query(back);
		return found.map(({ wrong }) => wrong);
	};
	// A row that is deleted beside a detachment is not taken for a detached one.
	const { rows } = await database.db.query<{ id: number }>('select min(bet_id) as id from bet where wallet_id > 1000');
	expect(
		await restored(
			`create table kept as select * from bet where bet_id = ${rows[0]?.id}; delete from bet where bet_id = ${rows[0]?.id}`,
			'insert into bet select * from kept; drop table kept',
		),
	).toContainEqual({ table: 'bet', bet_id: rows[0]?.id, is: 'missing' });
	expect(
		await restored('update detached_bets set profit = profit + 1', 'update detached_bets set profit = profit - 1'),
	).toContainEqual({ month: first, is: 'edited' });
	expect(
		await restored('update detached_month set bets = bets - 1', 'update detached_month set bets = bets + 1'),
	).toContainEqual({ month: first, is: 'edited' });
	expect(
		await restored('update detached_month set events = events - 1', 'update detached_month set events = events + 1'),
	).toContainEqual({ month: first, is: 'edited' });
	const told = (
		await database.db.query<{ batch: number; line: number }>('select batch, line from market_event limit 1')
	).rows[0];
	// An event that is deleted beside a detachment is not taken for a detached one.
	const ofEvent = `batch = ${told?.batch} and line = ${told?.line}`;
	expect(
		await restored(
			`create table kept as select * from market_event where ${ofEvent}; delete from market_event where ${ofEvent}`,
			'insert into market_event select * from kept; drop table kept',
		),
	).toContainEqual({ table: 'market_event', ...told, is: 'missing' });
	expect(await findings()).toEqual([]);
	await database.db.query(
		`update archive.${partition} set price = price + 1 where bet_id = (select min(bet_id) from archive.${partition} where wallet_id > 1000)`,
	);
	await attachMonth(database.db, first);
	expect(await findings()).toContainEqual({
		name: 'every covered row is the one that was sealed',
		wrong: expect.objectContaining({ table: 'bet', is: 'edited' }),
	});
});

it('writes bets around the end of a month into its own and the next one, and those of a month that is not prepared beside', async () => {
	const months = ['2023-11', '2023-12'];
	day.now = boundsOf('2023-11').toMs - DAY_MS;
	await openMonths(database.db, day.now);
	await day.open();
	for (const days of [0, 2, 60]) {
		day.pass(days * DAY_MS);
		for (let step = 0; step < STEPS; step++) await day.step();
	}
	await day.exchange?.drain();
	for (const month of months) {
		for (const table of ['bet', 'bet_match', 'market_event'])
			expect(await count(partitionOf(table, month))).toBeGreaterThan(0);
	}
	expect(await count('bet_default')).toBeGreaterThan(0);
	expect(await findings()).toEqual([]);
});

it('prepares the next month while bets go on, and gives up when the tables are busy', async () => {
	await day.open();
	const client = await database.db.connect();
	await client.query('begin; lock table bet_default in row exclusive mode');
	const prepare = () => openMonths(database.db, day.now);
	await expect(prepare()).rejects.toThrow('lock timeout');
	await client.query('rollback');
	client.release();
	await Promise.all([...Array.from({ length: 10 }, () => day.step()), prepare(), prepare()]);
	await day.exchange?.drain();
	expect(await attachedMonths(database.db, 'bet')).toContain(monthOf(day.now));
	expect(await count('bet_default')).toBe(0);
	expect(await findings()).toEqual([]);
});

it('keeps the events of a month that was detached when events had no months, and puts its bets back beside them', async () => {
	const [first] = await threeMonths();
	const before = { bets: await count('bet'), events: await count('market_event') };
	const partition = partitionOf('market_event', first);
	await detach(first);
	// As the earlier release left it: the seal knows no events, and they are in the table still.
	const { rows } = await database.db.query(
		`select month, last_bet_id as "lastBetId", last_batch as "lastBatch", last_line as "lastLine", bets, matches,
		   null as "lastEventBatch", null as "lastEventLine", null as events from detached_month`,
	);
	const seal = await sealOf(database.db, LEDGER_KEY, rows[0]);
	await database.db.query(
		'update detached_month set last_event_batch = null, last_event_line = null, events = null, seal = $1',
		[seal],
	);
	await database.db.query(
		`insert into market_event_default select * from archive.${partition}; drop table archive.${partition}`,
	);
	await openMonths(database.db, day.now);
	expect(await attachedMonths(database.db, 'market_event')).toContain(first);
	expect(await attachedMonths(database.db, 'bet')).not.toContain(first);
	expect(await findings()).toEqual([]);
	await attachMonth(database.db, first);
	expect({ bets: await count('bet'), events: await count('market_event') }).toEqual(before);
	expect(await findings()).toEqual([]);
	await detach(first);
	expect(await findings()).toEqual([]);
});
