/**
 * The scenario tool as auditors call it: JSON lines, the documented shape, the shared examples. A process of it costs as much
 * as hundreds of scenarios, so the lines of the others are those that it would print.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lineFor } from '../../tools/scenario-line.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { path: EXAMPLES, isPresent } = sharedFolder('scenarios/examples.json', 'the test of the examples is skipped');

interface Example {
	name: string;
	expect: Record<string, unknown>;
}

function runTool(files: readonly string[], input = ''): unknown[] {
	const run = spawnSync(process.execPath, ['tools/scenario.ts', ...files], { cwd: ROOT, input, encoding: 'utf8' });
	expect(run.stderr).toBe('');
	expect(run.status).toBe(0);
	return run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

const market = { runners: ['A', 'B'], numberOfWinners: 1, commissionBp: 0 };
const users = { u1: { funds: 10_000 }, u2: { funds: 10_000 } };
const place = (orderId: string, user: string, side: string, more: object = {}) => ({
	op: 'place',
	orderId,
	user,
	runner: 'A',
	side,
	price: 2,
	stake: 1000,
	...more,
});
/** The reasons of the steps of a scenario, `ok` for those that were done. */
function reasons(ops: readonly object[], rules: object = {}): string[] {
	const line = lineFor({ market, users, rules, ops });
	return (line as { steps: { ok: boolean; reason?: string }[] }).steps.map((step) => step.reason ?? 'ok');
}

describe('the scenario tool', () => {
	it.skipIf(!isPresent)('gives what the shared examples expect', () => {
		const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Example[];
		const lines = runTool([EXAMPLES]);
		expect(lines).toHaveLength(examples.length);
		examples.forEach((example, at) => {
			expect(lines[at], example.name).toMatchObject(example.expect);
		});
	});

	it('takes markets with two winners, removals and dead heats, and answers NOT_SUPPORTED for an unknown operation', () => {
		const twoWinners = {
			market: { ...market, numberOfWinners: 2 },
			users,
			ops: [{ op: 'removeRunner', runner: 'B', reductionFactor: 10 }, { op: 'dance' }],
		};
		expect(lineFor(twoWinners)).toMatchObject({ steps: [{ ok: true }, { ok: false, reason: 'NOT_SUPPORTED' }] });
	});

	it('takes an each-way market, and winner and placed in its result', () => {
		const ops = [
			place('o1', 'u1', 'LAY', { runner: 'A', price: 3 }),
			place('o2', 'u2', 'BACK', { runner: 'A', price: 3 }),
			{ op: 'settle', results: { A: 'PLACED', B: 'WIN', C: 'LOSE' } },
		];
		const eachWay = { ...market, runners: ['A', 'B', 'C'], numberOfWinners: 2, eachWayDivisor: 4, commissionBp: 0 };
		// 1000 to win lost, 1000 for the place at 1.50 won.
		expect(lineFor({ market: eachWay, users, ops })).toMatchObject({
			settlement: { users: { u1: { net: 500 }, u2: { net: -500 } } },
		});
	});

	it('takes a market of lines, and a number for its result', () => {
		const ops = [
			place('o1', 'u1', 'BACK', { price: 2.5 }),
			place('o2', 'u2', 'LAY', { price: 3 }),
			{ op: 'settle', results: { A: 'WIN' } },
			{ op: 'settle', value: 3 },
		];
		const lines = { runners: ['A'], lines: { min: 0.5, max: 9.5, interval: 0.5 }, commissionBp: 0 };
		expect(lineFor({ market: lines, users, ops })).toMatchObject({
			steps: [{ ok: true }, { fills: [{ price: 2.5 }] }, { reason: 'INCOMPLETE_RESULT' }, { ok: true }],
			settlement: { users: { u1: { net: -1000 }, u2: { net: 1000 } } },
		});
	});

	it('answers VALIDATION_FAILED for an invalid scenario', () => {
		expect(runTool([], '[{}, 5]')).toMatchObject([
			{ error: { code: 'VALIDATION_FAILED' } },
			{ error: { code: 'VALIDATION_FAILED' } },
		]);
	});

	it('names the refusals as its form does', () => {
		expect(
			reasons([
				place('o1', 'u1', 'LAY'),
				place('o2', 'u2', 'BACK', { runner: 'Z' }),
				place('o2', 'u2', 'SIDEWAYS'),
				place('o2', 'u2', 'BACK', { price: 2.01 }),
				place('o2', 'u2', 'BACK', { price: '2' }),
				place('o2', 'u2', 'BACK', { stake: 0 }),
				place('o2', 'u2', 'BACK', { stake: '10' }),
				place('o2', 'u9', 'BACK'),
				place('o1', 'u2', 'BACK'),
				place('o2', 'u2', 'BACK', { stake: 10_001 }),
				{ op: 'cancel', orderId: 'o2', user: 'u2' },
				{ op: 'cancel', orderId: 'o1', user: 'u2' },
				{ op: 'cancel', orderId: 'o1', user: 'u1', size: 1001 },
				{ op: 'cancel', orderId: 'o1', user: 'u1' },
				{ op: 'cancel', orderId: 'o1', user: 'u1' },
				{ op: 'cancel', orderId: 'o1', user: 'u2' },
				{ op: 'suspend' },
				place('o2', 'u2', 'BACK'),
				{ op: 'settle', results: { A: 'WIN' } },
				{ op: 'settle', results: { A: 'WIN', B: 'LOSE' } },
				place('o2', 'u2', 'BACK'),
				{ op: 'settle', results: { A: 'WIN', B: 'LOSE' } },
			]),
		).toEqual([
			'ok',
			'UNKNOWN_RUNNER',
			'INVALID_SIDE',
			'INVALID_PRICE',
			'INVALID_PRICE',
			'INVALID_STAKE',
			'INVALID_STAKE',
			'UNKNOWN_USER',
			'DUPLICATE_ORDER',
			'INSUFFICIENT_FUNDS',
			'UNKNOWN_ORDER',
			'NOT_OWNER',
			'INVALID_SIZE',
			'ok',
			'ORDER_NOT_ACTIVE',
			'NOT_OWNER',
			'ok',
			'MARKET_SUSPENDED',
			'INCOMPLETE_RESULT',
			'ok',
			'MARKET_CLOSED',
			'MARKET_CLOSED',
		]);
	});

	it('matches a player with himself unless the file says REFUSE', () => {
		const ops = [place('o1', 'u1', 'LAY'), place('o2', 'u1', 'BACK')];
		expect(reasons(ops)).toEqual(['ok', 'ok']);
		expect(reasons(ops, { selfMatch: 'REFUSE' })).toEqual(['ok', 'SELF_MATCH']);
	});

	it('returns every stake when the whole result is VOID', () => {
		const ops = [
			place('o1', 'u1', 'LAY'),
			place('o2', 'u2', 'BACK'),
			{ op: 'settle', results: { A: 'VOID', B: 'VOID' } },
		];
		expect(lineFor({ market, users, ops })).toMatchObject({
			settlement: {
				users: {
					u1: { net: 0, commission: 0, profit: 0, balance: 10_000 },
					u2: { net: 0, commission: 0, profit: 0, balance: 10_000 },
				},
				commission: 0,
				rounding: 0,
			},
		});
	});
});
