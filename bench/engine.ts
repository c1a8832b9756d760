/**
 * `npm run bench:engine -- --workload FILE`: the shipped engine on a stream of orders in memory (see the workload's
 * README for its form), self-matching allowed, everybody with ample funds. One JSON line. Two runs of each kind are
 * thrown away for the compiler, the median of three counts. Inside the timing: the commands, the fills written to a
 * flat array; outside: reading the file and the hashes. `bookOnly` is order book and matching alone, `withExposure` the
 * whole command: checks, funds, exposure, postings. Nothing is written to a disk. Latencies come from a pass of their
 * own with a clock around every operation. Each part runs in a process of its own, in which one engine takes all runs, as
 * a server has one: what the compiler learned from one part would be wrong for the next, and the memory is then the
 * engine's alone. The compiler is set as for a server. Garbage of the run before is collected between runs. Memory is
 * what the first run took at most.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMPILER_FLAGS } from '#engine/create-engine.ts';
import { bookHash, fillHash } from './engine/answer-hash.ts';
import { BookRun } from './engine/book-run.ts';
import { EngineRun } from './engine/engine-run.ts';
import { type FillLog, readWorkload, type Workload } from './engine/workload.ts';

/** What the book alone must reach. */
const MUST_OPS = 1_000_000;

const WARM_UP = 2;
const RUNS = 3;

const { values } = parseArgs({ options: { workload: { type: 'string' }, part: { type: 'string' } } });
if (!values.workload) throw new Error('usage: npm run bench:engine -- --workload FILE');
if (values.part) runPart(values.part, readWorkload(readFileSync(values.workload)));
else report(values.workload);

function report(file: string): void {
	const part = (name: string): Record<string, number & string> => {
		const options = [
			...process.execArgv,
			...COMPILER_FLAGS,
			'--expose-gc',
			import.meta.filename,
			'--workload',
			file,
			'--part',
			name,
		];
		return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }));
	};
	const book = part('book');
	const engine = part('engine');
	const { ops, ...latency } = part('latency');
	if (book.fillHash !== engine.fillHash) throw new Error('book and engine matched differently');
	const line = {
		ops,
		bookOnlyOpsPerSecond: book.opsPerSecond,
		withExposureOpsPerSecond: engine.opsPerSecond,
		bookOnlyRatio: round(Number(book.opsPerSecond) / MUST_OPS, 2),
		withExposureRatio: round(Number(engine.opsPerSecond) / Number(book.opsPerSecond), 2),
		...latency,
		fillHash: engine.fillHash,
		bookHash: engine.bookHash,
		rssMB: engine.rssMB,
	};
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

function runPart(name: string, workload: Workload): void {
	const parts: Record<string, () => object> = {
		book: () => measured(workload, new BookRun(workload)),
		engine: () => measured(workload, new EngineRun(workload)),
		latency: () => ({ ops: workload.ops, ...latencies(workload) }),
	};
	process.stdout.write(JSON.stringify(parts[name]?.() ?? {}));
}

function measured(workload: Workload, run: Run & { resting?: () => Iterable<number[]> }) {
	const rates: number[] = [];
	let rssMB = 0;
	for (let count = 1; count <= WARM_UP + RUNS; count++) {
		run.begin();
		globalThis.gc?.();
		const from = process.hrtime.bigint();
		for (let op = 0; op < workload.ops; op++) run.apply(op);
		const seconds = Number(process.hrtime.bigint() - from) / 1e9;
		if (count === 1) rssMB = Math.round(process.resourceUsage().maxRSS / 1024);
		if (count > WARM_UP) rates.push(workload.ops / seconds);
		if (count < WARM_UP + RUNS) run.end();
	}
	rates.sort((a, b) => a - b);
	return {
		opsPerSecond: Math.round(rates[Math.floor(RUNS / 2)] ?? 0),
		rssMB,
		fillHash: fillHash(run.fills),
		bookHash: run.resting ? bookHash(run.resting()) : null,
	};
}

interface Run {
	readonly fills: FillLog;
	/** Opens what the workload is about, empty. */
	begin(): void;
	apply(op: number): void;
	/** Ends it again, whatever stands. */
	end(): void;
}

function latencies(workload: Workload): { p50us: number; p99us: number; p999us: number; maxPauseMs: number } {
	const run = new EngineRun(workload);
	run.begin();
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
