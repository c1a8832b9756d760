/** What is known of outcomes before they are public: it is encrypted, and the journal has each read before it happens. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OPERATOR_CALLS, type OperatorCallName } from '#contract/operators/registry.ts';
import { chainOf } from '#games/crash/crash-result.ts';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';
import { type HashAccess, OutcomeAccess, type ReadHashes } from '#server/money/casino/outcome-access.ts';
import { PlayerSeeds } from '#server/money/casino/player-seeds.ts';
import { HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import type { Act } from '#server/platform/postgres/journal.ts';
import { outcomesAreEntered } from '../../tools/audit-outcomes.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { CrashSite, TABLE_SPEED } from '../support/crash.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';
import { LEDGER_KEY, type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { validInput } from '../support/valid-input.ts';

const LENGTH = 10_000;

describe('a chain', () => {
	let database: FreshDatabase;
	beforeAll(async () => {
		database = await freshDatabase();
	});
	afterAll(() => database.drop());

	/** The parts of chains of a game; what is entered is noted. */
	function partsOf(game: string, keys = new DataKeys([TOKEN_KEY])) {
		const entered: ReadHashes[] = [];
		const access: HashAccess = {
			hashes: async (read) => {
				entered.push(read);
			},
		};
		const { db } = database;
		const parts = {
			db,
			keys,
			access,
			game,
			owner: randomUUID(),
			returnPercent: 97,
			beacon: new LocalBeacon(TOKEN_KEY, 100),
		};
		return { parts, entered };
	}
	const FIRST = { number: 1, firstRound: 1, replaced: null, lateBefore: 0 };

	it('enters that it is made, and the hundred rounds that are read together, each before its hash is known', async () => {
		const { parts, entered } = partsOf('entered');
		const chain = await HashChain.begin({ ...parts, ...FIRST });
		const of = { game: 'entered', chain: 1 };
		expect(entered.splice(0)).toEqual([{ ...of, first: 1, last: LENGTH, purpose: 'MADE' }]);
		expect(() => chain.hashOf(1)).toThrow('was not read');
		for (let position = 1; position <= 100; position++) await chain.read(position, 'ROUNDS');
		expect(entered.splice(0)).toEqual([{ ...of, first: 1, last: 100, purpose: 'ROUNDS' }]);
		expect(() => chain.hashOf(101)).toThrow('was not read');
		await chain.read(101, 'ROUNDS');
		await chain.read(LENGTH, 'RESTART');
		expect(entered).toEqual([
			{ ...of, first: 101, last: 200, purpose: 'ROUNDS' },
			{ ...of, first: LENGTH, last: LENGTH, purpose: 'RESTART' },
		]);
	});

	it('has the hashes that follow from its last one, wherever they are read from', async () => {
		const { parts } = partsOf('same');
		await HashChain.begin({ ...parts, ...FIRST });
		const last = (await HashChain.ofRound(parts, 1)) as HashChain;
		await last.read(LENGTH, 'RESTART');
		const hashes = chainOf(last.hashOf(LENGTH), LENGTH);
		for (const position of [1, 57, 9_950, LENGTH, 2]) {
			const chain = (await HashChain.ofRound(parts, 1)) as HashChain;
			await chain.read(position, 'ROUNDS');
			expect([chain.hashOf(position - 1), chain.hashOf(position)]).toEqual([hashes[position - 1], hashes[position]]);
		}
		expect(hashes[0]).toBe(last.facts.commitment);
	});

	it('is not read where the entry is refused', async () => {
		const { parts } = partsOf('refused');
		await HashChain.begin({ ...parts, ...FIRST });
		const access = { hashes: () => Promise.reject(new Error('the journal is closed')) };
		const chain = (await HashChain.ofRound({ ...parts, access }, 1)) as HashChain;
		await expect(chain.read(1, 'ROUNDS')).rejects.toThrow('the journal is closed');
		expect(() => chain.hashOf(1)).toThrow('was not read');
		await expect(HashChain.begin({ ...parts, ...FIRST, number: 2, access })).rejects.toThrow('the journal is closed');
		expect(await HashChain.ofRound(parts, 1)).toMatchObject({ facts: { number: 1 } });
	});

	it('enters that another key encrypts it', async () => {
		const { parts } = partsOf('anew');
		await HashChain.begin({ ...parts, ...FIRST });
		const { parts: later, entered } = partsOf('anew', new DataKeys(['another key', TOKEN_KEY]));
		await HashChain.ofRound(later, 1);
		expect(entered).toEqual([{ game: 'anew', chain: 1, first: 1, last: LENGTH, purpose: 'SEALED_ANEW' }]);
	});
});

it('players who begin while a row is written share the next one, and a row that fails is an answer to its players alone', async () => {
	const rows: { act: Act; done: () => void; failed: (error: Error) => void }[] = [];
	const journal = {
		write: (act: Act) => new Promise<void>((done, failed) => rows.push({ act, done, failed })),
	};
	const access = new OutcomeAccess({ journal, process: 'east' });
	const first = access.pair(1001, 1);
	await expect.poll(() => rows.length).toBe(1);
	const [second, third] = [access.pair(1002, 4), access.pair(1003, 2)];
	rows[0]?.failed(new Error('away'));
	await expect(first).rejects.toThrow('away');
	await expect.poll(() => rows.length).toBe(2);
	rows[1]?.done();
	await Promise.all([second, third]);
	expect(rows.map(({ act }) => act.details)).toEqual([
		{ purpose: 'ROUNDS', pairs: ['1001:1'] },
		{ purpose: 'ROUNDS', pairs: ['1002:4', '1003:2'] },
	]);
});

describe('a server', () => {
	let site: CrashSite;
	let server: TestServer;
	beforeAll(async () => {
		site = await CrashSite.open();
		server = site.server;
	});
	afterAll(() => server.dispose());

	const flip = ({ token }: Player) =>
		server.call(
			'playRound',
			{ game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: randomUUID() },
			token,
		);
	const numberOf = async (query: string): Promise<number> =>
		Number(Object.values((await server.database.db.query<Record<string, unknown>>(query)).rows[0] ?? {})[0]);
	const entries = () =>
		server.act<{ subject: string; details: object; actor: string }[]>('journal', { act: 'outcomes-read' });

	/** What the process has read of rounds to come. */
	const secretsNow = async ({ userId }: Player): Promise<string[]> => {
		const { round } = await site.state();
		const seeds = new PlayerSeeds({ db: server.database.db, tokenKey: TOKEN_KEY, access: OPEN_ACCESS });
		return [site.hashOf(Number(round) + 20), site.hashOf(Number(round) + 50), (await seeds.active(userId)).serverSeed];
	};

	it('has entered each hash and each pair that it read, which operators find in the journal', async () => {
		const player = await server.demoGambler();
		await site.reached('CRASHED');
		expect((await flip(player)).status).toBe(200);
		expect((await flip(player)).status).toBe(200);
		const found = await entries();
		expect(found).toContainEqual(
			expect.objectContaining({
				actor: 'exchange',
				subject: 'chain crash 1',
				details: { first: 1, last: 100, purpose: 'ROUNDS' },
			}),
		);
		const ofPlayer = found.filter(({ details }) => JSON.stringify(details).includes(`"${player.userId}:1"`));
		expect(ofPlayer).toHaveLength(1);
	});

	it('stores neither a hash nor a server seed in the clear while it is secret', async () => {
		const player = await server.demoGambler();
		await flip(player);
		const secrets = await secretsNow(player);
		const { db } = server.database;
		const { rows: tables } = await db.query<{ name: string }>(
			`select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
		);
		expect(tables.length).toBeGreaterThan(50);
		const forms = secrets.flatMap((hex) => [hex, Buffer.from(hex, 'hex').toString('base64')]);
		for (const { name } of tables) {
			const { rowCount } = await db.query(
				`select from ${name} as stored where exists (select from unnest($1::text[]) as form where position(form in stored::text) > 0)`,
				[forms],
			);
			expect(rowCount, name).toBe(0);
		}
		// The search finds what is there: the hash of the round before is public.
		const { round } = await site.reached('CRASHED');
		await expect
			.poll(
				async () => (await db.query('select from table_round where hash = $1', [site.hashOf(Number(round))])).rowCount,
			)
			.toBe(1);
	});

	it('shows no operator a hash or a server seed while it is secret', async () => {
		const player = await server.demoGambler();
		await flip(player);
		const secrets = await secretsNow(player);
		const looks = (Object.keys(OPERATOR_CALLS) as OperatorCallName[]).filter((name) => OPERATOR_CALLS[name].looks);
		expect(looks.length).toBeGreaterThan(40);
		for (const name of looks) {
			const input = validInput(OPERATOR_CALLS[name].input, name) as object;
			const text = JSON.stringify((await server.operator(name, input)).body);
			expect(
				secrets.filter((secret) => text.includes(secret)),
				name,
			).toEqual([]);
		}
	});

	it('plays no round while the journal takes no entry, and goes on when it does', async () => {
		const [player, other] = [await server.demoGambler(), await server.demoGambler()];
		expect((await flip(player)).status).toBe(200);
		const { db } = server.database;
		await db.query('create sequence tries');
		await db.query(`create function no_entry() returns trigger language plpgsql as $$
			begin perform nextval('tries'); raise exception 'the disk is full' using errcode = '53100'; end $$`);
		await db.query(`create trigger no_entry before insert on journal for each row
			when (new.act = 'outcomes-read') execute function no_entry()`);
		const restore = () => db.query('drop function if exists no_entry cascade; drop sequence if exists tries');
		onTestFinished(async () => void (await restore()));
		const before = server.money(other);
		expect((await flip(other)).status).toBeGreaterThanOrEqual(500);
		expect(server.money(other)).toEqual(before);
		// A process that starts has read nothing yet.
		await server.stop();
		server = await TestServer.start(server.database, { tableSpeed: TABLE_SPEED });
		const rounds = () => numberOf(`select max(round) from table_round where game = 'crash'`);
		const tries = await numberOf('select last_value from tries');
		const last = await rounds();
		await expect.poll(() => numberOf('select last_value from tries')).toBeGreaterThan(tries + 3);
		expect(await rounds()).toBe(last);
		expect((await server.call('getCrash', {})).code).toBe('TABLE_CLOSED');
		await restore();
		await expect.poll(rounds, { timeout: 20_000 }).toBeGreaterThan(last);
		expect((await flip(other)).status).toBe(200);
	});

	it('is found by the audit where a round was read without an entry', async () => {
		const client = await server.database.db.connect();
		try {
			const keys = sealKeys([LEDGER_KEY]);
			await client.query('begin');
			const sound = await outcomesAreEntered.run(client, keys);
			expect(sound).toMatchObject({ rows: expect.any(Number), wrong: null });
			expect(sound.rows).toBeGreaterThan(0);
			await client.query(
				`insert into table_round (game, round, chain, position, phase, opened_at, hash) values ('crash', 390, 1, 390, 'ENDED', 0, $1)`,
				[randomBytes(32).toString('hex')],
			);
			expect(await outcomesAreEntered.run(client, keys)).toMatchObject({ wrong: { game: 'crash', round: '390' } });
		} finally {
			await client.query('rollback');
			client.release();
		}
	});
});
