/**
 * The signs of life of an exchange: they come from a thread of their own, so that standbys, in another thread here, see them
 * while the exchange is in a turn that takes longer than any silence. And what a process that takes over waits for.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { recover } from '#server/exchange/recovery/recovery.ts';
import { LifeSignsThread } from '#server/exchange/standby/life-signs-thread.ts';
import { SIGNS_NAME } from '#server/platform/postgres/connect.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import type { Order, Said, ThreadOptions } from './standby-thread.ts';

const log = pino({ level: 'silent' });
const SILENCE_MS = 300;
/** Several times the silence. */
const LONG_TURN_MS = 1_000;
const LOOK_EVERY_MS = 20;
const EXCHANGE = { log, ledgerKey: LEDGER_KEY, commandRows: true, onCommitted: () => {} };

let database: FreshDatabase;
let stops: (() => unknown)[];
beforeEach(async () => {
	database = await freshDatabase();
	stops = [];
});
afterEach(async () => {
	for (const stop of stops.reverse()) await stop();
	await database.drop();
});

const openWallet = (walletId: number) => ({ kind: 'open-wallet', walletId, pool: 'PLAY' }) as const;

/** Nothing else happens in this thread meanwhile. */
function turn(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('come through a long turn, and end when the exchange can write no more', async () => {
	const { db, url } = database;
	const signs = new LifeSignsThread({ databaseUrl: url, log });
	stops.push(() => signs.stop());
	const exchange = await openExchange({ ...EXCHANGE, db, pulse: signs.pulse });
	stops.push(() => exchange.drain());
	const options: ThreadOptions = { url, ledgerKey: LEDGER_KEY, silenceMs: SILENCE_MS };
	const thread = new Worker(new URL('standby-thread.ts', import.meta.url), { workerData: options });
	stops.push(() => thread.terminate());
	const said: Said[] = [];
	thread.on('message', (message: Said) => said.push(message));
	// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
	thread.postMessage({ kind: 'join', standby: 1 } satisfies Order);
	await expect.poll(() => said.map(({ kind }) => kind), { timeout: 30_000 }).toEqual(['follows']);
	const given = `select from pg_stat_activity where application_name = $1 and state_change > backend_start`;
	await expect.poll(async () => (await db.query(given, [SIGNS_NAME])).rowCount).toBe(1);
	const epoch = exchange.epoch();
	for (let turns = 1; turns <= 2; turns++) {
		turn(LONG_TURN_MS);
		await exchange.submit(openWallet(1000 + turns));
	}
	expect((await db.query('select epoch from lease')).rows).toEqual([{ epoch }]);
	expect(said).toHaveLength(1);
	// A machine that stops keeps its connections, and neither writes nor gives signs.
	signs.pulse.mute();
	const taken = once(thread, 'message');
	turn(LONG_TURN_MS);
	expect((await taken)[0]).toMatchObject({ kind: 'failed', how: 'It took over.' });
});

it('let a process that takes over write only when nothing counts that the one before shows', async () => {
	const { db } = database;
	const sealer = new LedgerSealer(LEDGER_KEY);
	const waitMs = 400;
	const writesFromMs = performance.now() + waitMs;
	const exchange = await openExchange({ ...EXCHANGE, db, recovered: { ...(await recover(db, sealer)), writesFromMs } });
	stops.push(() => exchange.drain());
	const { batch } = (await db.query<{ batch: number }>('select batch from lease')).rows[0] ?? expect.unreachable();
	const written = exchange.submit(openWallet(1001));
	while (performance.now() < writesFromMs - waitMs / 4) {
		expect((await db.query('select batch from lease')).rows).toEqual([{ batch }]);
		await delay(LOOK_EVERY_MS);
	}
	await written;
	expect(performance.now()).toBeGreaterThanOrEqual(writesFromMs);
});
