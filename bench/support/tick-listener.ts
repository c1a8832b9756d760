/**
 * A process of a few players who hear Crash, so that a busy generator delays no tick: on request it answers with the
 * delays of one flight's ticks beyond their interval, in milliseconds, and resets.
 */
import { HubClient } from './hub-client.ts';

const CLIENTS = 20;
const TICK_MS = 150;
const TICK = /CrashTick.*?round\\+":\\+"(\d+)/;

const port = Number(process.argv[2]);
const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HubClient.open(port, '', ['table:crash'])));
let late: number[] = [];
for (const client of clients) {
	let before: { round: string; atMs: number } | null = null;
	client.onFrame = (frame) => {
		const round = TICK.exec(frame)?.[1];
		if (round === undefined) return;
		const atMs = performance.now();
		if (before?.round === round) late.push(Math.max(0, atMs - before.atMs - TICK_MS));
		before = { round, atMs };
	};
}
process.on('message', () => {
	process.send?.(late);
	late = [];
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
