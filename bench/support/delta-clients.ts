/**
 * Clients of the deltas bench, as a process of their own. Each subscribes to its markets; all count their frames, and
 * every twentieth reads when each delta was published.
 */
import { clientFrame, openCrowd } from './socket-crowd.ts';

const [port, count, markets, watched] = process.argv.slice(2).map(Number) as [number, number, number, number];
const READS_ALL_EVERY = 20;
const CLOCK = '\\"clock\\":';

let measuring = false;
let messages = 0;
const samples: number[] = [];

/** Splits a stream of unmasked text frames; an incomplete one is kept for the next time. */
function frames(onFrame: (payload: Buffer) => void, readsAll: boolean): (data: Buffer) => void {
	let rest: Buffer = Buffer.alloc(0);
	let skip = 0;
	return (data) => {
		let at = skip;
		const bytes = rest.length > 0 ? Buffer.concat([rest, data]) : data;
		rest = Buffer.alloc(0);
		while (at + 4 <= bytes.length) {
			const short = (bytes[at + 1] as number) & 0x7f;
			const head = short < 126 ? 2 : 4;
			const size = short < 126 ? short : bytes.readUInt16BE(at + 2);
			if (readsAll && at + head + size > bytes.length) break;
			if (readsAll) onFrame(bytes.subarray(at + head, at + head + size));
			messages += measuring ? 1 : 0;
			at += head + size;
		}
		// A client that only counts skips the rest of a counted frame.
		skip = Math.max(0, at - bytes.length);
		rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : rest;
	};
}

function readDelta(payload: Buffer): void {
	if (!measuring) return;
	const from = payload.indexOf(CLOCK);
	if (from < 0) return;
	const digits = payload.toString('latin1', from + CLOCK.length, from + CLOCK.length + 24);
	const publishedAt = Number.parseFloat(digits);
	if (publishedAt > 0) samples.push(performance.timeOrigin + performance.now() - publishedAt);
}

const sockets = await openCrowd(port, count);
sockets.forEach((socket, at) => {
	const channels = Array.from({ length: watched }, (_, next) => `market:${((at + next) % markets) + 1}`);
	const call = { type: 1, invocationId: '1', target: 'Subscribe', arguments: [{ channels }] };
	socket.write(clientFrame(`${JSON.stringify(call)}\u001e`));
	socket.on('data', frames(readDelta, at % READS_ALL_EVERY === 0));
});
process.on('message', (word) => {
	measuring = word === 'measure';
	if (word === 'report') process.send?.({ samples, messages });
});
process.on('disconnect', () => process.exit(0));
process.send?.('open');
