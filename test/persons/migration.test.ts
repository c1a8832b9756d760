/** A database that shared bars by whatever mobile an account had: each account keeps them, and operators see them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Persons } from '#server/people/persons/persons.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

const MIGRATION = '0600-persons.sql';
const LATER = 4_000_000_000_000;

let database: FreshDatabase;
/** Accounts of the old database by their names. */
const IDS = {
	skipping: 101,
	coded: 102,
	byDocument: 103,
	alone: 104,
	codedPair: 105,
	otherCoded: 106,
	root: 107,
	child: 108,
	grandchild: 109,
	skippedOnce: 110,
};

beforeAll(async () => {
	database = await freshDatabase();
	const { db } = database;
	await db.query('drop schema public cascade; create schema public');
	const names = await readdir(join(import.meta.dirname, '..', '..', 'db', 'migrations'));
	await migrate(db, new Set(names.filter((name) => name < MIGRATION)));
	await db.query(`insert into brand (host, setting) values ('skip.test', '{"skipVerification": true}'), ('code.test', '{}'),
	  ('once.test', '{"skipVerification": false}')`);
	await db.query(
		`insert into journal (seq, at, actor, act, subject, details, outcome)
		 values (1, 1, 'x', 'domain-set', 'domain once.test', '{"field": "skipVerification", "value": "true"}', 'done')`,
	);
	const add = async (name: keyof typeof IDS, brand: string, mobile: string | null) => {
		await db.query(
			`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at, mobile)
			 values ($1, $2, $3, $3, false, 'PLAY', 7, $4)`,
			[IDS[name], brand, name.toLowerCase(), mobile],
		);
	};
	const protect = (name: keyof typeof IDS, changes: object) =>
		db.query('insert into player_protection values ($1, $2)', [
			IDS[name],
			{
				limits: {},
				raises: {},
				timeOutUntilMs: null,
				excludedUntilMs: null,
				closedAtMs: null,
				frozen: null,
				...changes,
			},
		]);
	await add('skipping', 'skip.test', '+911');
	await add('coded', 'code.test', '+911');
	await add('byDocument', 'code.test', '+912');
	await add('alone', 'skip.test', '+913');
	await add('codedPair', 'code.test', '+914');
	await add('otherCoded', 'code.test', '+914');
	await add('root', 'code.test', null);
	await add('child', 'code.test', null);
	await add('grandchild', 'code.test', null);
	await add('skippedOnce', 'once.test', '+915');
	await db.query('insert into player_identity values ($1, $3), ($2, $3)', [IDS.coded, IDS.byDocument, 'a document']);
	await protect('skipping', { limits: { stake: 500, lossDay: null }, timeOutUntilMs: LATER });
	await protect('coded', { limits: { stake: 900, depositDay: 700 }, closedAtMs: 5 });
	await protect('codedPair', { limits: { stake: 100 } });
	await db.query('insert into exclusion values ($1, $2)', ['+911', LATER + 1]);
	for (const [id, inviter, invited] of [
		[1, IDS.root, IDS.child],
		[2, IDS.child, IDS.grandchild],
	] as const) {
		await db.query(
			`insert into workflow (kind, id, wallet_id, pool, state, step, postings, is_open, opened_at, at, data)
			 values ('REFERRAL', $1, $2, 'PLAY', 'LINKED', 1, 0, true, 1, 1, '{}')`,
			[id, inviter],
		);
		await db.query(`insert into workflow_claim values ($1, 'REFERRAL', $2)`, [`referral:${invited}`, id]);
	}
	await migrate(db);
});
afterAll(() => database.drop());

const records = async () => {
	const { rows } = await database.db.query<{ id: number; record: Record<string, unknown> }>(
		'select player_id as id, record from player_protection',
	);
	return new Map(rows.map(({ id, record }) => [id, record]));
};

it('a mobile is proven where every registration of the brand asked for a code', async () => {
	const { rows } = await database.db.query<{ id: number }>(
		'select player_id as id from player where mobile_verified_at is not null order by player_id',
	);
	expect(rows.map(({ id }) => id)).toEqual([IDS.coded, IDS.byDocument, IDS.codedPair, IDS.otherCoded]);
});

it('what a mobile that nobody proved connected is kept by each account, and none is lost', async () => {
	const kept = await records();
	for (const id of [IDS.skipping, IDS.coded, IDS.byDocument])
		expect(kept.get(id)).toMatchObject({
			limits: { stake: 500, depositDay: 700 },
			timeOutUntilMs: LATER,
			excludedUntilMs: LATER + 1,
		});
	// What was an account's own stays its own.
	expect([kept.get(IDS.coded)?.['closedAtMs'], kept.get(IDS.skipping)?.['closedAtMs']]).toEqual([5, null]);
	expect((kept.get(IDS.skipping)?.['limits'] as object) ?? {}).toHaveProperty('lossDay', null);
});

it('accounts of a proven mobile share as before, by their person and not by copies', async () => {
	expect((await records()).has(IDS.otherCoded)).toBe(false);
	const persons = new Persons(database.db, new Journal({ db: database.db, ledgerKey: LEDGER_KEY, epoch: 0 }));
	await persons.load();
	expect(persons.accounts(IDS.otherCoded)).toEqual([IDS.codedPair, IDS.otherCoded]);
	expect(persons.accounts(IDS.coded)).toEqual([IDS.coded, IDS.byDocument]);
	expect([persons.accounts(IDS.skipping), persons.above(IDS.skipping)]).toEqual([
		[IDS.skipping],
		[IDS.coded, IDS.byDocument],
	]);
});

it('operators find each account that keeps something, with what it held itself', async () => {
	const { rows } = await database.db.query<{ id: number; others: number[]; before: { limits: object } | null }>(
		'select player_id as id, others, before from bar_on_hint order by player_id',
	);
	expect(rows.map(({ id, others }) => [id, others.map(Number)])).toEqual([
		[IDS.skipping, [IDS.coded, IDS.byDocument]],
		[IDS.coded, [IDS.skipping, IDS.byDocument]],
		[IDS.byDocument, [IDS.skipping, IDS.coded]],
	]);
	expect(rows.map(({ before }) => before?.limits ?? null)).toEqual([
		{ stake: 500, lossDay: null },
		{ stake: 900, depositDay: 700 },
		null,
	]);
});

it('whole invitation trees have one root', async () => {
	const { rows } = await database.db.query<{ id: number; by: number | null; root: number | null }>(
		`select player_id as id, invited_by as by, invitation_root as root from player where player_id >= $1 order by 1`,
		[IDS.root],
	);
	expect(rows).toEqual([
		{ id: IDS.root, by: null, root: null },
		{ id: IDS.child, by: IDS.root, root: IDS.root },
		{ id: IDS.grandchild, by: IDS.child, root: IDS.root },
		{ id: IDS.skippedOnce, by: null, root: null },
	]);
});
