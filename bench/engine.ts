/**
 * `npm run bench -- engine --workload FILE`: the shipped engine on a stream of orders in memory (the workload's README
 * has its form), with self-matching allowed and ample funds for all players. The timing contains the commands and the
 * writing of the fills to a flat array; reading the file and hashing are outside. `bookOnly` is the order book with
 * matching alone, `withExposure` the whole command: checks, funds, exposure, postings. Nothing is written to disk.
 *
 * Two runs of each kind warm the compiler up; the median of three counts. Latencies come from a separate pass with a
 * clock around every operation. Each part runs in a process of its own, in which one engine takes all runs, as on a
 * server: optimizations for one part would be wrong for the next. The compiler has the server's settings. The garbage
 * of a run is collected before the next one. Memory is the peak of the first run. Prints one JSON line.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMPILER_FLAGS } from '#engine/create-engine.ts';
import { bookHash, fillHash } from './engine/answer-hash.ts';
import { BookRun } from './engine/book-run.ts';
import { EngineRun } from './engine/engine-run.ts';
import { type FillLog, readWorkload, type Workload } from './engine/workload.ts';

/** The rate that the book alone must reach. */
const MUST_OPS = 1_000_000;

const WARM_UP = 2;
const RUNS = 3;

const { values } = parseArgs({ options: { workload: { type: 'string' }, part: { type: 'string' } } });
if (!values.workload) throw new Error('usage: npm run bench -- engine --workload FILE');
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
	/** Opens the markets and wallets of the workload. */
	begin(): void;
	apply(op: number): void;
	/** Ends the markets, whatever is open. */
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
