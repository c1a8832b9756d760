/**
 * `npm run simulate -- --seed 1 --seconds 600 --seeds 10`: the long form of test/simulation. A line a seed; for a failure
 * what is wrong and the last events. The same seed always comes to the same end. `--planted NAME` puts a fault of
 * test/simulation/planted-faults.ts into the product's code, `--planted all` one after the other, and goes on to the seed
 * that finds it.
 */
import { parseArgs } from 'node:util';
import { PLANTED_FAULTS } from '../test/simulation/planted-faults.ts';
import { worldWith } from '../test/simulation/planted-modules.ts';
import { type Result, simulate, type WorldOptions } from '../test/simulation/world.ts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '1' },
		seconds: { type: 'string', default: '600' },
		standbys: { type: 'string', default: '2' },
		'no-faults': { type: 'boolean', default: false },
		events: { type: 'string', default: '60' },
		planted: { type: 'string' },
	},
});
const first = Number(values.seed);
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => first + at);
const optionsOf = (seed: number): WorldOptions => ({
	seed,
	seconds: Number(values.seconds),
	standbys: Number(values.standbys),
	hasFaults: !values['no-faults'],
	eventsKept: Number(values.events),
});

/** @returns whether nothing failed */
async function simulateAll(): Promise<boolean> {
	let failed = 0;
	for (const seed of seeds) {
		const before = process.cpuUsage();
		const { failure, lastEvents, fingerprint, figures } = await simulate(optionsOf(seed));
		const { user, system } = process.cpuUsage(before);
		const secondsACpuSecond = Math.round((figures.seconds * 1_000_000) / (user + system));
		console.log(JSON.stringify({ seed, ok: failure === null, fingerprint, ...figures, secondsACpuSecond }));
		if (failure === null) continue;
		failed++;
		console.log([...lastEvents, failure].join('\n'));
	}
	return failed === 0;
}

/** @returns whether every fault was found */
async function findPlanted(asked: string): Promise<boolean> {
	const faults = PLANTED_FAULTS.filter(({ name }) => asked === 'all' || asked.split(',').includes(name));
	if (faults.length === 0) throw new Error(`There is no planted fault ${asked}.`);
	let missed = 0;
	for (const fault of faults) {
		const world = await worldWith(fault);
		let found: Result | null = null;
		for (const seed of seeds) {
			const result = await world.simulate(optionsOf(seed));
			if (result.failure === null) continue;
			found = result;
			break;
		}
		if (!found) missed++;
		const [failure = null] = found?.failure?.split('\n') ?? [];
		const at = found && { seed: found.seed, seconds: found.figures.seconds };
		console.log(JSON.stringify({ planted: fault.name, found: found !== null, ...at, failure }));
	}
	return missed === 0;
}

const isRight = values.planted === undefined ? await simulateAll() : await findPlanted(values.planted);
process.exit(isRight ? 0 : 1);
