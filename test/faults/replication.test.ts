/**
 * The database's machine dies with its disk while players bet, and its synchronous standby takes its place. The exchange
 * goes on by itself: no acknowledged bet is lost, and a repeated one is placed once.
 *
 * @module-tag thorough
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabasePair } from './support/database-pair.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { demoPlayer, openBetIds, placeForCertain, restingBet } from './support/player-client.ts';

const PLAYERS = byForm(4, 16);
const BETS_BEFORE = byForm(10, 2_000);
/** Of a player between two bets. */
const PAUSE_MS = byForm(20, 0);
const RECOVERED_WITHIN_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'blr-'));
let databases: DatabasePair;
let server: FaultyServer;
beforeAll(async () => {
	databases = await DatabasePair.start(folder);
	server = await FaultyServer.start({ args: ['--no-feeds'], environment: { DATABASE_URL: databases.url } });
});
afterAll(async () => {
	await server?.dispose();
	await databases?.dispose();
	rmSync(folder, { recursive: true, force: true });
});

it('a synchronous standby takes over under load, and no acknowledged bet is lost or doubled', async () => {
	const market = await server.openMarket();
	const load = { over: false, bets: 0 };
	const streams = await Promise.all(
		Array.from({ length: PLAYERS }, async () => ({ token: await demoPlayer(server), ids: [] as string[] })),
	);
	const betting = streams.map(async ({ token, ids }) => {
		while (!load.over) {
			const betId = await placeForCertain(server, token, restingBet(market), RECOVERED_WITHIN_MS);
			if (betId === null) continue;
			ids.push(betId);
			load.bets++;
			await delay(PAUSE_MS);
		}
	});
	await expect.poll(() => load.bets, { timeout: RECOVERED_WITHIN_MS }).toBeGreaterThan(BETS_BEFORE);
	expect(await databases.follows()).toBe(true);
	await databases.failOver();
	const before = load.bets;
	await expect.poll(() => load.bets, { timeout: RECOVERED_WITHIN_MS }).toBeGreaterThan(before + PLAYERS);
	load.over = true;
	await Promise.all(betting);
	for (const { token, ids } of streams) expect((await openBetIds(server, token)).sort()).toEqual(ids.sort());
	expect(await server.failedAuditChecks()).toEqual([]);
});
