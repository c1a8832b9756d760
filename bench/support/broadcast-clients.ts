/**
 * Clients of the broadcast bench, as a process of their own. Reports when all are connected, and each time all have
 * received one more frame.
 */
import { openCrowd } from './socket-crowd.ts';

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const sockets = await openCrowd(port, count);

/** Bytes of a frame, learned from the first: every round sends frames of one size. */
let frameBytes = 0;
let rounds = 0;
let complete = 0;
const received = new Float64Array(count);
sockets.forEach((socket, at) => {
	socket.on('data', (data: Buffer) => {
		if (frameBytes === 0) frameBytes = 4 + data.readUInt16BE(2);
		const before = Math.floor((received[at] as number) / frameBytes);
		received[at] = (received[at] as number) + data.length;
		complete += Math.floor((received[at] as number) / frameBytes) - before;
		if (complete >= (rounds + 1) * count) {
			rounds += 1;
			process.send?.('all');
		}
	});
});
process.on('disconnect', () => process.exit(0));
process.send?.('open');
