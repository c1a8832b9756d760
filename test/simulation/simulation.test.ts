/**
 * The exchange, its standbys and its database in simulated time, each seed another day of faults. They run in a process of
 * their own, because they put simulated clocks and chance in the place of the real ones: `npm run simulate` runs more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTool } from '../support/run-tool.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TOOL = 'tools/simulate.ts';

interface Simulated {
	ok: boolean;
	fingerprint: string;
	batches: number;
	answers: number;
	takeovers: number;
}
interface Planted {
	planted: string;
	found: boolean;
}

async function simulate<Line>(options: readonly string[], flags: readonly string[] = []): Promise<Line[]> {
	const { stdout, stderr } = await runTool(TOOL, options, process.env, flags);
	const lines = stdout.split('\n').filter((line) => line.startsWith('{"'));
	if (lines.length === 0) throw new Error(`The simulation printed no line: ${stderr}`);
	const found = lines.map((line) => JSON.parse(line) as Line & { ok?: boolean });
	if (found.some(({ ok }) => ok === false)) throw new Error(stdout);
	return found;
}

/** With `npm test` one seed alone, in whose few seconds standbys take over more than once. */
const SEED = ['--seed', '3', '--seconds', '8'];
/** It is over before the code that V8 optimizes most has paid: to compile that takes a third of its CPU. */
const SHORT = ['--no-turbofan'];

function expectPlayed({ answers, takeovers }: Simulated): void {
	expect(answers).toBeGreaterThan(200);
	expect(takeovers).toBeGreaterThan(1);
}

it('holds what it promises, whatever fails', async () => {
	const [one] = await simulate<Simulated>(SEED, SHORT);
	if (!one) throw new Error('The simulation has no such seed.');
	expectPlayed(one);
});

it('comes to the same end from the same seed', { tags: 'thorough' }, async () => {
	const [[one], [other]] = await Promise.all([simulate<Simulated>(SEED), simulate<Simulated>(SEED)]);
	expect({ ...other, secondsACpuSecond: 0 }).toEqual({ ...one, secondsACpuSecond: 0 });
});

it('holds it on other days, too', { tags: 'thorough' }, async () => {
	const simulated = await simulate<Simulated>(['--seeds', '2', '--seconds', '60']);
	expect(simulated).toHaveLength(2);
	simulated.forEach(expectPlayed);
});

it('has planted faults that are in the product once each', () => {
	for (const { name, changes } of PLANTED_FAULTS)
		for (const { file, from } of changes)
			expect([name, readFileSync(join(ROOT, file), 'utf8').split(from).length - 1]).toEqual([name, 1]);
});

/** Found within seconds by their seeds. */
const SOON = ['ack-before-commit', 'fence-open', 'requests-not-written'];

it('finds faults that are planted', { tags: 'thorough' }, async () => {
	const planted = await simulate<Planted>(['--planted', SOON.join(','), '--seeds', '5', '--seconds', '40']);
	expect(planted.filter(({ found }) => found).map(({ planted: name }) => name)).toHaveLength(SOON.length);
});

it('finds every fault that is planted', { tags: 'thorough', timeout: 3_600_000 }, async () => {
	const planted = await simulate<Planted>(['--planted', 'all', '--seeds', '60', '--seconds', '120']);
	expect(planted.filter(({ found }) => !found)).toEqual([]);
	expect(planted).toHaveLength(PLANTED_FAULTS.length);
});
