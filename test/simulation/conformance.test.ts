/**
 * The double of the simulation and PostgreSQL: a day of betting, recoveries and a standby, each statement of which both
 * answer alike, and what they do when two connections want the lease.
 */
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { join } from '#server/exchange/standby/command-stream.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { Day } from '../crashes/day.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { ComparedDatabase } from './compared-database.ts';
import { DatabaseDouble, type Session } from './database/double.ts';
import { parsedOf } from './database/statements.ts';
import { tableDefinitions } from './database/tables.ts';
import { SeededNumbers } from './seeded-numbers.ts';
import { SimulatedTime } from './simulated-time.ts';

const log = pino({ level: 'silent' });
const STEPS = 60;
const POSTING = `insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
	wallet_id, cash_after, market_id) values (1, 0, 0, 'GRANT', 1, 0, 'PLAY', 'mint', 0, 'cash', 1001, 0, 1001, 0, 0)`;

async function compared(): Promise<{ database: FreshDatabase; both: ComparedDatabase }> {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	// A ledger whose rows are sealed from the beginning.
	await database.db.query('update lease set sealed_from = batch, sealed_chain = chain');
	const both = new ComparedDatabase(database.db);
	await both.begin();
	return { database, both };
}

it('answers every statement of an exchange and its standby as PostgreSQL does', async () => {
	const { database, both } = await compared();
	const pool = both.asPool();
	const options = { db: pool, ledger: pool, log, ledgerKey: LEDGER_KEY, commandRows: true, onCommitted: () => {} };
	const day = new Day(1, database, 0, options);
	await day.open();
	// The snapshot of the standby has markets that are over.
	while ((await database.db.query('select from market_state where is_over')).rowCount === 0) await day.step();
	const standby = new Standby({
		db: pool,
		log,
		sealer: new LedgerSealer(LEDGER_KEY),
		silenceMs: 60_000,
		goneMs: 30_000,
	});
	const ended = standby.run();
	for (let step = 0; step < STEPS; step++) await day.step();
	await expect.poll(() => standby.position).not.toBeNull();
	for (let step = 0; step < STEPS; step++) await day.step();
	await day.exchange?.drain();
	const recovered = (await ended) ?? expect.unreachable();
	day.exchange = await openExchange({ ...options, recovered });
	for (let step = 0; step < STEPS; step++) await day.step();
	await day.exchange.drain();
	// A start reads what the takeover knew.
	const again = await openExchange(options);
	await again.drain();
	expect(both.differences.slice(0, 3)).toEqual([]);
	const names = tableDefinitions().map(({ name }) => name);
	await both.compareTables(names);
	// What the product sends, and not a few of its statements alone.
	expect(both.compared.size).toBeGreaterThan(30);
});

/** What the double answers in simulated time. */
function doubled() {
	const numbers = new SeededNumbers(1);
	const time = new SimulatedTime(numbers);
	const double = new DatabaseDouble(time, numbers, '');
	double.fill('lease', {
		id: 1,
		epoch: 1,
		batch: 1,
		chain: Buffer.alloc(1),
		digest: '',
		last_bet_id: 0,
		last_reservation: 0,
		last_command: 0,
	});
	const open = () => double.open('a process', () => {}) ?? expect.unreachable();
	const run = (session: Session, text: string) => {
		const answered = Promise.withResolvers<number | string>();
		double.run(session, { parsed: parsedOf(text), parameters: [] }, (outcome) =>
			answered.resolve('error' in outcome ? outcome.error.code : outcome.answer.rowCount),
		);
		return answered.promise;
	};
	return { time, double, open, run };
}

const RAISE = 'update lease set batch = 2 where id = 1 and batch = 1';
const SEEN = `update lease set heir = 'another' where id = 1 and batch = 1`;

it.each([
	['is committed', 0],
	['is rolled back', 1],
] as const)('lets an update of the lease wait for another one, and looks again when that %s', async (how, rowCount) => {
	const { database } = await compared();
	await database.db.query('update lease set batch = 1');
	const first = await database.db.connect();
	await first.query('begin');
	await first.query(RAISE);
	const waiting = database.db.query(SEEN);
	const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query = $1`;
	await expect.poll(async () => (await database.db.query(waits, [SEEN])).rowCount).toBe(1);
	await first.query(how === 'is committed' ? 'commit' : 'rollback');
	first.release();
	expect((await waiting).rowCount).toBe(rowCount);

	const { time, double, open, run } = doubled();
	const session = open();
	void run(session, RAISE);
	const answer = run(open(), SEEN);
	if (how === 'is rolled back') double.terminate(session, new Error('ended'));
	await time.runUntil(1_000);
	expect(await answer).toBe(rowCount);
});

it('goes on with a statement whose connection was closed', async () => {
	const { time, double, open, run } = doubled();
	const session = open();
	void run(session, RAISE);
	double.close(session);
	await time.runUntil(1_000);
	expect(await run(open(), SEEN)).toBe(0);
	expect([...double.sessions()]).not.toContain(session);
});

it.each([
	['a key that is there', `insert into follower (name) values ('one')`, '23505'],
	['an amount of zero', POSTING, '23514'],
	['a missing value', 'insert into follower (mark) values (null)', '23502'],
])('refuses %s with the code of PostgreSQL', async (_, text, code) => {
	const { database } = await compared();
	const { time, open, run } = doubled();
	const prepare = `insert into follower (name) values ('one')`;
	await database.db.query(prepare);
	const prepared = run(open(), prepare);
	await time.runUntil(1_000);
	expect(await prepared).toBe(1);
	await expect(database.db.query(text)).rejects.toMatchObject({ code });
	expect(await run(open(), text)).toBe(code);
});

it('knows no snapshot whose transaction has ended', async () => {
	const { database } = await compared();
	const exporting = await database.db.connect();
	await exporting.query('begin isolation level repeatable read');
	const { rows } = await exporting.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
	await exporting.query('commit');
	exporting.release();
	const invited = { snapshot: rows[0]?.snapshot ?? '', markets: [] };
	expect(await join(database.db, invited)).toBeNull();
	const { open, run } = doubled();
	const session = open();
	await run(session, 'begin');
	expect(await run(session, `set transaction snapshot 'gone'`)).toBe('42704');
});
