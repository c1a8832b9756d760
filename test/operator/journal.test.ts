/** The journal of operators' acts and of accounts, and how the audit finds later changes. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { journalHolds, keptRowsAreWritten, playersAreWritten } from '../../tools/audit-journal.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { freshDatabase } from '../support/database.ts';
import { openTestMatch } from '../support/match.ts';
import { TestServer, TOKEN_KEY } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Passw0rd!';
let server: TestServer;
let now = Date.now();
beforeAll(async () => {
	server = await TestServer.start();
	await act('create-player', { userName: 'asha', password: PASSWORD });
	const { body } = await act('staff-add', { name: 'farah', roles: ['owner'] });
	const { initialPassword: password } = body.result as { initialPassword: string };
	await act('staff-role', { name: 'night shift', permissions: ['today.read'] });
	const farah = new ConsoleClient(server.url);
	await farah.result('log-in', { name: 'farah', password });
	const input = { name: 'day shift', permissions: ['today.read'] };
	await farah.result('propose', { act: 'staff-role', input, reason: 'days are long' });
});
afterAll(() => server.dispose());

/** An act as the command line sends it, with a name in the operator's own script. */
const act = (name: string, body: object, operator = 'आशा') =>
	server.send(`/operator/api/${name}`, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: {
			'Content-Type': 'application/json',
			Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}`,
			'X-Operator': encodeURIComponent(operator),
		},
	});
const logIn = (password = PASSWORD) =>
	server.result('authenticate', { userNameOrEmailAddress: 'asha', password, rememberClient: true });

async function latest(name: string): Promise<Record<string, unknown> | undefined> {
	const { rows } = await server.database.db.query(
		'select actor, address, subject, details, before, after, outcome, player_id from journal where act = $1 order by seq desc',
		[name],
	);
	return rows[0];
}

async function findings(keys = [ledgerKeyOf(TOKEN_KEY, undefined)], { db } = server.database) {
	const client = await db.connect();
	try {
		await client.query('begin transaction isolation level repeatable read read only');
		const found = [await journalHolds.run(client, sealKeys(keys)), await playersAreWritten.run(client, sealKeys(keys))];
		return found.map(({ wrong }) => wrong);
	} finally {
		await client.query('rollback');
		client.release();
	}
}

it('takes no act for an interrupted one while its row waits for its turn, or while it is being ended', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const journalOf = () => new Journal({ db: database.db, ledgerKey: ledgerKeyOf(TOKEN_KEY, undefined), epoch: 0 });
	const journal = journalOf();
	const about = { actor: 'asha', address: null, act: 'freeze', subject: 'player asha of localhost' };
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	const before = journal.change(async () => {
		await gate;
		return { result: null, act: { ...about, act: 'before' } };
	});
	const ending = journal.end(await journal.begin(about), { after: null });
	expect(await journal.unfinished()).toEqual([]);
	open();
	await Promise.all([before, ending]);
	await journalOf().begin(about);
	const next = journalOf();
	const [left, ...others] = await next.unfinished();
	expect([left?.act, others, await next.unfinished()]).toEqual(['freeze', [], []]);
	if (left) await next.end(left, { after: null, outcome: 'INTERRUPTED' });
});

it('answers a change whose connection its successor ended with DRAINING, and nothing is changed', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const journal = new Journal({ db: database.db, ledgerKey: ledgerKeyOf(TOKEN_KEY, undefined), epoch: 0 });
	const about = { actor: 'asha', address: null, act: 'freeze', subject: 'player asha of localhost' };
	const interrupted = journal.change(async (client) => {
		const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
		client.on('error', () => undefined);
		await database.db.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
		return { result: null, act: { ...about, subject: 'lost' } };
	});
	await expect(interrupted).rejects.toMatchObject({ code: 'DRAINING' });
	await journal.write({ ...about, subject: 'kept' });
	const { rows } = await database.db.query("select subject from journal where act = 'freeze'");
	expect(rows).toEqual([{ subject: 'kept' }]);
	expect(await findings([ledgerKeyOf(TOKEN_KEY, undefined)], database)).toEqual([null, null]);
});

it('takes nothing from a deposed process, whatever is on its way when its successor opens the journal', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const key = ledgerKeyOf(TOKEN_KEY, undefined);
	const written: string[] = [];
	const refusals: unknown[] = [];
	const write = (journal: Journal, subject: string) =>
		journal.write({ actor: 'asha', address: null, act: 'note', subject }).then(
			() => written.push(subject),
			(error: unknown) => refusals.push(error),
		);
	const journals: Journal[] = [];
	const writes: Promise<unknown>[] = [];
	const begin = (journal: Journal, act: string) =>
		journal.begin({ actor: 'asha', address: null, act, subject: 'market 1' }).then(
			({ actId }) => actId,
			(error: unknown) => void refusals.push(error),
		);
	for (let epoch = 1; epoch <= 5; epoch++) {
		const old = journals.at(-1);
		const racing = old ? Array.from({ length: 5 }, (_, at) => write(old, `on its way ${epoch}.${at}`)) : [];
		const begun = old ? Array.from({ length: 3 }, () => begin(old, 'freeze')) : [];
		// The successor opens the journal before the first of them is written, or behind one of them.
		await racing[epoch - 3];
		const next = new Journal({ db: database.db, ledgerKey: key, epoch });
		await next.open();
		// A note that the deposed process could still write is one that its successor finds.
		const found = new Set((await next.unfinished()).map(({ actId }) => actId));
		expect((await Promise.all(begun)).filter((actId) => actId !== undefined && !found.has(actId))).toEqual([]);
		if (old) expect(await begin(old, 'freeze')).toBeUndefined();
		writes.push(...racing, ...journals.map((journal) => write(journal, 'of a deposed process')));
		// Before the next successor opens the journal: what is on its way then may be refused.
		await write(next, `after ${epoch}`);
		journals.push(next);
	}
	await Promise.all(writes);
	for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'DRAINING' });
	const { rows } = await database.db.query<{ subject: string }>("select subject from journal where act = 'note'");
	expect(rows.map(({ subject }) => subject).sort()).toEqual(written.sort());
	expect(written).not.toContain('of a deposed process');
	expect(written.filter((subject) => subject.startsWith('after'))).toHaveLength(5);
	await expect(journals[0]?.open()).rejects.toThrow('took over');
	expect(await findings([key], database)).toEqual([null, null]);
});

describe('the journal', () => {
	it('records the actor, address, act and state of a domain before and after', async () => {
		await act('brand-set', { host: 'royal.localhost', field: 'description', value: 'One.' });
		await act('brand-set', { host: 'royal.localhost', field: 'description', value: 'Two.' });
		expect(await latest('brand-set')).toMatchObject({
			actor: 'आशा',
			address: '127.0.0.1',
			subject: 'domain royal.localhost',
			details: { host: 'royal.localhost', field: 'description', value: 'Two.' },
			before: { description: 'One.' },
			after: { description: 'Two.' },
			outcome: 'done',
		});
	});

	it('records the state of a player and a market', async () => {
		await act('add-money', { userName: 'asha', amount: 500, grantId: 8001 });
		await act('player-limits', { userName: 'asha', host: 'localhost', maxStake: 100 });
		expect(await latest('add-money')).toMatchObject({ before: { balance: 0 }, after: { balance: 500 } });
		expect(await latest('player-limits')).toMatchObject({
			subject: 'player asha of localhost',
			before: { limits: null },
			after: { limits: { maxStake: 10_000 } },
		});
		const { marketId } = await openTestMatch(server);
		await act('settle', { marketId, winners: ['India'] });
		expect(await latest('settle')).toMatchObject({
			subject: `market ${marketId}`,
			before: { status: 'OPEN', results: null },
			after: { status: 'SETTLED', results: ['WIN', 'LOSE'] },
		});
	});

	it('records refusals, and never a password', async () => {
		await act('create-player', { userName: 'asha', password: PASSWORD });
		const row = await latest('create-player');
		expect(row).toMatchObject({ details: { userName: 'asha', host: 'localhost' }, outcome: 'NAME_TAKEN' });
		expect(JSON.stringify(row)).not.toContain(PASSWORD);
	});

	it('records an operator without a valid name as unnamed', async () => {
		await server.act('brand-set', { host: 'royal.localhost', field: 'kabaddi', value: 'true' });
		expect(await latest('brand-set')).toMatchObject({ actor: 'unnamed' });
		await act('brand-set', { host: 'royal.localhost', field: 'kabaddi', value: 'true' }, '<b>boss</b>');
		expect(await latest('brand-set')).toMatchObject({ actor: 'unnamed' });
	});

	it('has a row for a changed password and for a token that was used twice', async () => {
		const { accessToken, refreshToken, user } = await logIn();
		const newPassword = 'An0ther-Passw0rd!';
		await server.result(
			'changePassword',
			{ currentPassword: PASSWORD, newPassword, confirmPassword: newPassword } as never,
			accessToken,
		);
		const subject = `player ${user.userId}`;
		expect(await latest('PASSWORD_CHANGED')).toMatchObject({
			actor: 'player',
			address: '127.0.0.1',
			subject,
			player_id: Number(user.userId),
		});
		const { refreshToken: second } = await server.result('refreshToken', { refreshToken });
		await server.result('refreshToken', { refreshToken: second });
		// Two generations old: outside the grace that a second tab has.
		expect((await server.call('refreshToken', { refreshToken })).status).toBe(401);
		expect(await latest('TOKEN_REUSED')).toMatchObject({ actor: 'player', address: '127.0.0.1', subject });
	});

	it('keeps its order through parallel acts and a restart', async () => {
		await Promise.all([
			...Array.from({ length: 10 }, () => server.demoPlayer()),
			...Array.from({ length: 10 }, () =>
				act('brand-set', { host: 'dune.localhost', field: 'description', value: `${now++}` }),
			),
		]);
		await server.stop();
		server = await TestServer.start(server.database);
		await server.demoPlayer();
		expect(await findings()).toEqual([null, null]);
	});
});

describe('the audit of the journal', () => {
	it.each([
		['an act', `update journal set actor = 'another' where seq = 3`, { table: 'journal', seq: 3, is: 'edited' }],
		['how it stood before', `update journal set before = '{"balance": 7}' where seq = 3`, { seq: 3, is: 'edited' }],
		['an act that is gone', 'delete from journal where seq = 4', { table: 'journal', seq: 4, is: 'missing' }],
	])('names %s', async (_, tampering, wrong) => {
		const { db } = server.database;
		await db.query('create table kept_journal as table journal');
		await db.query(tampering);
		const [found] = await findings();
		await db.query('delete from journal');
		await db.query('insert into journal table kept_journal');
		await db.query('drop table kept_journal');
		expect(found).toMatchObject(wrong);
	});

	it.each([
		['whose password was replaced', `update player set password_hash = 'x' where user_name = 'asha'`, 'edited'],
		['whose name was replaced', `update player set user_name = 'Asha' where user_name = 'asha'`, 'edited'],
		[
			'that was put in',
			`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at)
			 values (999999, 'localhost', 'nobody', 'nobody', false, 'PLAY', 0)`,
			'added',
		],
	])('names a player %s', async (_, tampering, is) => {
		const { db } = server.database;
		await db.query('create table kept_player as table player');
		await db.query(tampering);
		const [, found] = await findings();
		await db.query('delete from player where player_id not in (select player_id from kept_player)');
		await db.query(
			`update player set password_hash = kept.password_hash, user_name = kept.user_name
			 from kept_player as kept where kept.player_id = player.player_id`,
		);
		await db.query('drop table kept_player');
		expect(found).toMatchObject({ table: 'player', is });
		expect(await findings()).toEqual([null, null]);
	});

	it.each([
		['a member of staff', `update staff set roles = '{auditor,owner}'`, { table: 'staff', is: 'edited' }],
		['a member’s password', `update staff set password_hash = 'x'`, { table: 'staff', is: 'edited' }],
		['a role', `update staff_role set permissions = '{staff.edit}'`, { table: 'staff_role', is: 'edited' }],
		['a role that was put in', `insert into staff_role values ('ghost', '{staff.edit}')`, { is: 'added' }],
		['a role that is gone', 'delete from staff_role', { table: 'staff_role', is: 'missing' }],
		['a proposal', `update proposal set state = 'WITHDRAWN'`, { table: 'proposal', is: 'edited' }],
	])('names %s that was changed by other means', async (_, tampering, wrong) => {
		const { db } = server.database;
		const client = await db.connect();
		try {
			await client.query('begin');
			const keys = sealKeys([ledgerKeyOf(TOKEN_KEY, undefined)]);
			expect((await keptRowsAreWritten.run(client, keys)).wrong).toBe(null);
			await client.query(tampering);
			expect((await keptRowsAreWritten.run(client, keys)).wrong).toMatchObject(wrong);
		} finally {
			await client.query('rollback');
			client.release();
		}
	});

	it('has the row of an act that a kill interrupted, from the next start', async () => {
		const { db } = server.database;
		await server.stop();
		await db.query(
			`insert into act_under_way (act_id, at, actor, act, subject, details)
			 values (gen_random_uuid(), 1, 'asha', 'brand-set', 'domain dune.localhost', '{"host": "dune.localhost"}')`,
		);
		server = await TestServer.start(server.database);
		expect(await latest('brand-set')).toMatchObject({ actor: 'asha', outcome: 'INTERRUPTED' });
		expect((await db.query('select from act_under_way')).rowCount).toBe(0);
	});

	it('has the row of an act whose end the database refused, from the next act', async () => {
		const { db } = server.database;
		await db.query(`alter table journal add constraint no_more check (act <> 'brand-set') not valid`);
		const change = { host: 'dune.localhost', field: 'description' };
		expect((await act('brand-set', { ...change, value: 'Unwritten.' })).status).toBe(500);
		await db.query('alter table journal drop constraint no_more');
		await act('brand-set', { host: 'royal.localhost', field: 'description', value: 'Next.' });
		const { rows } = await db.query(
			`select details ->> 'value' as value, outcome from journal where act = 'brand-set' order by seq desc limit 2`,
		);
		expect(rows).toEqual([
			{ value: 'Next.', outcome: 'done' },
			{ value: 'Unwritten.', outcome: 'INTERRUPTED' },
		]);
		expect(await findings()).toEqual([null, null]);
	});

	it('accepts acts and players that are older than the chain', async () => {
		const { db } = server.database;
		await server.stop();
		await db.query('update journal set chain = null, key_id = null, player_id = null, player_hash = null');
		server = await TestServer.start(server.database);
		await server.demoPlayer();
		expect(await findings()).toEqual([null, null]);
		expect((await findings(['a key that never was']))[0]).toMatchObject({ is: 'sealed with a key that was not given' });
	});
});
