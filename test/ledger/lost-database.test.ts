/**
 * A database host that falls away without a word, as a machine does that loses its power: connections stay open and nothing
 * comes over them. A new connection reaches the database that took its place.
 */
import type pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { APPLICATION_NAME, connect } from '#server/platform/postgres/connect.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { within } from '#server/platform/postgres/limited-queries.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { openReadOnly } from '#server/process/open-database.ts';
import { DatabaseGate } from '../faults/support/database-gate.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';

const SHORT_MS = 200;
const MOST = 4;
const silent = pino({ level: 'silent' });

async function openGate() {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const gate = await DatabaseGate.open(database.url);
	onTestFinished(() => gate.close());
	return { gate, database };
}

function connectTo({ url }: DatabaseGate, options: pg.PoolConfig = {}): pg.Pool {
	const db = connect(url, options);
	onTestFinished(() => db.end());
	return db;
}

/** The connections of a process that serves, as its start opens them. */
async function serving({ url }: DatabaseGate) {
	const started = new AsyncDisposableStack();
	onTestFinished(() => started.disposeAsync());
	const { database, allowWrites } = openReadOnly({ databaseUrl: url, most: MOST }, started);
	await allowWrites();
	return { db: database.db, ledger: database.ledger };
}

/** Opens all connections of a pool. */
async function fill(db: pg.Pool): Promise<void> {
	const clients = await Promise.all(Array.from({ length: MOST }, () => db.connect()));
	for (const client of clients) client.release();
}

it('closes the connection of a statement that was given up, and sends the next one over another', async () => {
	const { gate } = await openGate();
	const db = connectTo(gate, { max: 1 });
	await db.query('select 1');
	gate.fallSilent();
	await expect(within(db, SHORT_MS).query('select 1')).rejects.toThrow('timeout');
	expect(db.totalCount).toBe(0);
	expect((await db.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

it('gives up a transaction with its statement, whose connection nobody gets', async () => {
	const { gate, database } = await openGate();
	await database.db.query('create table kept (number int)');
	const db = connectTo(gate, { max: 1 });
	const given = inTransaction(db, async (client) => {
		await client.query('insert into kept values (1)');
		gate.fallSilent();
		await within(client, SHORT_MS).query('insert into kept values (2)');
	});
	await expect(given).rejects.toThrow('timeout');
	expect((await db.query('select count(*)::int as count from kept')).rows).toEqual([{ count: 0 }]);
});

it('gives up a change whose fence is not answered with its connection, over which nothing more is sent', async () => {
	const { gate, database } = await openGate();
	const journalOver = (db: pg.Pool) => new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 1 });
	await journalOver(database.db).open();
	const db = connectTo(gate, { max: 1, query_timeout: 3_000 });
	let asked: { mock: { calls: readonly unknown[][] } } | undefined;
	const changed = journalOver(db).change(async (client) => {
		asked = vi.spyOn(client, 'query');
		gate.fallSilent();
		return { result: undefined, act: { actor: 'server', address: null, act: 'a-test', subject: 'journal' } };
	});
	await expect(changed).rejects.toMatchObject({ code: 'DRAINING' });
	expect(asked?.mock.calls.flat().filter((query) => query === 'rollback')).toEqual([]);
	expect(db.totalCount).toBe(0);
});

it('a process that serves looks a request up over another connection', {
	tags: 'thorough',
	timeout: 60_000,
}, async () => {
	const { gate } = await openGate();
	const connections = await serving(gate);
	const exchange = await openExchange({ ...connections, log: silent, ledgerKey: LEDGER_KEY, onCommitted: () => {} });
	onTestFinished(() => exchange.drain());
	await exchange.submit({ kind: 'open-wallet', walletId: 1, pool: 'PLAY' });
	await fill(connections.db);
	gate.fallSilent();
	expect(await exchange.earlier({ walletId: 1, clientRequestId: 'new', body: '{}' })).toBeNull();
});

it('a standby takes over from an exchange that fell away with the database', {
	tags: 'thorough',
	timeout: 60_000,
}, async () => {
	const { gate, database } = await openGate();
	const exchange = await openExchange({
		db: database.db,
		log: silent,
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		onCommitted: () => {},
	});
	await exchange.submit({ kind: 'open-wallet', walletId: 1, pool: 'PLAY' });
	const { db } = await serving(gate);
	const standby = new Standby({
		db,
		log: silent,
		sealer: new LedgerSealer(LEDGER_KEY),
		silenceMs: 300,
		goneMs: 60,
	});
	const ended = standby.run();
	onTestFinished(() => standby.stop());
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	await fill(db);
	gate.fallSilent();
	await database.db.query(`create function keep() returns trigger language plpgsql as $$ begin new.released := false; return new; end $$;
		create trigger keep before update on lease for each row execute function keep()`);
	await exchange.drain();
	expect((await ended)?.views.wallet(1)).toMatchObject({ pool: 'PLAY' });
});

it('a standby that took the lease and lost the answer goes on with it', async () => {
	const { gate, database } = await openGate();
	const { db } = database;
	const exchange = await openExchange({
		db,
		log: silent,
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		onCommitted: () => {},
	});
	const own = connectTo(gate);
	let lost = 0;
	const losing = {
		query: async (query: pg.QueryConfig | string, values?: unknown[]) => {
			const answer = await own.query(query as pg.QueryConfig, values);
			const text = typeof query === 'string' ? query : query.text;
			if (!text.startsWith('update lease') || answer.rowCount !== 1) return answer;
			lost++;
			throw new Error('Query read timeout');
		},
		connect: () => own.connect(),
	};
	const standby = new Standby({
		db: losing as unknown as pg.Pool,
		log: silent,
		sealer: new LedgerSealer(LEDGER_KEY),
		silenceMs: 60_000,
		goneMs: 60_000,
	});
	const ended = standby.run();
	onTestFinished(() => standby.stop());
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	await exchange.drain();
	const taken = await ended;
	expect(lost).toBe(1);
	const { rows } = await db.query('select epoch, holder from lease');
	expect(rows).toEqual([{ epoch: taken?.epoch, holder: APPLICATION_NAME }]);
});

it('a standby whose take was lost asks for the lease no longer when the exchange has gone on', async () => {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const { db } = database;
	const exchange = await openExchange({
		db,
		log: silent,
		ledgerKey: LEDGER_KEY,
		commandRows: true,
		onCommitted: () => {},
	});
	onTestFinished(() => exchange.drain());
	let seemsReleased = false;
	let lost = 0;
	let asked = 0;
	const losing = {
		query: async (query: pg.QueryConfig | string, values?: unknown[]) => {
			const { text, name = '' } = typeof query === 'string' ? { text: query } : query;
			if (text.startsWith('update lease')) {
				seemsReleased = false;
				lost++;
				throw new Error('Query read timeout');
			}
			if (text.startsWith('select *')) asked++;
			const answer = await db.query(query as pg.QueryConfig, values);
			if (seemsReleased && name === 'lease-position') answer.rows[0].released = true;
			return answer;
		},
		connect: () => db.connect(),
	};
	const standby = new Standby({
		db: losing as unknown as pg.Pool,
		log: silent,
		sealer: new LedgerSealer(LEDGER_KEY),
		silenceMs: 60_000,
		goneMs: 60_000,
	});
	const ended = standby.run();
	onTestFinished(async () => {
		standby.stop();
		await ended;
	});
	const batch = () => standby.position?.batch ?? 0;
	const comesTo = (least: number) => expect.poll(batch, { timeout: 30_000 }).toBeGreaterThanOrEqual(least);
	await comesTo(1);
	seemsReleased = true;
	await expect.poll(() => lost, { timeout: 30_000 }).toBe(1);
	await comesTo(batch() + 5);
	const askedBefore = asked;
	await comesTo(batch() + 10);
	expect({ lost, asked }).toEqual({ lost: 1, asked: askedBefore });
	expect(askedBefore).toBeGreaterThan(0);
});

it('a process that takes over writes over every connection of its rehearsal, also one that was in use or being opened', async () => {
	const { database, gate } = await openGate();
	const started = new AsyncDisposableStack();
	onTestFinished(() => started.disposeAsync());
	const stage = openReadOnly({ databaseUrl: gate.url, most: MOST }, started);
	const { db } = stage.database;
	const used = await db.connect();
	const opened = db.connect();
	await stage.allowWrites();
	used.release();
	(await opened).release();
	const writes = Array.from({ length: MOST }, () => db.query('update lease set heir = null'));
	expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(writes.map(() => 'fulfilled'));
	expect((await database.db.query('select heir from lease')).rows).toEqual([{ heir: null }]);
});

it('a batch is given up at its deadline when the connection that replaces a broken one is not answered', async () => {
	const { gate, database } = await openGate();
	const stopped = Promise.withResolvers<string>();
	const write = (line: string) => {
		const { msg, err } = JSON.parse(line);
		if (msg === 'the exchange stopped taking commands') stopped.resolve(err.message);
	};
	const exchange = await openExchange({
		db: database.db,
		ledger: connectTo(gate),
		log: pino({ level: 'error' }, { write }),
		ledgerKey: LEDGER_KEY,
		onCommitted: () => {},
	});
	onTestFinished(() => exchange.drain());
	const open = (walletId: number) =>
		codeOf(
			exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' }, undefined, {
				untilMs: performance.now() + 1_200,
			}),
		);
	expect(await open(1)).toBe('done');
	gate.cut();
	gate.mend();
	gate.fallMute();
	expect(await open(2)).toBe('OUTCOME_UNKNOWN');
	expect(await stopped.promise).toMatch(/was not written by its deadline/);
	gate.cut();
	gate.mend();
	await expect.poll(() => open(3), { timeout: 30_000 }).toBe('done');
});
