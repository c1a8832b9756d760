/**
 * Statements that take longer than a process that serves waits for: of a start, which has to read what the ledger has, and of
 * one account's whole history. A lock on a table makes them long.
 */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { SERVING_LIMITS } from '#server/platform/postgres/connect.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const LIMIT_MS = 3_000;
const DEADLINE_MS = 4_000;

beforeAll(() => {
	const before = { ...SERVING_LIMITS };
	Object.assign(SERVING_LIMITS, { query_timeout: LIMIT_MS });
	return () => void Object.assign(SERVING_LIMITS, before);
});

/** Locks the table. @returns resolves when a statement has waited for it for long enough, and unlocks it */
async function locked({ db }: FreshDatabase, table: string): Promise<{ waitedFor: (ms: number) => Promise<void> }> {
	const client = await db.connect();
	let isLocked = true;
	const unlock = async () => {
		if (!isLocked) return;
		isLocked = false;
		await client.query('rollback');
		client.release();
	};
	onTestFinished(unlock);
	await client.query('begin');
	await client.query(`lock table ${table} in access exclusive mode`);
	const waited = async () => {
		const { rows } = await db.query<{ ms: number }>(
			`select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000), 0)::float8 as ms
			 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
		);
		return rows[0]?.ms ?? 0;
	};
	return {
		waitedFor: async (ms) => {
			await expect.poll(waited, { timeout: 90_000, interval: 100 }).toBeGreaterThan(ms);
			await unlock();
		},
	};
}

it('a start waits for its reads, and a process that serves for no statement that long', async () => {
	const database = await freshDatabase();
	const first = await TestServer.start(database);
	await first.stop();
	const lock = await locked(database, 'fixture');
	const starting = TestServer.start(database);
	starting.catch(() => undefined);
	await lock.waitedFor(LIMIT_MS + 500);
	const server = await starting;
	onTestFinished(() => server.dispose());
	await expect(server.running.db.query('select pg_sleep($1)', [(10 * LIMIT_MS) / 1_000])).rejects.toThrow('timeout');
});

it('an export of all that a player did may take long, and takes no connection of bets', async () => {
	const server = await TestServer.start();
	onTestFinished(() => server.dispose());
	const player = await server.demoPlayer();
	const lock = await locked(server.database, 'ticket');
	const exported = server.call('exportData', {}, player.token);
	await lock.waitedFor(LIMIT_MS + 500);
	expect((await exported).code).toBeNull();
});

it('a bet whose losses cannot be read in time is refused before its deadline, and is placed when they are read', async () => {
	const server = await TestServer.start(undefined, { callDeadlineMs: DEADLINE_MS });
	onTestFinished(() => server.dispose());
	const limit = { host: 'localhost', field: 'playerProtection.lossLimitDay', value: '2000' };
	await server.act('brand-set', limit);
	const player = await server.playPlayer();
	const match = await openTestMatch(server);
	const lock = await locked(server.database, 'player_settlement');
	const bet = betOn(match, { price: 50, stake: 25 });
	const place = async () => (await server.call('placeBetV2', bet, player.token)).code;
	expect(await place()).toBe('STARTING');
	expect(await server.result('getUserOpenBets', {}, player.token)).toMatchObject({ totalCount: 0 });
	await lock.waitedFor(0);
	await expect.poll(place, { timeout: 30_000 }).toBeNull();
	expect(await server.result('getUserOpenBets', {}, player.token)).toMatchObject({ totalCount: 1 });
});
