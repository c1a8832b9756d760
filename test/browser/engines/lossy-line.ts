/**
 * The network between a phone and the server: what is sent arrives late, and of what the hub sends over a WebSocket some
 * messages do not arrive at all.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface LossyLine {
	/** The server's, seen through this line. */
	url: string;
	/** From now on: before, nothing is late or lost, so that a page is there at once. */
	worsen(): void;
	/** The hub's messages that were lost so far. */
	lostCount(): number;
	close(): Promise<void>;
}

interface Quality {
	/** One way. */
	delayMs: number;
	/** Of the hub's messages and answers. */
	lossShare: number;
	/** From 0 to 1. */
	chance: () => number;
}

/** Takes the server's frames out of the stream (RFC 6455, section 5.2: short, unmasked). @returns those that arrive */
function lossyFrames(isLost: (frame: Buffer) => boolean): (data: Buffer) => Buffer {
	let rest: Buffer = Buffer.alloc(0);
	let isUpgraded = false;
	return (data) => {
		rest = Buffer.concat([rest, data]);
		const arriving: Buffer[] = [];
		if (!isUpgraded) {
			const end = rest.indexOf('\r\n\r\n');
			if (end < 0 || !rest.toString('latin1', 0, 12).endsWith('101')) {
				const through = rest;
				rest = Buffer.alloc(0);
				return through;
			}
			isUpgraded = true;
			arriving.push(rest.subarray(0, end + 4));
			rest = rest.subarray(end + 4);
		}
		for (let size = frameSize(rest); size > 0 && size <= rest.length; size = frameSize(rest)) {
			const frame = rest.subarray(0, size);
			rest = rest.subarray(size);
			if (!isLost(frame)) arriving.push(frame);
		}
		return Buffer.concat(arriving);
	};
}

/** Of the frame at the start, head included; 0 while its head is incomplete. */
function frameSize(data: Buffer): number {
	if (data.length < 2) return 0;
	const short = (data[1] as number) & 0x7f;
	if (short < 126) return 2 + short;
	if (short === 126) return data.length < 4 ? 0 : 4 + data.readUInt16BE(2);
	return data.length < 10 ? 0 : 10 + Number(data.readBigUInt64BE(2));
}

export async function openLossyLine(server: string, { delayMs, lossShare, chance }: Quality): Promise<LossyLine> {
	const { port } = new URL(server);
	const open = new Set<Socket>();
	let isBad = false;
	let lost = 0;
	const isLost = (frame: Buffer): boolean => {
		// A handshake, a ping or the end of the connection is none of the hub's messages.
		if (!isBad || !/"type":[13],/.test(frame.toString('latin1')) || chance() >= lossShare) return false;
		lost += 1;
		return true;
	};
	const line = createServer((near) => {
		const far = connect(Number(port), '127.0.0.1');
		const frames = lossyFrames(isLost);
		for (const [from, to, through] of [
			[near, far, (data: Buffer) => data],
			[far, near, frames],
		] as const) {
			open.add(from);
			// Timers of one length run in their order.
			const later = (what: () => void) => setTimeout(what, isBad ? delayMs : 0);
			from.on('data', (data: Buffer) => {
				const arriving = through(data);
				if (arriving.length > 0) later(() => to.writable && to.write(arriving));
			});
			from.on('end', () => later(() => to.end()));
			from.on('error', () => undefined);
			from.on('close', () => {
				open.delete(from);
				later(() => to.destroy());
			});
		}
	});
	await once(line.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://localhost:${(line.address() as AddressInfo).port}`,
		worsen: () => {
			isBad = true;
		},
		lostCount: () => lost,
		close: async () => {
			for (const socket of open) socket.destroy();
			line.close();
			await once(line, 'close');
		},
	};
}
