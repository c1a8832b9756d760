/** A database has its pools: a process that is configured for others does not touch it. */
import { expect, it, onTestFinished } from 'vitest';
import { claimPools } from '#server/exchange/recovery/served-pools.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';

async function database() {
	const made = await freshDatabase();
	onTestFinished(() => made.drop());
	return made;
}

it('with wallets of another pool refuses a start, in words, and keeps its lease', async () => {
	const held = await database();
	const server = await TestServer.start(held);
	await server.demoPlayer();
	await server.stop();
	const lease = async () => (await held.db.query('select * from lease')).rows;
	const before = await lease();
	await expect(TestServer.start(held, { pools: ['PLAY', 'REAL'] })).rejects.toThrow(
		'This database holds wallets of the pool DEMO, and POOLS is PLAY,REAL. ' +
			'A pool leaves a database only before it has a wallet: correct POOLS or DATABASE_URL.',
	);
	expect(await lease()).toEqual(before);
	// A pool without a wallet may leave for an engine of its own, and does not come back.
	await (await TestServer.start(held, { pools: ['DEMO', 'PLAY'] })).stop();
	await expect(TestServer.start(held)).rejects.toThrow(
		'This database has the pools DEMO,PLAY, and POOLS is DEMO,PLAY,REAL. ' +
			'A pool is not added to a database: correct POOLS or DATABASE_URL.',
	);
});

it('is claimed by one of two processes that start at once with different pools', async () => {
	const { db } = await database();
	const claims = await Promise.allSettled([claimPools(db, ['REAL']), claimPools(db, ['DEMO', 'PLAY'])]);
	expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	await expect(claimPools(db, HOME_POOLS)).rejects.toThrow('A pool is not added to a database');
});
