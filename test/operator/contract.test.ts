/**
 * The operators' calls as one contract: each has what does it, the doors that open it, a permission, a command where
 * the key opens it, and a refusal of what it does not take.
 */
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperatorCall } from '#contract/operators/operator-call.ts';
import {
	CONSOLE_CALLS,
	type ConsoleCallName,
	KEY_CALLS,
	OPERATOR_CALLS,
	type OperatorCallName,
	SHARED_CALLS,
} from '#contract/operators/registry.ts';
import type { ActsOf, PreviewsOf } from '#server/operators/act.ts';
import { actsIn } from '#server/operators/all-acts.ts';
import { allCommands } from '#server/operators/commands/command.ts';
import { MARKET_ACTS, MARKET_PREVIEWS } from '#server/operators/market-acts.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { PERMISSION_NAMES, STAFF_ROLES } from '#values/staff-permissions.ts';
import { freshDatabase } from '../support/database.ts';
import { checkAnswer } from '../support/operator-answer.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const CALLS = Object.entries(OPERATOR_CALLS) as [OperatorCallName, OperatorCall][];
const NAMES = CALLS.map(([name]) => name);
const isOfKey = (name: string): boolean => name in SHARED_CALLS || name in KEY_CALLS;
const isOfConsole = (name: OperatorCallName): name is ConsoleCallName => name in CONSOLE_CALLS;

/** What an earlier release wrote when calls had other names. */
const OF_EARLIER_RELEASE = [
	{
		actor: 'asha',
		address: null,
		act: 'domain-set',
		subject: 'domain royal.localhost',
		details: { host: 'royal.localhost', field: 'description', value: 'One.' },
		before: { description: 'Zero.' },
		after: { description: 'One.' },
		outcome: 'done',
	},
];

const WORD = fc.stringMatching(/^[a-z][\w -]{0,20}$/);
/** What JSON can say and the server reads; bad-input.test.ts has what it does not read. */
const LEAF = fc.oneof(WORD, fc.integer(), fc.boolean(), fc.constant(null));
const ANYTHING = fc.oneof(LEAF, fc.array(LEAF), fc.dictionary(WORD, LEAF));

let server: TestServer;
let owner: ConsoleClient;
beforeAll(async () => {
	const database = await freshDatabase();
	const journal = new Journal({ db: database.db, ledgerKey: LEDGER_KEY, epoch: 0 });
	for (const row of OF_EARLIER_RELEASE) await journal.write(row);
	await database.db.query(`insert into brand (host, setting) values ('royal.localhost', '{"description": "One."}')`);
	server = await TestServer.start(database);
	const about = { name: 'an owner', passwordHash: 'none', roles: ['owner'], brands: null };
	const { directory, sessions } = server.running.staff;
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	owner = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: 'a test' };
	owner.cookies.set('console-session', await sessions.begin(staffId, visit, true));
});
afterAll(() => server.dispose());

/** What the console and the key's door say to a body: a code, or null where it was done. */
async function said(name: OperatorCallName, body: object): Promise<{ console: string | null; key: string | null }> {
	const [ofConsole, ofKey] = await Promise.all([owner.send(`/api/${name}`, body), server.operator(name, body)]);
	return { console: ofConsole.body.error?.code ?? null, key: ofKey.code };
}

it('every call has an act, a permission that some role has, and the doors of its place in the registry', async () => {
	expect(actsIn(OPERATOR_CALLS).map(({ name }) => name)).toEqual(NAMES);
	const held = new Set(Object.values(STAFF_ROLES).flat());
	const needed = CALLS.flatMap(([, { permission, confirm }]) => [permission, ...(confirm ? [confirm] : [])]);
	expect(needed.filter((one) => !PERMISSION_NAMES.includes(one) || !held.has(one))).toEqual([]);
	// No input has this field, so a door that is there refuses the body.
	const doors = CALLS.map(async ([name]) => [name, await said(name, { 'no field of any call': 1 })] as const);
	const expected = NAMES.map((name) => [
		name,
		{
			console: isOfConsole(name) ? 'VALIDATION_FAILED' : 'NOT_FOUND',
			key: isOfKey(name) ? 'VALIDATION_FAILED' : 'NOT_FOUND',
		},
	]);
	expect(await Promise.all(doors)).toEqual(expected);
});

it('every call of the key has a command that can say each field it needs; no other call has one', () => {
	const commands = allCommands();
	expect([...new Set(commands.map(({ call }) => call))].sort()).toEqual(NAMES.filter(isOfKey).sort());
	const words = commands.map((command) => command.words.join(' '));
	expect(words.filter((one, at) => words.indexOf(one) !== at)).toEqual([]);
	const unsaid = commands.flatMap(({ call, args, options, fixed, made }) => {
		const said = new Set([...[...args, ...options].map(({ name }) => name), ...Object.keys({ ...fixed, ...made })]);
		const needed = Object.entries(OPERATOR_CALLS[call].input.entries).filter(([, { type }]) => type !== 'optional');
		return needed.filter(([name]) => !said.has(name)).map(([name]) => `${call} ${name}`);
	});
	expect(unsaid).toEqual([]);
	expect(commands.filter(({ summary }) => !/^\p{Lu}.*\.$/u.test(summary)).map(({ call }) => call)).toEqual([]);
});

it('a row of the journal under a former name is found under the present one, and undone by it', async () => {
	const host = 'royal.localhost';
	const asked = { act: 'brand-set', subject: `domain ${host}` };
	const rows = await server.act<{ act: string; after: object }[]>('journal', asked);
	expect(rows).toMatchObject([{ act: 'domain-set', after: { description: 'One.' } }]);
	const { history } = await server.act<{ history: { seq: number; field: string }[] }>('brand-show', { host });
	expect(history).toMatchObject([{ field: 'description', before: 'Zero.', after: 'One.' }]);
	await owner.result('brand-roll-back', { host, seq: history[0]?.seq, field: 'description' });
	expect(server.running.brands.byHost(host)?.setting.description).toBe('Zero.');
});

it.each(CALLS)('%s refuses what it does not take, and nothing fails inside', async (name, call) => {
	const fields = fc.record(Object.fromEntries(Object.keys(call.input.entries).map((field) => [field, ANYTHING])));
	const bodies = fc.oneof(fields, fc.dictionary(WORD, ANYTHING));
	const wrong = fc.sample(
		bodies.filter((body) => !v.safeParse(call.input, body).success),
		{ seed: 7, numRuns: 6 },
	);
	for (const body of wrong) {
		const { console, key } = await said(name, body);
		const codes = [...(isOfConsole(name) ? [console] : []), ...(isOfKey(name) ? [key] : [])];
		expect([body, codes]).toEqual([body, codes.map(() => 'VALIDATION_FAILED')]);
	}
});

it('an answer is compared with the contract, field for field', () => {
	const answer = { userName: 'anna', added: 5, balance: 10 };
	expect(() => checkAnswer('add-money', answer)).not.toThrow();
	expect(() => checkAnswer('add-money', { ...answer, balance: '10' })).toThrow(
		'otherwise than the contract: balance: ',
	);
	expect(() => checkAnswer('add-money', { ...answer, mobile: '+91' })).toThrow('more than the contract');
});

it('the types refuse an act that is left out or answers otherwise, and two persons without a preview', () => {
	const { suspend, resume } = MARKET_ACTS;
	const faults = [
		// @ts-expect-error an act is left out
		{ suspend } satisfies ActsOf<'suspend' | 'resume'>,
		// @ts-expect-error it answers another type
		{ suspend: () => ({ suspended: 1 }), resume } satisfies ActsOf<'suspend' | 'resume'>,
		// @ts-expect-error it reads a field that the input does not have
		{ suspend: ({ betId }, parts, by) => suspend(betId, parts, by) } satisfies ActsOf<'suspend'>,
		// @ts-expect-error there is no such call
		{ suspend } satisfies ActsOf<'suspend' | 'suspend-all'>,
		// @ts-expect-error a call of two persons has no preview
		{ settle: MARKET_PREVIEWS.settle } satisfies PreviewsOf<'settle' | 'void'>,
		// @ts-expect-error one member makes it alone
		{ suspend: MARKET_PREVIEWS.void } satisfies PreviewsOf<'suspend'>,
	];
	expect(faults).toHaveLength(6);
});
