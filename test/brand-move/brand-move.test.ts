/** A brand moves to an empty server: what comes with it, what refuses it, and that a kill leaves it whole or not there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commitmentOf } from '#games/seeded-words.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { filePath } from '../../tools/brand-move/brand-folder.ts';
import { HOST, MOVED_IN_PART, MOVED_WHOLE, STAYING } from '../../tools/brand-move/moved-tables.ts';
import { readBrand } from '../../tools/brand-move/read-brand.ts';
import { serverKeys } from '../../tools/brand-move/server-keys.ts';
import { writeBrand } from '../../tools/brand-move/write-brand.ts';
import { PaymentDesk, QUIET_PAYMENTS } from '../funds/payment-desk.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { LEDGER_KEY, type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';

const KEYS = serverKeys({ TOKEN_KEY }, null);
const TOOL = 'tools/brand-move.ts';
const STEPS = 60;

type Person = Player & { userName: string };
type Records = Awaited<ReturnType<typeof records>>;

let server: TestServer;
let drop: () => Promise<void>;
let desk: PaymentDesk;
let players: Person[];
/** What each player read before the server stopped. */
let before: Records[];
let scratch: string;
/** The brand as it was exported beside the running server, and after its stop. */
let rehearsal: string;
let folder: string;

/** A new path in the scratch folder. */
let count = 0;
const newPath = (): string => join(scratch, `brand-${++count}`);

async function database(): Promise<FreshDatabase> {
	const made = await freshDatabase();
	onTestFinished(() => made.drop());
	return made;
}

async function write(to: string, from = server.database) {
	const client = await from.db.connect();
	try {
		return await writeBrand(client, 'localhost', to, KEYS);
	} finally {
		client.release(true);
	}
}

const take = (into: FreshDatabase, from = folder, keys = KEYS) => readBrand(into.db, from, keys);

/** What the player reads of the own account. */
async function records(at: TestServer, { userName }: Person) {
	const { accessToken } = await at.result('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD });
	const all = { maxResultCount: '200', skipCount: '0' };
	const { files } = await at.result('exportData', {}, accessToken);
	return {
		statement: await at.result('getTransactionHistory', all, accessToken),
		rounds: await at.result('getRounds', all, accessToken),
		inbox: await at.result('getInbox', all, accessToken),
		user: await at.result('getUserInfo', {}, accessToken),
		// Log-ins and the messages with their codes stay where they were.
		files: files.filter(({ name }) => !['logins.csv', 'open-logins.csv', 'messages.csv', 'mail.csv'].includes(name)),
	};
}

/** One act of chance: a bet, a round, a deposit, a withdrawal, a message. Some are refused. */
async function act(random: SeededNumbers, match: TestMatch): Promise<void> {
	const player = random.from(players);
	const { token } = player;
	const kind = random.below(10);
	if (kind < 5) {
		const side = random.from(['BACK', 'LAY'] as const);
		const bet = { side, price: random.from([1.5, 2, 2.02, 3.05]), stake: 100 + random.below(9_000) / 100 };
		await server.call('placeBetV2', betOn(match, bet), token);
	} else if (kind < 7) {
		const bets = [{ bet: 'under-5000', stake: 10 + random.below(90) }];
		await server.call('playRound', { game: 'dice', bets, clientRequestId: freshRequestId() }, token);
	} else if (kind < 8) {
		const { id } = await desk.receipt(player, desk.freshUtr(), 100 + random.below(900));
		await desk.decide('DEPOSIT', id, random.from(['approve', 'reject']));
	} else if (kind < 9) {
		const details = { method: 'UPI' as const, upiId: `p${player.userId}@bank` };
		const asked = { amount: 100 + random.below(300), details, clientRequestId: freshRequestId() };
		const { body } = await server.call('createWithdrawal', asked, token);
		if (body.result) await desk.decide('WITHDRAWAL', Number(body.result.id.replace('WITHDRAWAL-', '')), 'reject');
	} else {
		const asked = { kind: 'MESSAGE' as const, topic: 'A question', text: `Line\u2028two of ${random.below(99)}\n` };
		await server.result('openTicket', { ...asked, clientRequestId: freshRequestId() }, token);
	}
}

beforeAll(async () => {
	scratch = mkdtempSync(join(scratchFolder(), 'brand-move-'));
	const made = await freshDatabase();
	// The test’s own connections are not taken for those of the server in its process.
	const db = connect(made.url, { application_name: 'a test' });
	drop = async () => {
		await db.end();
		await made.drop();
	};
	server = await TestServer.start({ ...made, db }, { payments: QUIET_PAYMENTS });
	desk = new PaymentDesk(() => server);
	players = [];
	for (let at = 0; at < 3; at++) {
		const player = await signUp(server);
		await server.act('add-money', { userName: player.userName, host: 'localhost', amount: 20_000, grantId: at + 1 });
		await server.beginSeeds(player);
		players.push(player);
	}
	const random = new SeededNumbers(Number(process.env['SEED'] ?? 1));
	const matches = [await openTestMatch(server), await openTestMatch(server)];
	for (let step = 0; step < STEPS; step++) await act(random, random.from(matches));
	for (const match of matches) await match.settle(random.below(2));
	await server.act('brand-set', { host: 'localhost', field: 'funds.payeeName', value: 'Moves' });
	// JSON’s null is not SQL’s.
	await server.database.db.query(`insert into feed_progress values ('test', 'null', 'null')`);
	before = await Promise.all(players.map((player) => records(server, player)));
	rehearsal = newPath();
	await write(rehearsal);
	await server.stop();
	const mail = (about: string | null, isCode: boolean, state: string) =>
		server.database.db.query(
			`insert into mail (mail_id, at, brand, player_id, sender_name, recipient, kind, subject, text, about, is_code,
			   worth_until, state, next_at, ended_at)
			 values (gen_random_uuid(), 1, 'localhost', $1, '', 'p@mail.example', 'statement', '', $2, $3, $4, 9e15, $5, 9e15, $6)`,
			[players[0]?.userId, state === 'WAITING' ? 'Dear' : null, about, isCode, state, state === 'WAITING' ? null : 2],
		);
	await mail('withdrawal 7', false, 'SENT');
	await mail('statement 1 202601', false, 'WAITING');
	await mail(null, true, 'WAITING');
	folder = newPath();
	await write(folder);
});
afterAll(async () => {
	await drop();
	rmSync(scratch, { recursive: true, force: true });
});

it('every table of the schema moves whole, moves in part, or stays for a reason', async () => {
	const { rows } = await server.database.db.query<{ name: string }>(
		`select relname as name from pg_class
		 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
	);
	const listed = [...MOVED_WHOLE, ...Object.keys(MOVED_IN_PART), ...STAYING.flatMap(({ tables }) => tables)];
	expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).sort());
	expect(Object.values(MOVED_IN_PART).filter((condition) => !condition.includes(HOST))).toEqual([]);
});

describe('a brand on another server', () => {
	it('has every player’s records, proves its rounds, takes bets, and passes the audit before and after', async () => {
		const target = await database();
		await take(target);
		await expectSound(target.db);
		const moved = await TestServer.start(target, { payments: QUIET_PAYMENTS });
		try {
			expect(await Promise.all(players.map((player) => records(moved, player)))).toEqual(before);
			const counted = (of: 'statement' | 'rounds') => before.reduce((sum, all) => sum + all[of].totalCount, 0);
			expect([counted('statement') > 30, counted('rounds') > 3]).toEqual([true, true]);
			expect(moved.brand.setting.funds.payeeName).toBe('Moves');
			const [player] = players as [Person];
			expect((await moved.call('getUserInfo', {}, player.token)).status).toBe(401);
			const login = { userNameOrEmailAddress: player.userName, password: PASSWORD };
			const { accessToken: token } = await moved.result('authenticate', login);
			const { revealed } = await moved.beginSeeds({ token });
			expect(commitmentOf(revealed?.serverSeed ?? '')).toBe(revealed?.commitment);
			await moved.result('placeBetV2', betOn(await openTestMatch(moved), { side: 'BACK' }), token);
		} finally {
			await moved.stop();
		}
		await expectSound(target.db);
		const { rows } = await target.db.query<{ closed: string | null }>('select closed from public_log order by log');
		expect(rows.map(({ closed }) => closed !== null)).toEqual([true, false]);
	});

	it('has every cell of every row', async () => {
		const target = await database();
		await take(target);
		// The import ends the public log.
		for (const table of MOVED_WHOLE.filter((name) => name !== 'public_log')) {
			const sql = `select coalesce(array_agg(row::text order by row::text), '{}') as rows from ${table} as row`;
			const [there, here] = await Promise.all([server.database.db.query(sql), target.db.query(sql)]);
			expect([table, here.rows]).toEqual([table, there.rows]);
		}
	});

	it('has the notices by mail, told and waiting, so that none is told twice or never, and no code', async () => {
		const target = await database();
		await take(target);
		const { rows } = await target.db.query('select about, state from mail order by about');
		expect(rows).toEqual([
			{ about: 'statement 1 202601', state: 'WAITING' },
			{ about: 'withdrawal 7', state: 'SENT' },
		]);
	});

	it('keeps the settings of other brands and all log-ins where they are', async () => {
		const target = await database();
		await take(target);
		const { rows } = await target.db.query<{ host: string }>('select host from brand order by host');
		expect(rows.map(({ host }) => host)).toEqual(['default', 'localhost']);
		for (const table of STAYING.flatMap(({ tables }) => tables).filter(
			(name) => !/^(migration|readiness_probe)$/.test(name),
		))
			expect([table, (await target.db.query(`select from ${table}`)).rowCount]).toEqual([table, 0]);
	});
});

describe('the export', () => {
	it('says whether a server went on beside it', () => {
		const isRehearsal = (of: string) => JSON.parse(readFileSync(join(of, 'manifest.json'), 'utf8')).isRehearsal;
		expect([isRehearsal(rehearsal), isRehearsal(folder)]).toEqual([true, false]);
	});

	it('is refused with a list while another brand has players, and bets or withdrawals are open', async () => {
		const busy = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
		try {
			await signUpElsewhere(busy, '+919000012345');
			const player = await busy.playPlayer();
			const { marketId, ...match } = await openTestMatch(busy);
			await busy.result('placeBetV2', betOn({ marketId, ...match }, { side: 'BACK' }), player.token);
			const to = newPath();
			await expect(write(to, busy.database)).rejects.toThrow(
				[
					'localhost cannot move yet:',
					'127.0.0.1 has 1 players in this ledger.',
					`Market ${marketId}, Match Odds of India v Nepal, has 1 bets that are not decided.`,
				].join('\n'),
			);
			expect([existsSync(to), existsSync(`${to}.partial`)]).toEqual([false, false]);
		} finally {
			await busy.dispose();
		}
	});

	it('is refused for a host without a brand, and into a folder that exists', { tags: 'thorough' }, async () => {
		const environment = { ...process.env, TOKEN_KEY, DATABASE_URL: server.database.url };
		const run = (...args: string[]) => runTool(TOOL, ['export', ...args], environment);
		expect(await run('nobody.test', '--to', newPath())).toMatchObject({
			code: 1,
			stderr: 'nobody.test cannot move yet:\nThere is no brand nobody.test.\n',
		});
		expect(await run('localhost', '--to', folder)).toMatchObject({
			code: 1,
			stderr: `${folder} exists: name a new folder.\n`,
		});
	});
});

describe('the import', () => {
	it.each([
		[
			'a changed file',
			'is not the file that the manifest names',
			(copy: string) => writeFileSync(filePath(copy, 'bet'), ''),
		],
		[
			'a changed manifest',
			'No key of this server signed',
			(copy: string) => {
				const path = join(copy, 'manifest.json');
				writeFileSync(path, readFileSync(path, 'utf8').replace('"rows": ', '"rows": 1'));
			},
		],
	])('is refused for %s', async (_, words, change) => {
		const copy = newPath();
		await write(copy);
		change(copy);
		await expect(take(await database(), copy)).rejects.toThrow(words);
	});

	it('is refused without the keys of the server that the brand comes from', async () => {
		const keys = serverKeys({ TOKEN_KEY: 'another key for tests, never used', LEDGER_KEY }, null);
		await expect(take(await database(), folder, keys)).rejects.toThrow(/TOKEN_KEY .*, DATA_KEYS/);
	});

	it('is refused by a release with other tables, and by a database that a server used', {
		tags: 'thorough',
	}, async () => {
		const target = await database();
		await target.db.query(`update migration set checksum = 'another' where name like '0002%'`);
		await expect(take(target)).rejects.toThrow('0002-exchange.sql');
		await expect(take(server.database)).rejects.toThrow(/A server has used this database; it has rows in .*posting/);
	});
});

/** Runs the command, and kills it as soon as it waits for a table that the test has locked. */
async function killedAt(args: readonly string[], url: string, lock: string): Promise<void> {
	const holder = new pg.Client({ connectionString: url });
	await holder.connect();
	try {
		await holder.query(`begin; lock table ${lock}`);
		const child = spawn(process.execPath, [TOOL, ...args], {
			env: { ...process.env, TOKEN_KEY, DATABASE_URL: url },
			stdio: 'ignore',
		});
		const closed = once(child, 'close');
		const waits = `select count(*)::int as count from pg_locks where not granted
			and database = (select oid from pg_database where datname = current_database())`;
		await expect
			.poll(async () => (await holder.query<{ count: number }>(waits)).rows[0]?.count, { interval: 20 })
			.toBe(1);
		child.kill('SIGKILL');
		await closed;
	} finally {
		await holder.end();
	}
}

describe('kill -9', () => {
	it('in an export leaves no folder, and the next one writes it', { tags: 'thorough' }, async () => {
		const [to, { url }] = [newPath(), server.database];
		await killedAt(['export', 'localhost', '--to', to], url, 'workflow_step in access exclusive mode');
		expect(existsSync(to)).toBe(false);
		const { code, stdout } = await runTool(TOOL, ['export', 'localhost', '--to', to], {
			...process.env,
			TOKEN_KEY,
			DATABASE_URL: url,
		});
		expect([code, JSON.parse(stdout)]).toMatchObject([0, { exported: 'localhost', isRehearsal: false }]);
	});

	it('in an import leaves the database empty, and the next one takes the brand in', { tags: 'thorough' }, async () => {
		const target = await database();
		await killedAt(['import', folder], target.url, 'ticket_message in exclusive mode');
		const players = async () => (await target.db.query('select from player')).rowCount;
		expect(await players()).toBe(0);
		await take(target);
		expect(await players()).toBe(3);
	});
});
