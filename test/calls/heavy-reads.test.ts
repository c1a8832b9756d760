/** Reads that take long: they delay no bet, and a crowd of them is refused. */
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const READERS = 30;

let server: TestServer;
let match: TestMatch;
let player: Player;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	player = await server.demoPlayer();
});

/** Locks a table until it is told to let go: every reader waits. */
async function lock(table: string): Promise<() => Promise<void>> {
	const client: pg.PoolClient = await server.database.db.connect();
	await client.query('begin');
	await client.query(`lock table ${table} in access exclusive mode`);
	return async () => {
		await client.query('rollback');
		client.release();
	};
}

async function waitingReads(like: string): Promise<number> {
	const { rows } = await server.database.db.query<{ count: number }>(
		`select count(*)::int as count from pg_stat_activity
		 where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
		[like],
	);
	return rows[0]?.count ?? 0;
}

it('a bet is placed while more histories wait than there are connections, and those are refused in the end', {
	tags: 'thorough',
}, async () => {
	const letGo = await lock('market_listing');
	try {
		const reads = Array.from({ length: READERS }, () =>
			server.raw('getUserBetHistory', { sportId: 3, maxResultCount: 10, skipCount: 0 }, player.token),
		);
		await expect.poll(() => waitingReads('%from bet %')).toBeGreaterThan(0);
		expect((await server.call('placeBetV2', betOn(match), player.token)).code).toBeNull();
		const codes = new Set((await Promise.all(reads)).map(({ code }) => code));
		expect([...codes]).toEqual(['OVERLOADED']);
	} finally {
		await letGo();
	}
	const { code } = await server.raw(
		'getUserBetHistory',
		{ sportId: 3, maxResultCount: 10, skipCount: 0 },
		player.token,
	);
	expect(code).toBeNull();
});

it('a price history waits for no table', async () => {
	const letGo = await lock('bet_match');
	try {
		const { code } = await server.call('getPriceHistory', { marketId: match.marketId });
		expect(code).toBeNull();
	} finally {
		await letGo();
	}
});
