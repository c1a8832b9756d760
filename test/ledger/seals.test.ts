/**
 * What only the seals can find: rows whose figures still fit each other after they were edited. Every covered table is
 * edited by SQL, and the audit names the row. A forger has the database and not the key.
 */
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import { anchored } from '../../tools/audit-anchor.ts';
import { casesHaveTheirFacts } from '../../tools/audit-cases.ts';
import { CHECKS } from '../../tools/audit-checks.ts';
import { LIABILITY_CHECKS } from '../../tools/audit-liabilities.ts';
import { outcomesAreEntered } from '../../tools/audit-outcomes.ts';
import { LOG_CHECKS } from '../../tools/audit-public-log.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { type ChainedPosting, chainAfter } from '../../tools/unkeyed-chain.ts';
import { audit } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { TestServer, TOKEN_KEY } from '../support/server.ts';
import { firstRound } from '../support/tables.ts';
import { writeUnpaidCashOut } from '../support/unpaid-cash-out.ts';

const KEY = ledgerKeyOf(TOKEN_KEY, undefined);
const OTHER_KEY = 'another key for tests that is never used outside them';
const ROWS = 'every covered row is the one that was sealed';
const CHAIN = 'the chain of the seals holds and ends where the ledger says';

let server: TestServer;
const folder = mkdtempSync(join(tmpdir(), 'backlay-anchor-'));
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: 10 });
	// The first round of a table begins when the log has its chain.
	await firstRound(server);
	// It would take what a forger writes for the truth: test/public-log has its checks.
	await server.running.publicLog.stop();
	await play();
});
afterAll(async () => {
	rmSync(folder, { recursive: true });
	await server.dispose();
});

/** One market that was paid, with a match that was declared void, and one with bets that wait. */
async function play(): Promise<void> {
	const [settled, open] = [await openTestMatch(server), await openTestMatch(server)];
	const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
	const [first] = [await server.result('placeBetV2', betOn(settled, { price: 3, stake: 20 }), backer.token)];
	for (const match of [settled, open]) {
		await server.result('placeBetV2', betOn(match, { price: 3 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 60 }), layer.token);
	}
	await server.act('void-bets', { marketId: settled.marketId, betId: first?.betId });
	const trigger = { ...betOn(open, { price: 4 }), watches: 'LAST_TRADED', moves: 'FALLS', at: 1.01 } as const;
	await server.result('placeTrigger', trigger, backer.token);
	await settled.settle(0);
	await server.running.exchange.submit({
		kind: 'transfer',
		walletId: backer.userId,
		pool: 'DEMO',
		steps: [
			{
				workflow: 'COINS',
				from: null,
				to: 'GIVEN',
				isOpen: false,
				actor: 'server',
				data: { day: '2026-11-22' },
				claims: [`coins:${backer.userId}`],
				moves: [{ debit: 'mint', credit: 'cash', amount: 100 }],
			},
		],
	});
	const coin = { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: freshRequestId() };
	await server.beginSeeds(backer);
	await server.result('playRound', coin, backer.token);
	// A round of its own, because the play is repeated.
	await writeUnpaidCashOut(server, backer.userId, { game: 'a-game', round: backer.userId });
	await server.act('staff-role', { name: 'night shift', permissions: ['today.read'] });
	await server.running.exchange.submit({
		kind: 'set-limits',
		walletId: backer.userId,
		limits: { maxStake: 1_000_000, maxProfit: 0, maxExposure: 0 },
	});
}

/** Those of the public log and of what is owed are tested in test/public-log, others in test/operator and test/games. */
const ELSEWHERE = new Set([...LOG_CHECKS, ...LIABILITY_CHECKS, casesHaveTheirFacts, outcomesAreEntered]);
const SEAL_CHECKS = CHECKS.filter((check) => !ELSEWHERE.has(check));

/** The first check that does not hold, as the auditor's tool asks them; null when all do. */
async function firstFinding(keys: readonly string[] = [KEY], more: typeof CHECKS = []) {
	const client = await server.database.db.connect();
	try {
		await client.query('begin transaction isolation level repeatable read read only');
		for (const { name, run } of [...SEAL_CHECKS, ...more]) {
			const { rows, wrong } = await run(client, sealKeys(keys));
			if (wrong) return { check: name, wrong };
			expect([name, rows]).not.toEqual([name, 0]);
		}
		return null;
	} finally {
		await client.query('rollback');
		client.release();
	}
}

/** The audit's findings after one statement, which is then rolled back. */
async function findingAfter(tampering: string, undo: string) {
	const { rowCount } = await server.database.db.query(tampering);
	expect(rowCount).toBe(1);
	const found = await firstFinding();
	await server.database.db.query(undo);
	return found;
}

const one = async (sql: string): Promise<Record<string, unknown>> =>
	(await server.database.db.query(sql)).rows[0] as Record<string, unknown>;

describe('an edited row is named', () => {
	it.each([
		['posting', 'batch, line', 'at', 'at + 1', 'at - 1', 'batch desc'],
		['bet', 'bet_id', 'placed_at', 'placed_at + 1', 'placed_at - 1', 'bet_id'],
		['bet', 'bet_id', 'persist', 'not persist', 'not persist', 'bet_id desc'],
		['bet_match', 'batch, line', 'at', 'at + 1', 'at - 1', 'batch desc'],
		['bet_trigger', 'trigger_id', 'at_price', 'at_price + 1', 'at_price - 1', 'trigger_id'],
		['wallet', 'wallet_id', 'commission_bp', '0', 'null', 'wallet_id desc'],
		['market_state', 'market_id', 'commission_bp', 'commission_bp + 1', 'commission_bp - 1', 'market_id'],
		['player_settlement', 'market_id, wallet_id', 'at', 'at + 1', 'at - 1', 'wallet_id'],
		['workflow', 'kind, id', 'opened_at', 'opened_at + 1', 'opened_at - 1', 'id'],
		['workflow_step', 'kind, id, step', 'actor', `'player'`, `'server'`, 'id'],
		['workflow_claim', 'name', 'id', 'id + 1', 'id - 1', 'id'],
	])('of %s (%s), by its %s', async (table, key, column, changed, back, order) => {
		const row = await one(`select ${key} from ${table} order by ${order} limit 1`);
		const where = Object.entries(row)
			.map(([name, value]) => `${name} = '${value}'`)
			.join(' and ');
		const found = await findingAfter(
			`update ${table} set ${column} = ${changed} where ${where}`,
			`update ${table} set ${column} = ${back} where ${where}`,
		);
		expect(found).toMatchObject({ check: ROWS, wrong: { table, ...row, is: 'edited' } });
	});

	it('of wallet, by the player’s own limits', async () => {
		const { wallet_id } = await one('select wallet_id from wallet where limits is not null');
		const set = (most: number) =>
			`update wallet set limits = jsonb_set(limits, '{maxStake}', '${most}') where wallet_id = ${wallet_id}`;
		expect(await findingAfter(set(9_000_000), set(1_000_000))).toMatchObject({
			check: ROWS,
			wrong: { table: 'wallet', wallet_id, is: 'edited' },
		});
	});

	it('of request_key, by its answer', async () => {
		const { wallet_id, client_request_id, balance } = await one(
			`select wallet_id, client_request_id, answer -> 'balance' as balance from request_key order by at desc limit 1`,
		);
		const set = (answered: unknown) =>
			`update request_key set answer = jsonb_set(answer, '{balance}', '${answered}')
			 where client_request_id = '${client_request_id}'`;
		expect(await findingAfter(set(1), set(balance))).toMatchObject({
			check: ROWS,
			wrong: { table: 'request_key', wallet_id, client_request_id, is: 'edited' },
		});
	});
});

it('a request that expired is no fault', async () => {
	const { db } = server.database;
	await db.query('create table kept as table request_key');
	await db.query('delete from request_key');
	expect(await firstFinding()).toBe(null);
	await db.query('insert into request_key table kept');
});

it.each([
	['void_match', 'delete from void_match', 'missing'],
	['void_match', 'insert into void_match select batch, line from bet_match order by batch desc limit 1', 'added'],
])('a removed or added row of %s is named (%s)', async (table, tampering, is) => {
	const { db } = server.database;
	await db.query('create table kept_void as table void_match');
	const found = await findingAfter(
		tampering,
		'with gone as (delete from void_match) insert into void_match table kept_void on conflict do nothing',
	);
	await db.query('delete from void_match where (batch, line) not in (table kept_void)');
	await db.query('insert into void_match table kept_void on conflict do nothing');
	await db.query('drop table kept_void');
	expect(found).toMatchObject({ check: ROWS, wrong: { table, is } });
});

describe('a forger without the key is caught', () => {
	/** Makes an entry and the chain as the server does, with a key of his own. */
	it('that rewrites the entries and the chain', async () => {
		const { db } = server.database;
		await db.query('create table kept_seal as table batch_seal');
		await db.query('create table kept_lease as table lease');
		const { rows } = await db.query<{ batch: number; part: number; entries: Buffer; chain: Buffer }>(
			'select batch, part, entries, chain from batch_seal order by batch, part',
		);
		// He edits the last batch's first entry, and makes everything after it follow on.
		const last = rows.at(-1);
		if (!last) throw new Error('nothing was sealed');
		last.entries.writeUInt8((last.entries.readUInt8(16) + 1) % 256, 16);
		const before = rows.at(-2)?.chain ?? Buffer.alloc(0);
		const chain = createHmac('sha256', OTHER_KEY)
			.update(before)
			.update(`${last.batch}.${last.part}.`)
			.update(last.entries)
			.digest();
		await db.query('update batch_seal set entries = $1, chain = $2 where batch = $3', [
			last.entries,
			chain,
			last.batch,
		]);
		await db.query('update lease set chain = $1', [chain]);
		const found = await firstFinding();
		await db.query('delete from batch_seal');
		await db.query('insert into batch_seal table kept_seal');
		await db.query('update lease set chain = (select chain from kept_lease)');
		expect(found?.check).toBe(ROWS);
		expect(await firstFinding()).toBe(null);
	});

	it('that removes an entry with its row', async () => {
		const { db } = server.database;
		const { entries, batch } = (await one(
			'select entries, batch from batch_seal order by batch desc limit 1',
		)) as unknown as { entries: Buffer; batch: number };
		await db.query('update batch_seal set entries = $1 where batch = $2', [entries.subarray(0, 0), batch]);
		const found = await firstFinding();
		await db.query('update batch_seal set entries = $1 where batch = $2', [entries, batch]);
		expect(found?.check).toBe(ROWS);
	});

	it('that adds a batch sealed with another key', async () => {
		const { db } = server.database;
		await db.query(
			`insert into batch_seal select batch + 1, 0, 'abcdefabcdef', '', chain from batch_seal order by batch desc limit 1`,
		);
		const found = await firstFinding();
		await db.query(`delete from batch_seal where key_id = 'abcdefabcdef'`);
		expect(found?.wrong).toMatchObject({ is: 'sealed with a key that was not given' });
	});

	it('that restores an older end of the chain', async () => {
		const { chain } = await one('select chain from lease');
		const found = await findingAfter(
			'update lease set chain = (select chain from batch_seal order by batch limit 1)',
			`update lease set chain = '\\x${(chain as Buffer).toString('hex')}'`,
		);
		expect(found?.check).toBe(CHAIN);
	});
});

describe('the anchor', () => {
	const file = join(folder, 'heads.jsonl');
	/** Two lines, one a head. */
	const collected = async (): Promise<string[]> => {
		if (!existsSync(file)) {
			expect((await audit(server.database.url, ['--anchor', file])).code).toBe(0);
			await play();
			await firstFinding([KEY], [anchored(file)]);
		}
		return readFileSync(file, 'utf8').trim().split('\n');
	};

	it('collects heads, and detects a different database', async () => {
		const { url } = server.database;
		expect((await audit(url, ['--anchor', file])).code).toBe(0);
		await play();
		for (const _ of ['a new head', 'the same one again'])
			expect(await firstFinding([KEY], [anchored(file)])).toBe(null);
		expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
		// A database that was restored from a while ago, or rewritten, lacks the heads.
		const other = await TestServer.start();
		try {
			const { checks, code } = await audit(other.database.url, ['--anchor', file]);
			expect([code, checks.at(-1)]).toMatchObject([1, { ok: false, wrong: { line: 1, found: { chain: null } } }]);
		} finally {
			await other.dispose();
		}
	});

	it('leaves out a line that a kill tore, says so, and puts the next one in its place; another damaged line is an error', async () => {
		const copy = join(folder, 'torn.jsonl');
		const [first = '', second = ''] = await collected();
		writeFileSync(copy, `${first}\n${second.slice(0, 40)}`);
		const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
		onTestFinished(() => printed.mockRestore());
		expect(await firstFinding([KEY], [anchored(copy)])).toBe(null);
		expect(printed.mock.calls).toEqual([[`${copy} ends within a line, which is left out: ${second.slice(0, 40)}`]]);
		const lines = readFileSync(copy, 'utf8').split('\n');
		expect(lines).toEqual([first, expect.any(String), '']);
		expect(JSON.parse(lines[1] ?? '')).toHaveProperty('chain');
		writeFileSync(copy, `${first.slice(0, 40)}${first}\n${second}\n`);
		await expect(firstFinding([KEY], [anchored(copy)])).rejects.toThrow(`Line 1 of ${copy} is damaged`);
	});

	it('detects a head that the chain no longer contains', async () => {
		const copy = join(folder, 'forged.jsonl');
		const [first] = await collected();
		const head = JSON.parse(first ?? '{}') as { chain: string };
		writeFileSync(
			copy,
			`${JSON.stringify({ ...head, chain: head.chain.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) })}\n`,
		);
		const found = await firstFinding([KEY], [anchored(copy)]);
		expect(found?.check).toBe('every head of the anchor is part of the chain');
	});
});

it('a ledger without seals is sealed at the next start, and its postings stay chained', async () => {
	await server.stop();
	const { db } = server.database;
	await makeUnsealed();
	server = await TestServer.start(server.database);
	await play();
	expect(await firstFinding()).toBe(null);
	const old = await one('select bet_id from bet order by bet_id limit 1');
	const edit = (sign: string) => `update bet set placed_at = placed_at ${sign} 1 where bet_id = ${old['bet_id']}`;
	expect(await findingAfter(edit('+'), edit('-'))).toMatchObject({ check: ROWS, wrong: { table: 'bet', ...old } });
	const shift = (sign: string) => `update posting set at = at ${sign} 1 where batch = (select min(batch) from posting)`;
	await db.query(shift('+'));
	const found = await firstFinding();
	await db.query(shift('-'));
	expect(found?.check).toBe('the postings from before the seals are those their chain was made of');
});

it('triggers of a release that did not seal them are sealed at the next start', async () => {
	await server.stop();
	const trigger = await one('select trigger_id from bet_trigger order by trigger_id limit 1');
	const shift = (sign: string) =>
		`update bet_trigger set placed_at = placed_at ${sign} 1 where trigger_id = ${trigger['trigger_id']}`;
	await server.database.db.query(shift('+'));
	await server.database.db.query('update lease set sealed_code = 12');
	server = await TestServer.start(server.database);
	expect(await firstFinding()).toBe(null);
	const wrong = { table: 'bet_trigger', ...trigger, is: 'edited' };
	expect(await findingAfter(shift('+'), shift('-'))).toMatchObject({ check: ROWS, wrong });
});

/** Leaves the database as the version before the seals did: with a chain without a key, over the postings alone. */
async function makeUnsealed(): Promise<void> {
	const { db } = server.database;
	const { rows } = await db.query<ChainedPosting & { batch: number }>(
		`select batch, at as "atMs", kind, ref, step, pool, debit, debit_owner as "debitOwner", credit,
		   credit_owner as "creditOwner", amount, wallet_id as "walletId", cash_after as "cashAfter", market_id as "marketId"
		 from posting order by batch, line`,
	);
	const { rows: start } = await db.query<{ chain: Buffer }>(`select sha256('backlay') as chain`);
	let chain = start[0]?.chain as Buffer;
	for (const postings of Map.groupBy(rows, ({ batch }) => batch).values()) chain = chainAfter(chain, postings);
	await db.query('truncate batch_seal, public_log, public_log_entry, public_log_tile');
	for (const table of ['game_chain', 'game_seed_pair', 'table_round'])
		await db.query(`update ${table} set is_logged = false`);
	await db.query('update table_round set is_announced = false');
	await db.query('update lease set chain = $1, sealed_from = null, sealed_chain = null', [chain]);
}

it('continues with a new key, and is audited with both', { tags: 'thorough' }, async () => {
	await server.stop();
	server = await TestServer.start(server.database, { ledgerKey: OTHER_KEY });
	await play();
	expect(await firstFinding([OTHER_KEY, KEY])).toBe(null);
	expect(await firstFinding([OTHER_KEY])).toMatchObject({ wrong: { is: 'sealed with a key that was not given' } });
	const [LEDGER_KEY, LEDGER_KEYS_RETIRED] = [OTHER_KEY, KEY];
	const { code, checks } = await audit(server.database.url, [], { LEDGER_KEY, LEDGER_KEYS_RETIRED, TOKEN_KEY: '' });
	expect(checks.filter(({ ok }) => !ok)).toEqual([]);
	expect(code).toBe(0);
});
