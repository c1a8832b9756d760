/**
 * The exchange, its standbys and its database in simulated time, each seed another day of faults. They run in a process of
 * their own, because they put simulated clocks and chance in the place of the real ones: `npm run simulate` runs more.
 */
import { expect, it } from 'vitest';
import { runTool } from '../support/run-tool.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

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

async function simulate<Line>(...options: string[]): Promise<Line[]> {
	const { stdout, stderr } = await runTool(TOOL, options, process.env);
	const lines = stdout.split('\n').filter((line) => line.startsWith('{"'));
	if (lines.length === 0) throw new Error(`The simulation printed no line: ${stderr}`);
	const found = lines.map((line) => JSON.parse(line) as Line & { ok?: boolean });
	if (found.some(({ ok }) => ok === false)) throw new Error(stdout);
	return found;
}

/** By seed, from the first one. */
let simulated: Simulated[] = [];

it('holds what it promises, whatever fails', async () => {
	simulated = await simulate<Simulated>('--seeds', '2', '--seconds', '60');
	expect(simulated).toHaveLength(2);
	for (const { answers, takeovers } of simulated) {
		expect(answers).toBeGreaterThan(200);
		expect(takeovers).toBeGreaterThan(1);
	}
});

it('comes to the same end from the same seed', async () => {
	const [one] = simulated;
	const [other] = await simulate<Simulated>('--seed', '1', '--seconds', '60');
	expect(one).toBeDefined();
	const withoutSpeed = (line?: object) => ({ ...line, secondsACpuSecond: 0 });
	expect(withoutSpeed(one)).toEqual(withoutSpeed(other));
});

/** Found within seconds by their seeds. */
const SOON = [
	'ack-before-commit',
	'epoch-reused',
	'quotes-kept',
	'fence-open',
	'requests-not-written',
	'applied-twice',
];

it('finds faults that are planted', async () => {
	const planted = await simulate<Planted>('--planted', SOON.join(','), '--seeds', '5', '--seconds', '40');
	expect(planted.filter(({ found }) => found).map(({ planted: name }) => name)).toHaveLength(SOON.length);
});

it('finds every fault that is planted', { tags: 'thorough', timeout: 3_600_000 }, async () => {
	const planted = await simulate<Planted>('--planted', 'all', '--seeds', '60', '--seconds', '120');
	expect(planted.filter(({ found }) => !found)).toEqual([]);
	expect(planted).toHaveLength(PLANTED_FAULTS.length);
});
