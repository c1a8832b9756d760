/**
 * Processor time of a page's main thread by the browser's own trace, task by task. It counts what the page costs, and
 * leaves out how long other processes of the machine kept it waiting.
 */
import type { CDPSession } from 'playwright-core';

/** A task of the main thread: an animation frame, a message, a timer. Microseconds. */
interface TraceEvent {
	name: string;
	ph: string;
	pid: number;
	tid: number;
	ts: number;
	dur?: number;
	tdur?: number;
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** Processor time in ms of each task of the page's main thread while the work ran. */
export async function mainThreadTasks(devtools: CDPSession, work: () => Promise<unknown>): Promise<number[]> {
	const events: TraceEvent[] = [];
	const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as TraceEvent[]));
	devtools.on('Tracing.dataCollected', collect);
	const ended = new Promise<void>((resolve) => devtools.once('Tracing.tracingComplete', () => resolve()));
	await devtools.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: CATEGORIES },
	});
	await work();
	await devtools.send('Tracing.end');
	await ended;
	devtools.off('Tracing.dataCollected', collect);
	const main = events.find(({ name }) => name === 'FireAnimationFrame');
	return events
		.filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === main?.pid && tid === main.tid)
		.map(({ tdur = 0 }) => tdur / 1000);
}
