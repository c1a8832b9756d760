/**
 * `npm run bench -- survey --orders FILE`: the engine's order book on an order flow of a public survey of matching engines,
 * whose generator writes the file. Reports are written to a flat array within the timing; reading the file and comparing
 * the reports are outside. Five runs warm the compiler up and the median of ten counts, as the survey's own harness takes
 * it. `--hash SHA256` compares with what the survey publishes for the scenario. Prints one JSON line.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMPILER_FLAGS } from '#engine/create-engine.ts';
import { readSurveyFlow, reportHash } from './engine/survey-flow.ts';
import { SurveyRun } from './engine/survey-run.ts';
import { percentile, print, round } from './support/figures.ts';

const WARM_UP = 5;
const RUNS = 10;
const MUST = { messagesPerSecond: 2_000_000 };
const AIM = { messagesPerSecond: 8_190_000 };

const { values } = parseArgs({
	options: { orders: { type: 'string' }, hash: { type: 'string' }, inner: { type: 'boolean', default: false } },
});
if (!values.orders) throw new Error('usage: npm run bench -- survey --orders FILE [--hash SHA256]');
if (values.inner) measure(readFileSync(values.orders));
// The compiler has the server's settings.
else
	process.stdout.write(
		execFileSync(process.execPath, [
			...process.execArgv,
			...COMPILER_FLAGS,
			'--expose-gc',
			import.meta.filename,
			'--inner',
			...process.argv.slice(2),
		]),
	);

function measure(file: Buffer): void {
	const flow = readSurveyFlow(file);
	const run = new SurveyRun(flow);
	const rates: number[] = [];
	for (let count = 1; count <= WARM_UP + RUNS; count++) {
		run.begin();
		globalThis.gc?.();
		const from = performance.now();
		for (let message = 0; message < flow.messages; message++) run.apply(message);
		const seconds = (performance.now() - from) / 1000;
		if (count > WARM_UP) rates.push(flow.messages / seconds);
		if (count < WARM_UP + RUNS) run.end();
	}
	const hash = reportHash(run.reports, run.length);
	print({
		messages: flow.messages,
		ticks: flow.ticks,
		messagesPerSecond: Math.round(percentile(rates, 0.5)),
		slowest: Math.round(rates[0] ?? 0),
		ratio: round(percentile(rates, 0.5) / MUST.messagesPerSecond, 2),
		isRight: values.hash === undefined ? null : hash === values.hash,
		hash,
		must: MUST,
		aim: AIM,
	});
}
