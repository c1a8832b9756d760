/**
 * `npm run bench -- engine-paired DIR --workload FILE`: the engine of this checkout and of the one in DIR on the same
 * stream of orders, each in a process of its own, run by run in turns, so that both meet the same machine. Each run is
 * one of `bench engine`, here of the book alone and of the whole command. A run that the machine disturbs is slower and
 * none is faster than the engine, so each side's fastest quarter counts beside its median. Prints one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { COMPILER_FLAGS } from '#engine/create-engine.ts';
import { fillHash } from './engine/answer-hash.ts';
import type * as BookRunModule from './engine/book-run.ts';
import type * as EngineRunModule from './engine/engine-run.ts';
import { readWorkload } from './engine/workload.ts';
import { byTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';

const WARM_UP = 3;
const FASTEST = 0.25;
const MUST = { ratio: 0.95 };
const HERE = join(import.meta.dirname, '..');

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: {
		workload: { type: 'string' },
		turns: { type: 'string', default: '16' },
		part: { type: 'string' },
	},
});
const [folder] = positionals;
if (!folder || !values.workload) throw new Error('usage: npm run bench -- engine-paired DIR --workload FILE');
if (values.part) await serve(resolve(folder), values.workload, values.part);
else {
	const book = await compared(resolve(folder), values.workload, 'book');
	const engine = await compared(resolve(folder), values.workload, 'engine');
	print({ turns: Number(values.turns), book, engine, must: MUST });
}

/** The duration of one run, and the hash of its fills. */
interface Turn {
	seconds: number;
	hash: string;
}

async function compared(other: string, workload: string, part: string) {
	const sides = [HERE, other].map((folder) => side(folder, workload, part));
	const [here, there] = sides.map((one) => () => run(one)) as [() => Promise<Turn>, () => Promise<Turn>];
	await byTurns(WARM_UP, here, there);
	const { ours, other: theirs } = await byTurns(Number(values.turns), here, there);
	for (const one of sides) one.kill();
	if (new Set([...ours, ...theirs].map(({ hash }) => hash)).size !== 1)
		throw new Error('the two engines match differently');
	const { ops } = readWorkload(readFileSync(workload));
	const rate = (taken: readonly Turn[], share: number): number => {
		const seconds = taken.map((turn) => turn.seconds);
		return ops / percentile(seconds, share);
	};
	return {
		opsPerSecond: Math.round(rate(ours, FASTEST)),
		otherOpsPerSecond: Math.round(rate(theirs, FASTEST)),
		ratio: round(rate(ours, FASTEST) / rate(theirs, FASTEST), 3),
		ratioOfMedians: round(rate(ours, 0.5) / rate(theirs, 0.5), 3),
	};
}

/** A process of a checkout, which performs a run on each request. */
function side(folder: string, workload: string, part: string): ChildProcess {
	const args = [folder, '--workload', workload, '--part', part];
	return fork(import.meta.filename, args, { execArgv: [...COMPILER_FLAGS, '--expose-gc'] });
}

async function run(child: ChildProcess): Promise<Turn> {
	child.send('run');
	const [turn] = await once(child, 'message');
	return turn as Turn;
}

async function serve(folder: string, file: string, part: string): Promise<void> {
	const modules = join(folder, 'bench', 'engine');
	const workload = readWorkload(readFileSync(file));
	const { BookRun }: typeof BookRunModule = await import(join(modules, 'book-run.ts'));
	const { EngineRun }: typeof EngineRunModule = await import(join(modules, 'engine-run.ts'));
	const kept = part === 'book' ? new BookRun(workload) : new EngineRun(workload);
	process.on('message', () => {
		kept.begin();
		globalThis.gc?.();
		const from = process.hrtime.bigint();
		for (let op = 0; op < workload.ops; op++) kept.apply(op);
		const seconds = Number(process.hrtime.bigint() - from) / 1e9;
		const hash = fillHash(kept.fills);
		kept.end();
		process.send?.({ seconds, hash } satisfies Turn);
	});
}
