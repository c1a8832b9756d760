/** Receipts of answers: what a player can show later, checked without the server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import {
	checkReceipt,
	type LaterReceipt,
	type Receipt,
	readReceipt,
	receiptOf,
	resultDigest,
	type Statement,
} from '#public-log/receipt.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { receiptedAnswers } from '#server/calls/receipted-answers.ts';
import type { RootMaker } from '#server/platform/public-log/receipt-root.ts';
import { ReceiptWriter, receiptOnDemand } from '#server/platform/public-log/receipt-writer.ts';
import { Refused } from '#values/error-catalogue.ts';
import { checkedLines } from '../../tools/fair.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { bearer, LEDGER_KEY, type Player, TestServer } from '../support/server.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

/** Receipts that are asked for at once: several roots of many. Each that is checked costs two milliseconds. */
const AT_ONCE = IS_WHOLE ? 600 : 160;

let server: TestServer;
let player: Player;
let match: TestMatch;
let key: string;
beforeAll(async () => {
	server = await TestServer.start();
	player = await server.demoPlayer();
	match = await openTestMatch(server);
	key = (await (await fetch(`${server.url}/public-log/receipts-key`)).text()).trim();
});
afterAll(() => server.dispose());

/** Places a bet as a client that asks for a receipt. */
async function placed(bet: object, headers: Record<string, string> = { 'X-Receipt': 'yes' }) {
	const response = await server.post(CALLS.placeBetV2.path, JSON.stringify(bet), {
		...bearer(player.token),
		...headers,
	});
	const { result } = (await response.json()) as { result: object | null };
	const text = response.headers.get('x-receipt');
	return {
		result,
		receipt: text === null || text.includes('.') ? null : readReceipt(text),
		text,
		status: response.status,
	};
}

/** No reference is lost in a test that does not plan it. */
const lost = (error: unknown) => {
	throw error;
};

const ofReceipts = () => parseVerifierKey(key);
const given = <T>(value: T | null): T => {
	if (value === null) throw new Error('there is no receipt');
	return value;
};

it('confirms an accepted bet to its player, and nothing else', async () => {
	const before = server.running.exchange.now();
	const bet = betOn(match, { price: 3 }) as Record<string, unknown>;
	const { result, receipt } = await placed(bet);
	const checked = checkReceipt(given(receipt), ofReceipts(), JSON.stringify(result));
	expect(checked.statement).toMatchObject({
		call: 'placeBetV2',
		player: player.userId,
		clientRequestId: bet['clientRequestId'],
	});
	expect(checked.statement.at).toBeGreaterThanOrEqual(before);
	const { rows } = await server.database.db.query<{ batch: number }>('select max(batch) as batch from posting');
	expect(checked.statement.batch).toBeGreaterThanOrEqual(rows[0]?.batch ?? Number.POSITIVE_INFINITY);
	expect(() => checkReceipt(given(receipt), ofReceipts(), JSON.stringify({ ...result, price: 4 }))).toThrow('another');

	const again = await placed(bet);
	expect(again.result).toEqual(result);
	const repeated = checkReceipt(given(again.receipt), ofReceipts(), JSON.stringify(result)).statement;
	expect(repeated.result).toBe(checked.statement.result);

	await server.running.publicLog.append();
	const { rows: leaves } = await server.database.db.query<{ leaf: string }>(
		`select leaf from public_log_entry where type = 'receipts' order by entry limit 1`,
	);
	const root = Buffer.from(checked.root.root).toString('base64');
	expect(JSON.parse(leaves[0]?.leaf ?? '')).toMatchObject({ size: checked.root.size, root });
	expect(leaves[0]?.leaf).not.toContain(String(player.userId));
});

it('gives none to a client that asks for none, for a refusal, or for a call that only reads', async () => {
	expect((await placed(betOn(match, { price: 3 }), {})).receipt).toBeNull();
	const refused = await placed(betOn(match, { price: 3, stake: 1_000_000 }));
	expect(refused).toMatchObject({ result: null, receipt: null });
	const read = await fetch(`${server.url}/${CALLS.getSeeds.path}`, {
		headers: { ...bearer(player.token), 'X-Receipt': 'yes' },
	});
	expect(read.headers.get('x-receipt')).toBeNull();
});

it('signs receipts that are asked for at once under one root, each with its own path, and no forged one passes', async () => {
	const writeRoot = (make: RootMaker) => server.running.exchange.writeReceiptRoot(make);
	const writer = new ReceiptWriter({ writeRoot, ledgerKey: LEDGER_KEY, clock: () => 7, batch: () => 3, lost });
	const statement = { call: 'placeBetV2', host: 'localhost', player: 1, result: 'ab' };
	const receipts = await Promise.all(
		Array.from({ length: AT_ONCE }, (_, at) => writer.receipt({ ...statement, clientRequestId: `"request-${at}\\é` })),
	);
	const checked = receipts.map((receipt) => checkReceipt(receipt, ofReceipts(), null));
	expect(checked.map(({ statement: found }) => found.clientRequestId)).toEqual(
		receipts.map((_, at) => `"request-${at}\\é`),
	);
	expect(new Set(checked.map(({ root }) => root.origin)).size).toBeLessThan(10);
	expect(new Set(checked.map(({ statement: found }) => found.salt)).size).toBe(AT_ONCE);
	// The text is the JSON of what it says, so any library writes the same leaf.
	for (const { statement: text } of receipts) expect(JSON.stringify(JSON.parse(text))).toBe(text);
	// The first ones have roots of their own.
	const [honest, other] = receipts.slice(AT_ONCE / 2) as [Receipt, Receipt];
	const changed = (changes: Partial<Statement>): Receipt => ({
		...honest,
		statement: JSON.stringify({ ...(JSON.parse(honest.statement) as Statement), ...changes }),
	});
	const forged: Receipt[] = [
		changed({ at: 6 }),
		changed({ player: 2 }),
		{ ...honest, index: other.index },
		{ ...honest, path: other.path.slice(1) },
		{ ...honest, root: honest.root.replace(/\n\d+\n/, '\n1\n') },
	];
	for (const receipt of forged) expect(() => checkReceipt(receipt, ofReceipts(), null)).toThrow();
});

it('answers without a receipt when the batch of its root is not written: the bet stands, and a repeated request has one', async () => {
	const { exchange, players } = server.running;
	const writer = new ReceiptWriter({
		writeRoot: async (make) => {
			make();
			throw new Refused('OUTCOME_UNKNOWN');
		},
		ledgerKey: LEDGER_KEY,
		clock: () => exchange.now(),
		batch: () => 3,
		lost,
	});
	const bet = betOn(match, { price: 3 }) as Record<string, unknown>;
	const { result, receipt } = await placed(bet);
	const warned: unknown[] = [];
	const claim = players.claimOf(player.token);
	const login = claim && players.claimed(claim, 'localhost');
	const answered = { json: JSON.stringify(result), cookies: [], etag: undefined, playerId: login?.playerId };
	const answer = receiptedAnswers(async () => answered, {
		receipts: writer,
		log: { warn: (...words: unknown[]) => warned.push(words) } as never,
	});
	const asked = { name: 'placeBetV2', host: 'localhost', claim, input: bet, wantsReceipt: true } as never;
	expect(await answer(asked)).toEqual(answered);
	expect(warned).toHaveLength(1);
	expect(checkReceipt(given(receipt), ofReceipts(), JSON.stringify(result)).statement.call).toBe('placeBetV2');
	expect((await placed(bet)).result).toEqual(result);
});

it('has every root in the tables before its receipt is given out, and none twice, whatever batches are written', async () => {
	const { exchange } = server.running;
	const writer = new ReceiptWriter({
		writeRoot: (make) => exchange.writeReceiptRoot(make),
		ledgerKey: LEDGER_KEY,
		clock: () => exchange.now(),
		batch: () => exchange.figures().batch,
		lost,
	});
	const statement = { call: 'placeBetV2', host: 'localhost', player: 1, result: 'ab' };
	const numbers = new SeededNumbers(7);
	const storedSize = async (id: string) =>
		(await server.database.db.query<{ size: number }>('select size from receipt_root where id = $1', [id])).rows;
	const all = Array.from({ length: 120 }, async (_, at) => {
		for (let turns = numbers.below(40); turns > 0; turns--) await new Promise((resume) => setImmediate(resume));
		if (numbers.below(4) === 0) await server.call('placeBetV2', betOn(match, { price: 3 }), player.token);
		const receipt = await writer.receipt({ ...statement, clientRequestId: `random-${at}` });
		const { root } = checkReceipt(receipt, ofReceipts(), null);
		expect(await storedSize(root.origin.split('/').at(-1) ?? '')).toEqual([{ size: root.size }]);
		return `${root.origin} ${receipt.index}`;
	});
	const places = await Promise.all(all);
	expect(new Set(places).size).toBe(places.length);
});

it('is given later by the reference in the answer, as often as it is asked for, and only to who knows the answer', async () => {
	const asked = betOn(match, { price: 3 }) as { clientRequestId: string };
	const [given1, given2] = await Promise.all([
		placed(asked, { 'X-Receipt': 'later' }),
		placed(betOn(match, { price: 3 }), { 'X-Receipt': 'yes' }),
	]);
	// Both wishes may be under one root.
	expect(checkReceipt(given(given2.receipt), ofReceipts(), JSON.stringify(given2.result)).root.size).toBeGreaterThan(0);
	const reference = given1.text ?? '';
	expect(reference).toMatch(/^[0-9a-f]{16}\.\d+$/);
	const fetched = async (name: string) => await fetch(`${server.url}/public-log/receipts/${name}`);
	const later = (await (await fetched(reference)).json()) as LaterReceipt;
	expect(await (await fetched(reference)).json()).toEqual(later);
	expect(JSON.stringify(later)).not.toContain(asked.clientRequestId);
	const confirmed = {
		call: 'placeBetV2',
		clientRequestId: asked.clientRequestId,
		host: 'localhost',
		player: player.userId,
		result: resultDigest(JSON.stringify(given1.result)),
	};
	const { statement } = checkReceipt(receiptOf(later, confirmed), ofReceipts(), JSON.stringify(given1.result));
	expect(statement).toMatchObject(confirmed);
	for (const other of [{ player: player.userId + 1 }, { clientRequestId: 'another' }, { result: resultDigest('{}') }])
		expect(() => checkReceipt(receiptOf(later, { ...confirmed, ...other }), ofReceipts(), null)).toThrow('not under');
	const [id = ''] = reference.split('.');
	for (const name of [`${id}.999`, `${'0'.repeat(16)}.0`, `${id}.-1`, id, 'x'])
		expect([name, (await fetched(name)).status]).toEqual([name, 404]);
});

it('is lost with a root that is never written, and a repeated request has another; those that come with answers fail at once', async () => {
	const { exchange } = server.running;
	const lostOnes: number[] = [];
	const root = { isRefused: true };
	const writer = new ReceiptWriter({
		writeRoot: async (make) => {
			if (root.isRefused) throw new Refused('OUTCOME_UNKNOWN');
			await exchange.writeReceiptRoot(make);
		},
		ledgerKey: LEDGER_KEY,
		clock: () => exchange.now(),
		batch: () => exchange.figures().batch,
		lost: (_, references) => lostOnes.push(references),
	});
	const statement = { call: 'placeBetV2', host: 'localhost', player: 1, result: 'ab', clientRequestId: 'later' };
	const refused = [writer.receipt(statement), writer.reference(statement), writer.reference(statement)] as const;
	await expect(refused[0]).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
	const { db } = server.database;
	for (const reference of refused.slice(1) as string[]) {
		await writer.written(reference);
		expect(await receiptOnDemand(db, LEDGER_KEY, reference)).toBeNull();
	}
	expect(lostOnes).toEqual([2]);

	root.isRefused = false;
	const again = writer.reference(statement);
	await writer.written(again);
	const later = given(await receiptOnDemand(db, LEDGER_KEY, again));
	expect(checkReceipt(receiptOf(later, statement), ofReceipts(), null).statement).toMatchObject(statement);
});

it('is given by a reference of an earlier release, whose statements have the time and the batch of their root', async () => {
	const { exchange } = server.running;
	const { db } = server.database;
	const clock = () => 7;
	const writeRoot = (make: RootMaker) => exchange.writeReceiptRoot(make);
	const writer = new ReceiptWriter({ writeRoot, ledgerKey: LEDGER_KEY, clock, batch: () => 3, lost });
	const statement = { call: 'placeBetV2', host: 'localhost', player: 1, result: 'ab', clientRequestId: 'earlier' };
	const references = [writer.reference(statement), writer.reference(statement)];
	await writer.written(references[0] as string);
	await db.query('update receipt_root set batch = 3, moments = null where id = $1', [references[0]?.split('.')[0]]);
	for (const reference of references) {
		const later = given(await receiptOnDemand(db, LEDGER_KEY, reference));
		expect(later).toMatchObject({ at: 7, batch: 3 });
		checkReceipt(receiptOf(later, statement), ofReceipts(), null);
	}
});

it('gives each reference the receipt of its own answer, whatever is asked for beside it and whenever batches are sealed', async () => {
	const { exchange } = server.running;
	const writer = new ReceiptWriter({
		writeRoot: (make) => exchange.writeReceiptRoot(make),
		ledgerKey: LEDGER_KEY,
		clock: () => exchange.now(),
		batch: () => exchange.figures().batch,
		lost,
	});
	const numbers = new SeededNumbers(11);
	const references = new Set<string>();
	await Promise.all(
		Array.from({ length: AT_ONCE / 2 }, async (_, player) => {
			for (let turns = numbers.below(30); turns > 0; turns--) await new Promise((resume) => setImmediate(resume));
			const statement = {
				call: 'placeBetV2',
				host: 'localhost',
				player,
				result: 'ab',
				clientRequestId: `mixed-${player}`,
			};
			const isLater = numbers.below(3) > 0;
			const reference = isLater ? writer.reference(statement) : null;
			if (reference === null) {
				const { statement: found } = checkReceipt(await writer.receipt(statement), ofReceipts(), null);
				expect(found).toMatchObject(statement);
				return;
			}
			expect(references.has(reference)).toBe(false);
			references.add(reference);
			await writer.written(reference);
			const later = given(await receiptOnDemand(server.database.db, LEDGER_KEY, reference));
			expect(checkReceipt(receiptOf(later, statement), ofReceipts(), null).statement).toMatchObject(statement);
		}),
	);
	expect(references.size).toBeGreaterThan(AT_ONCE / 4);
});

it('is checked by `npm run fair -- verify-receipt`', async () => {
	const { result, text } = await placed(betOn(match, { price: 3 }));
	const folder = await mkdtemp(join(scratchFolder(), 'receipts-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const verify = async (line: object) => {
		const file = join(folder, 'receipts.jsonl');
		await writeFile(file, JSON.stringify(line));
		return await runTool('tools/fair.ts', ['verify-receipt', '--key', key, '--file', file], process.env);
	};
	const right = await verify({ receipt: text, result });
	expect(right.code).toBe(0);
	expect(JSON.parse(right.stdout)).toMatchObject({ isReceipt: true, statement: { player: player.userId } });
	const changed = { receipt: text, result: { ...result, price: 9 } };
	const [wrong] = checkedLines('verify-receipt', [JSON.stringify(changed)], key);
	expect(wrong).toMatchObject({ isFaulty: true, line: { isReceipt: false } });
});
