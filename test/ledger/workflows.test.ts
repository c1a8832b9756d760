/** Workflows: steps that commit with their postings, decided once whatever runs beside them, and found again after a crash. */
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { StepRequest } from '#server/exchange/order/workflow.ts';
import {
	openWorkflows,
	UNREADABLE,
	UnreadableWorkflow,
	workflowsByKey,
} from '#server/exchange/recovery/stored-workflows.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';

const PLAYER = 1001;
const silent: Logger = pino({ level: 'silent' });
let database: FreshDatabase;
let exchange: Exchange;
let news: Committed[];

const open = (log = silent) =>
	openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		log,
		backOff: { firstMs: 1, longestMs: 1 },
		onCommitted: (committed) => void news.push(committed),
	});

beforeEach(async () => {
	news = [];
	database = await freshDatabase();
	exchange = await open();
	await exchange.submit({ kind: 'open-wallet', walletId: PLAYER, pool: 'PLAY' });
	await exchange.submit({ kind: 'grant-coins', grantId: 1, walletId: PLAYER, amount: 1_000 });
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

type Terms = Partial<StepRequest> & Pick<StepRequest, 'from' | 'to'>;
const submit = (terms: Terms, key?: RequestKey) =>
	exchange.submit(
		{
			kind: 'transfer',
			walletId: PLAYER,
			pool: 'PLAY',
			steps: [{ workflow: 'WITHDRAWAL', isOpen: true, actor: 'player', ...terms }],
		},
		key,
	);
/** The rest of what a withdrawal knows. */
const TERMS = { method: 'UPI', detailsId: 'd-1', masked: '••1', doubts: [] } as const;
const request = (amount: number, key?: RequestKey) =>
	submit(
		{ from: null, to: 'REQUESTED', data: { amount, ...TERMS }, moves: [{ debit: 'cash', credit: 'hold', amount }] },
		key,
	);
const reject = (id: number, amount: number) =>
	submit({ id, from: 'REQUESTED', to: 'REJECTED', isOpen: false, moves: [{ debit: 'hold', credit: 'cash', amount }] });
const idOf = async (submission: ReturnType<typeof request>) => (await submission).workflows?.[0]?.id as number;
it('writes a step, its postings and the workflow’s state together, and reports them when durable', async () => {
	const id = await idOf(request(400));
	const [workflow] = await workflowsByKey(database.db, [{ kind: 'WITHDRAWAL', id }]);
	expect(workflow).toMatchObject({ state: 'REQUESTED', step: 1, postings: 1, isOpen: true, data: { amount: 400 } });
	expect(news.at(-1)?.workflows).toEqual([workflow]);
	expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 600, hold: 400 });
	const { rows } = await database.db.query(
		`select kind, ref, step, debit, credit, amount from posting where ref = $1`,
		[id],
	);
	expect(rows).toEqual([{ kind: 'WITHDRAWAL', ref: id, step: 0, debit: 'cash', credit: 'hold', amount: 400 }]);
});

it('accepts one of 200 withdrawals when the money is enough for one', async () => {
	const codes = await Promise.all(Array.from({ length: 200 }, () => codeOf(request(600))));
	expect(codes.filter((code) => code === 'done')).toHaveLength(1);
	expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 400, hold: 600 });
});

it('makes one of many steps from the same state', async () => {
	const id = await idOf(request(400));
	const codes = await Promise.all([1, 2, 3, 4].map(() => codeOf(reject(id, 400))));
	expect(codes.sort()).toEqual(['WRONG_STATE', 'WRONG_STATE', 'WRONG_STATE', 'done']);
	expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 1_000, hold: 0 });
});

it('refuses a text that the database cannot store, and goes on', async () => {
	const from = { from: null, to: 'REQUESTED' };
	const half = 'half \ud800';
	for (const unstorable of [{ data: { reason: '\0' } }, { data: { steps: [{ [half]: 1 }] } }, { claims: [half] }])
		expect(await codeOf(submit({ ...from, ...unstorable }))).toBe('VALIDATION_FAILED');
	expect(await codeOf(submit({ ...from, data: { reason: 'whole \u{1f600} \\u0000' } }))).toBe('done');
});

it('answers a repeated request with the workflow that the first one made', async () => {
	const key = { walletId: PLAYER, clientRequestId: 'withdrawal-1', body: '{}' };
	const ids = await Promise.all([idOf(request(400, key)), idOf(request(400, key))]);
	expect(ids[0]).toBe(ids[1]);
	expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 600, hold: 400 });
});

it('takes steps of several workflows together or not at all', async () => {
	const id = await idOf(request(400));
	const both = (amount: number) =>
		exchange.submit({
			kind: 'transfer',
			walletId: PLAYER,
			pool: 'PLAY',
			steps: [
				{ workflow: 'WITHDRAWAL', id, from: 'REQUESTED', to: 'APPROVED', isOpen: true, actor: 'operator' },
				{
					workflow: 'CASINO',
					from: null,
					to: 'OPEN',
					isOpen: true,
					actor: 'player',
					moves: [{ debit: 'cash', credit: 'casino', amount }],
				},
			],
		});
	expect(await codeOf(both(601))).toBe('INSUFFICIENT_FUNDS');
	expect(await codeOf(both(600))).toBe('done');
	expect(await codeOf(both(0))).toBe('WRONG_STATE');
});

it('finds a closed workflow in its table after a restart, and an open one in memory', async () => {
	const [closed, open_] = [await idOf(request(100)), await idOf(request(200))];
	await reject(closed, 100);
	await exchange.drain();
	exchange = await open();
	expect((await openWorkflows(database.db, silent, 'WITHDRAWAL')).map(({ id }) => id)).toEqual([open_]);
	expect(await codeOf(reject(closed, 100))).toBe('WRONG_STATE');
	expect(await codeOf(submit({ id: 999_999, from: 'REQUESTED', to: 'REJECTED' }))).toBe('NOT_FOUND');
	expect(await codeOf(submit({ id: closed, from: 'REJECTED', to: 'REQUESTED' }))).toBe('done');
	expect(await codeOf(reject(open_, 200))).toBe('done');
	expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 1_000, hold: 0 });
});

it('forgets the steps of a batch that was never written', async () => {
	const id = await idOf(request(400));
	await database.db.query(`alter table posting add constraint none check (kind <> 'WITHDRAWAL') not valid`);
	expect(await codeOf(reject(id, 400))).toBe('STARTING');
	await expect.poll(() => exchange.isOpen()).toBe(true);
	await database.db.query('alter table posting drop constraint none');
	expect(await codeOf(reject(id, 400))).toBe('done');
	await expectSound(database.db);
});

it('random steps with restarts leave every workflow where its steps lead, and the audit passes', async () => {
	const numbers = new SeededNumbers(7);
	const states = new Map<number, string>();
	for (let at = 0; at < 120; at++) {
		if (numbers.chance(4)) {
			await exchange.drain();
			exchange = await open();
		}
		if (states.size === 0 || numbers.chance(30)) {
			const made = await Promise.allSettled([idOf(request(1 + numbers.below(300)))]);
			for (const one of made) if (one.status === 'fulfilled') states.set(one.value, 'REQUESTED');
			continue;
		}
		const id = numbers.from([...states.keys()]);
		const [from, to] = [
			numbers.from(['REQUESTED', 'FROZEN', 'REJECTED']),
			numbers.from(['REQUESTED', 'FROZEN', 'REJECTED']),
		];
		const isRight = states.get(id) === from;
		expect(await codeOf(submit({ id, from, to, isOpen: to !== 'REJECTED' }))).toBe(isRight ? 'done' : 'WRONG_STATE');
		if (isRight) states.set(id, to);
	}
	const stored = await workflowsByKey(
		database.db,
		[...states.keys()].map((id) => ({ kind: 'WITHDRAWAL' as const, id })),
	);
	expect(new Map(stored.map(({ id, state }) => [id, state]))).toEqual(new Map([...states].sort(([a], [b]) => a - b)));
	await expectSound(database.db);
});

describe('a row whose data is not what its kind says', () => {
	/** Makes a row's amount a text, as no step does. */
	const spoil = (id: number) =>
		database.db.query(`update workflow set data = jsonb_set(data, '{amount}', '"a secret"') where id = $1`, [id]);

	it('is refused by kind and id, its contents are told nowhere, and the others go on', async () => {
		const [bad, good, ended] = [await idOf(request(100)), await idOf(request(200)), await idOf(request(300))];
		await reject(ended, 300);
		await exchange.drain();
		await spoil(bad);
		await spoil(ended);
		const lines: string[] = [];
		exchange = await open(pino({ level: 'error' }, { write: (line) => void lines.push(line) }));
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'WITHDRAWAL', id: bad, msg: UNREADABLE }]);
		for (const id of [bad, ended]) {
			await expect(reject(id, 100)).rejects.toThrow(`workflow WITHDRAWAL ${id} does not fit`);
			await expect(workflowsByKey(database.db, [{ kind: 'WITHDRAWAL', id }])).rejects.toThrow(UnreadableWorkflow);
		}
		expect((await openWorkflows(database.db, silent, 'WITHDRAWAL')).map(({ id }) => id)).toEqual([good]);
		expect(await codeOf(reject(good, 200))).toBe('done');
		expect(exchange.wallet(PLAYER)).toMatchObject({ cash: 900, hold: 100 });
		expect(lines.join()).not.toContain('a secret');
	});
});
