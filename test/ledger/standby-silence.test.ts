/**
 * How long a standby waits before it takes the lease of an exchange that is silent: by its signs of life, what is left of its
 * connections, and whether the standby follows it or still joins.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { describe, it } from 'vitest';
import { FRESH_MS } from '#server/exchange/ledger/committer.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { LifeSigns } from '#server/exchange/standby/life-signs.ts';
import { Pulse } from '#server/exchange/standby/pulse.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { APPLICATION_NAME, connect, SIGNS_SUFFIX } from '#server/platform/postgres/connect.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

const SILENCE_MS = 2_000;
const SHORT_MS = 300;
/** Long enough for any standby, if nothing spoke for the exchange. */
const LONG_MS = 12 * SHORT_MS;
const HOLDER = 'backlay 1 killed';
const ASKED_EVERY_MS = 20;
/** A standby looks a hundred times a second. */
const LOOKS_WITHIN_MS = 30_000;

/** What becomes of its connection; `cease`: it gave signs of life, and gives none any more. */
type Left = 'keep' | 'end' | 'hide' | 'lend' | 'cease';

/** A connection of the exchange that is about to fall silent. */
async function connectionOf({ url }: FreshDatabase, left: Left): Promise<pg.Client> {
	const name = { hide: 'a pooler', cease: `${HOLDER}${SIGNS_SUFFIX}` }[left as string] ?? HOLDER;
	const connection = new pg.Client({ connectionString: url, application_name: name });
	await connection.connect();
	return connection;
}

/** The exchange falls silent without giving the lease up. */
async function fallSilent({ db }: FreshDatabase, exchange: { drain(): Promise<void> }): Promise<void> {
	await db.query(`create function keep() returns trigger language plpgsql as $$ begin new.released := false; return new; end $$;
		create trigger keep before update on lease for each row execute function keep()`);
	await exchange.drain();
}

/** What a standby's log says, by when. */
function heard() {
	const takenOver = Promise.withResolvers<{ silentMs: number }>();
	const waits = Promise.withResolvers<void>();
	const follows = Promise.withResolvers<void>();
	const write = (line: string): void => {
		const said = JSON.parse(line);
		if ('silentMs' in said) takenOver.resolve(said);
		if (said.msg.includes('takes over only when')) waits.resolve();
		if (said.msg === 'the standby follows') follows.resolve();
	};
	const log = pino({ level: 'info' }, { write });
	return { log, takenOver: takenOver.promise, waits: waits.promise, follows: follows.promise };
}

const seenAt = async ({ db }: FreshDatabase): Promise<number> =>
	(await db.query<{ at: number }>('select extract(epoch from max(seen_at))::float8 * 1000 as at from follower')).rows[0]
		?.at ?? 0;

/** Resolves when the standby has looked at all. A question without a pause before the next one takes two cores. */
async function looks(database: FreshDatabase): Promise<number> {
	for (const untilMs = performance.now() + LOOKS_WITHIN_MS; performance.now() < untilMs; await delay(ASKED_EVERY_MS)) {
		const atMs = await seenAt(database);
		if (atMs > 0) return atMs;
	}
	throw new Error('The standby does not look.');
}

/** Resolves when the standby has looked for so long by the database's clock. */
async function looksFor(database: FreshDatabase, ms: number): Promise<void> {
	const from = await looks(database);
	const untilMs = performance.now() + ms + LOOKS_WITHIN_MS;
	while ((await seenAt(database)) - from < ms) {
		if (performance.now() > untilMs) throw new Error('The standby has ceased to look.');
		await delay(ASKED_EVERY_MS);
	}
}

async function open(opened: AsyncDisposableStack, silenceMs: number, log: pino.Logger) {
	const database = await freshDatabase();
	opened.defer(database.drop);
	const { db } = database;
	const exchange = await openExchange({
		db,
		log: pino({ level: 'silent' }),
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		onCommitted: () => {},
	});
	opened.defer(() => exchange.drain());
	// The test's own connections are none of the exchange's.
	await db.query('update lease set holder = $1', [HOLDER]);
	const patience = { silenceMs, goneMs: silenceMs / 2 };
	const standby = new Standby({ db, log, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
	const run = () => {
		const ended = standby.run();
		opened.defer(async () => {
			standby.stop();
			await ended.catch(() => undefined);
		});
		return ended;
	};
	return { database, exchange, run };
}

async function lose(connection: pg.Client, left: Left): Promise<void> {
	if (left === 'end') await connection.end();
	if (left === 'lend') await connection.query(`set application_name = 'another process'`);
}

// They wait at the same time.
describe.concurrent('a standby', () => {
	it.for([
		['half the silence when all connections of the exchange have ended', 'end', SILENCE_MS, 0.5],
		['the whole silence when the exchange gives no signs of life any more', 'cease', SILENCE_MS, 1],
		['ten times the silence when the exchange gave no signs of life', 'keep', SHORT_MS, 10],
		['ten times the silence when a pooler hides whose connections are whose', 'hide', SHORT_MS, 10],
		['ten times the silence when a pooler lends its connection to another process', 'lend', SHORT_MS, 10],
	] as const)('that follows takes over after %s', async ([, left, silenceMs, share], { expect }) => {
		await using opened = new AsyncDisposableStack();
		const { log, takenOver, follows } = heard();
		const { database, exchange, run } = await open(opened, silenceMs, log);
		const connection = await connectionOf(database, left);
		opened.defer(() => connection.end());
		const ended = run();
		await follows;
		await looksFor(database, SHORT_MS);
		await fallSilent(database, exchange);
		await lose(connection, left);
		const { silentMs } = await takenOver;
		expect(silentMs / silenceMs).toBeGreaterThanOrEqual(share);
		if (share < 1) expect(silentMs / silenceMs).toBeLessThan(1);
		const takenAtMs = performance.now();
		const { writesFromMs = 0 } = (await ended) ?? expect.unreachable();
		// What the exchange showed after its last batch may still count.
		if (left !== 'cease') expect(writesFromMs - FRESH_MS).toBeGreaterThan(takenAtMs - 2 * silentMs - SHORT_MS);
		expect(writesFromMs - FRESH_MS).toBeLessThan(takenAtMs);
		const { rows } = await database.db.query('select released, holder from lease');
		expect(rows).toEqual([{ released: false, holder: APPLICATION_NAME }]);
	});

	it('that follows waits as long as signs of life come, whatever the exchange does not write', async ({ expect }) => {
		await using opened = new AsyncDisposableStack();
		const { log, takenOver, follows } = heard();
		const { database, exchange, run } = await open(opened, SHORT_MS, log);
		const db = connect(database.url, { max: 1, application_name: `${HOLDER}${SIGNS_SUFFIX}` });
		opened.defer(() => db.end());
		const pulse = new Pulse();
		pulse.beat();
		const signs = new LifeSigns({ db, pulse });
		signs.start();
		opened.defer(() => signs.stop());
		void run();
		await follows;
		await fallSilent(database, exchange);
		await looksFor(database, LONG_MS);
		expect((await database.db.query('select holder from lease')).rows).toEqual([{ holder: HOLDER }]);
		// It says itself that it can write nothing.
		pulse.mute();
		expect((await takenOver).silentMs).toBeLessThan(LONG_MS);
	});

	it.for([
		['half the silence when all connections of the exchange have ended', 'end', SILENCE_MS, 0.5],
		['ten times the silence when no connection of the exchange was ever seen', 'hide', SHORT_MS, 10],
		['ten times the silence when the exchange gives no signs of life any more', 'cease', SHORT_MS, 10],
	] as const)('that joins takes over after %s', async ([, left, silenceMs, share], { expect }) => {
		await using opened = new AsyncDisposableStack();
		const { log, takenOver } = heard();
		const { database, exchange, run } = await open(opened, silenceMs, log);
		const connection = await connectionOf(database, left);
		opened.defer(() => connection.end());
		await fallSilent(database, exchange);
		const ended = run();
		// It looks at the connections before it asks to join.
		await looks(database);
		await lose(connection, left);
		expect((await takenOver).silentMs / silenceMs).toBeGreaterThanOrEqual(share);
		expect(await ended).not.toBeNull();
	});

	it.for(['keep', 'lend'] as const)(
		'that joins an exchange of an earlier version, whose connections live, never takes over: %s',
		{ tags: 'thorough' },
		async (left, { expect }) => {
			await using opened = new AsyncDisposableStack();
			const { log, waits } = heard();
			const { database, exchange, run } = await open(opened, SHORT_MS, log);
			const connection = await connectionOf(database, left);
			opened.defer(() => connection.end());
			await fallSilent(database, exchange);
			void run();
			await looks(database);
			await lose(connection, left);
			await waits;
			await looksFor(database, LONG_MS);
			expect((await database.db.query('select holder from lease')).rows).toEqual([{ holder: HOLDER }]);
		},
	);
});
