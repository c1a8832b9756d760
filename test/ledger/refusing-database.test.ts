/** A database that refuses for a while, as with a full disk: the exchange recovers when it can, without hurry and by itself. */
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { Refused } from '#values/error-catalogue.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

const REFUSES_FOR_MS = 2_000;

let database: FreshDatabase;
let exchange: Exchange;
let lines = 0;
let stopped: Error | null = null;
beforeEach(async () => {
	database = await freshDatabase();
	lines = 0;
	stopped = null;
	exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		log: pino({ level: 'warn' }, { write: () => void lines++ }),
		onCommitted: () => {},
		onStopped: (error) => {
			stopped = error;
		},
	});
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

/** Every update of the lease's row fails, or only those that a batch makes; nothing of it is kept. */
async function refuse(code: string, when: 'always' | 'batches'): Promise<void> {
	await database.db.query(
		`create function refuse() returns trigger language plpgsql as $$ begin
		   raise exception 'no' using errcode = '${code}';
		 end $$`,
	);
	const condition = when === 'batches' ? 'when (new.batch > old.batch and new.epoch = old.epoch)' : '';
	await database.db.query(
		`create trigger refusing before update on lease for each row ${condition} execute function refuse()`,
	);
}

const accept = () => database.db.query('drop function refuse cascade');

const open = (walletId: number, withinMs: number): Promise<string> =>
	exchange
		.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' }, undefined, {
			untilMs: performance.now() + withinMs,
		})
		.then(
			() => 'done',
			(error: Refused) => error.code,
		);

const epoch = async (): Promise<number> =>
	(await database.db.query<{ epoch: number }>('select epoch from lease')).rows[0]?.epoch ?? 0;

it('a full disk closes the exchange, not the process, until there is room again', { tags: 'thorough' }, async () => {
	await refuse('53100', 'always');
	expect(await open(1, 2_000)).toBe('OUTCOME_UNKNOWN');
	await expect.poll(() => open(2, 5_000)).toBe('STARTING');
	await delay(REFUSES_FOR_MS);
	expect(stopped).toBeNull();
	// Few lines, however long it lasts: the attempts double, and so do the attempts between two lines.
	expect(lines).toBeLessThan(25);
	await accept();
	await expect.poll(() => open(3, 5_000), { timeout: 30_000 }).toBe('done');
	expect(exchange.wallet(1)).toBeNull();
	expect(stopped).toBeNull();
});

it('a database that refuses batches is retried with growing pauses', async () => {
	await refuse('P0001', 'batches');
	const before = await epoch();
	const epochs = new Set<number>();
	const untilMs = performance.now() + REFUSES_FOR_MS;
	const codes = new Set<string>();
	for (let walletId = 1; performance.now() < untilMs; walletId++) {
		codes.add(await open(walletId, 5_000));
		epochs.add(await epoch());
		await delay(5);
	}
	expect(codes).toEqual(new Set(['STARTING']));
	epochs.delete(before);
	// Pauses of at least 50, 100, 200, 400 and 800 ms.
	expect(epochs.size).toBeGreaterThan(0);
	expect(epochs.size).toBeLessThanOrEqual(6);
	await accept();
	await expect.poll(() => open(1, 5_000), { timeout: 30_000 }).toBe('done');
	expect(stopped).toBeNull();
});
