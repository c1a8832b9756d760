/**
 * `npm run bench:engine -- --workload FILE`: the shipped engine on a stream of orders in memory (see the workload's
 * README for its form), self-matching allowed, everybody with ample funds. One JSON line. Two runs of each kind are
 * thrown away for the compiler, the median of three counts. Inside the timing: the commands, the fills written to a
 * flat array; outside: reading the file and the hashes. `bookOnly` is order book and matching alone, `withExposure` the
 * whole command: checks, funds, exposure, postings. Nothing is written to a disk. Latencies come from a pass of their
 * own with a clock around every operation.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bookHash, fillHash } from './engine/answer-hash.ts';
import { BookRun } from './engine/book-run.ts';
import { EngineRun } from './engine/engine-run.ts';
import { type FillLog, readWorkload } from './engine/workload.ts';

/** What the book alone must reach. */
const MUST_OPS = 1_000_000;

const WARM_UP = 2;
const RUNS = 3;

const { values } = parseArgs({ options: { workload: { type: 'string' } } });
if (!values.workload) throw new Error('usage: npm run bench:engine -- --workload FILE');
const workload = readWorkload(readFileSync(values.workload));

const book = median(() => new BookRun(workload));
const engine = median(() => new EngineRun(workload));
const latency = latencies(new EngineRun(workload));
const hashes = answerOf(() => new EngineRun(workload));
const bookHashes = answerOf(() => new BookRun(workload));
if (bookHashes.fillHash !== hashes.fillHash) throw new Error('book and engine matched differently');

process.stdout.write(
	`${JSON.stringify({
		ops: workload.ops,
		bookOnlyOpsPerSecond: book,
		withExposureOpsPerSecond: engine,
		bookOnlyRatio: round(book / MUST_OPS, 2),
		withExposureRatio: round(engine / book, 2),
		...latency,
		...hashes,
		rssMB: Math.round(process.resourceUsage().maxRSS / 1024),
	})}\n`,
);

/** What a whole run came to; the run itself is let go, so that one at a time is in memory. */
function answerOf<R extends Run & { fills: FillLog; resting?: () => Iterable<number[]> }>(start: () => R) {
	const run = start();
	for (let op = 0; op < workload.ops; op++) run.apply(op);
	return { fillHash: fillHash(run.fills), bookHash: run.resting ? bookHash(run.resting()) : null };
}

interface Run {
	apply(op: number): void;
}

/** Operations per second, the median of the runs that count. */
function median(start: () => Run): number {
	const rates: number[] = [];
	for (let count = 0; count < WARM_UP + RUNS; count++) {
		const run = start();
		globalThis.gc?.();
		const from = process.hrtime.bigint();
		for (let op = 0; op < workload.ops; op++) run.apply(op);
		const seconds = Number(process.hrtime.bigint() - from) / 1e9;
		if (count >= WARM_UP) rates.push(workload.ops / seconds);
	}
	rates.sort((a, b) => a - b);
	return Math.round(rates[Math.floor(RUNS / 2)] ?? 0);
}

function latencies(run: Run): { p50us: number; p99us: number; p999us: number; maxPauseMs: number } {
	const took = new Float64Array(workload.ops);
	for (let op = 0; op < workload.ops; op++) {
		const from = process.hrtime.bigint();
		run.apply(op);
		took[op] = Number(process.hrtime.bigint() - from);
	}
	took.sort();
	const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
	return {
		p50us: round(at(0.5) / 1e3, 2),
		p99us: round(at(0.99) / 1e3, 2),
		p999us: round(at(0.999) / 1e3, 2),
		maxPauseMs: round(at(1) / 1e6, 2),
	};
}

function round(value: number, decimals: number): number {
	return Number(value.toFixed(decimals));
}
