/** Many WebSocket clients at the least cost: plain sockets that read no more than they need. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HANDSHAKE = '{"protocol":"json","version":1}\u001e';
const OPENED_AT_ONCE = 100;

/** A client's text frame; masked with zeros, which leaves the bytes as they are. */
export function clientFrame(text: string): Buffer {
	const payload = Buffer.from(text);
	const head =
		payload.length < 126
			? Buffer.of(0x81, 0x80 | payload.length, 0, 0, 0, 0)
			: Buffer.of(0x81, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0);
	return Buffer.concat([head, payload]);
}

async function open(port: number): Promise<Socket> {
	const socket = connect(port, '127.0.0.1');
	socket.setNoDelay(true);
	await once(socket, 'connect');
	socket.write(
		`GET /hub HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
			`Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
	);
	const [answer] = (await once(socket, 'data')) as [Buffer];
	if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString('latin1'));
	socket.write(clientFrame(HANDSHAKE));
	await once(socket, 'data');
	return socket;
}

/** Sockets after the hub's handshake, in order. */
export async function openCrowd(port: number, count: number): Promise<Socket[]> {
	const sockets: Socket[] = [];
	while (sockets.length < count) {
		const few = Math.min(OPENED_AT_ONCE, count - sockets.length);
		sockets.push(...(await Promise.all(Array.from({ length: few }, () => open(port)))));
	}
	return sockets;
}
