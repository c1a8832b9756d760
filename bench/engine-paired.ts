/**
 * `npm run bench -- engine-paired DIR --workload FILE [--pairs 40]`: the engine of this checkout and of the one in DIR on
 * the same stream of orders. What V8 inlines differs from one process to the next and changes the speed by a tenth, so
 * each turn is a process of its own, warmed up, with the compiler flags of its checkout; the two sides alternate. A run
 * counts by its processor time, and a process by the faster of its usual runs. Prints one JSON line: the commands a
 * second of each side, and their ratio with its standard error.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type * as CreateEngineModule from '#engine/create-engine.ts';
import { fillHash } from './engine/answer-hash.ts';
import type * as EngineRunModule from './engine/engine-run.ts';
import { readWorkload } from './engine/workload.ts';
import { byTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';

const WARM_UP = 3;
const RUNS = 6;
/** Of the runs of a process: one that the machine disturbs is slower, and none is faster than the engine. */
const FASTER = 0.25;
const MUST = { ratio: 0.98 };
const HERE = join(import.meta.dirname, '..');

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: {
		workload: { type: 'string' },
		pairs: { type: 'string', default: '40' },
		part: { type: 'boolean', default: false },
	},
});
const [folder] = positionals;
if (!folder || !values.workload) throw new Error('usage: npm run bench -- engine-paired DIR --workload FILE');
if (values.part) await serve(resolve(folder), values.workload);
else print({ ...(await compared(resolve(folder), values.workload)), must: MUST });

/** What a process took: the processor time of its faster runs, seconds, and the hash of its fills. */
interface Turn {
	seconds: number;
	hash: string;
}

async function compared(other: string, workload: string) {
	const pairs = Number(values.pairs);
	const turns = await byTurns(pairs, await side(HERE, workload), await side(other, workload));
	if (new Set([...turns.ours, ...turns.other].map(({ hash }) => hash)).size !== 1)
		throw new Error('the two engines match differently');
	const { ops } = readWorkload(readFileSync(workload));
	const [ours, theirs] = [turns.ours, turns.other].map((taken) => taken.map(({ seconds }) => seconds)) as [
		number[],
		number[],
	];
	// Of logarithms: a ratio and its inverse are equally far from 1.
	const logs = ours.map((seconds, pair) => Math.log((theirs[pair] as number) / seconds));
	const mean = logs.reduce((sum, log) => sum + log, 0) / pairs;
	const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (pairs - 1);
	return {
		pairs,
		ratio: round(Math.exp(mean), 3),
		standardError: round(Math.sqrt(variance / pairs), 3),
		ratioOfMedians: round(percentile([...theirs], 0.5) / percentile([...ours], 0.5), 3),
		opsPerSecond: Math.round(ops / percentile([...ours], 0.5)),
		otherOpsPerSecond: Math.round(ops / percentile([...theirs], 0.5)),
	};
}

/** Makes a process of a checkout for each turn. */
async function side(checkout: string, workload: string): Promise<() => Promise<Turn>> {
	const { COMPILER_FLAGS }: typeof CreateEngineModule = await import(join(checkout, 'src/engine/create-engine.ts'));
	const args = [checkout, '--workload', workload, '--part'];
	return async () => {
		const child = fork(import.meta.filename, args, { execArgv: [...(COMPILER_FLAGS ?? []), '--expose-gc'] });
		const [turn] = (await once(child, 'message')) as [Turn];
		await once(child, 'exit');
		process.stderr.write(`${checkout}: ${turn.seconds.toFixed(3)} s\n`);
		return turn;
	};
}

async function serve(checkout: string, file: string): Promise<void> {
	const workload = readWorkload(readFileSync(file));
	const { EngineRun }: typeof EngineRunModule = await import(join(checkout, 'bench/engine/engine-run.ts'));
	const kept = new EngineRun(workload);
	const taken: number[] = [];
	let hash = '';
	for (let run = 0; run < WARM_UP + RUNS; run++) {
		kept.begin();
		globalThis.gc?.();
		const from = process.cpuUsage().user;
		for (let op = 0; op < workload.ops; op++) kept.apply(op);
		if (run >= WARM_UP) taken.push((process.cpuUsage().user - from) / 1e6);
		hash = fillHash(kept.fills);
		kept.end();
	}
	process.send?.({ seconds: percentile(taken, FASTER), hash } satisfies Turn);
	process.disconnect();
}
