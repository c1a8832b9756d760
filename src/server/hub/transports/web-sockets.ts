/**
 * WebSockets. What many connections hear is framed once and written to each socket as it is; `ws` does the rest of the
 * protocol. Without compression its sender writes at once, so both may write to the same socket.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Encoded } from '#server/hub/protocols/protocol.ts';
import type { Line, LineEnd, TransportOffer } from '#server/hub/transports/line.ts';

export const webSockets: TransportOffer = { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] };

/** Many small messages may come in one frame. */
export const LARGEST_FRAME_BYTES = 128 * 1024;

const FINAL = 0x80;
const TEXT = 1;
const BINARY = 2;
const NORMAL_CLOSURE = 1000;

const frames = new WeakMap<Encoded, Buffer>();

/** The message as one unmasked frame (RFC 6455, section 5.2). */
function frameOf(encoded: Encoded): Buffer {
	const held = frames.get(encoded);
	if (held) return held;
	const { bytes, format } = encoded;
	const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
	head[0] = FINAL | (format === 'Text' ? TEXT : BINARY);
	head[1] = bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127;
	if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
	if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
	const frame = Buffer.concat([head, bytes]);
	frames.set(encoded, frame);
	return frame;
}

/** Makes an upgraded socket a connection's line. */
export function openWebSocketLine(webSocket: WebSocket, socket: Duplex, end: LineEnd): Line {
	const line: Line = {
		keepsAlive: false,
		takesPosts: false,
		formats: webSockets.transferFormats,
		write: (encoded) => webSocket.readyState === webSocket.OPEN && socket.write(frameOf(encoded)),
		close: () => webSocket.close(NORMAL_CLOSURE),
		cut: () => webSocket.terminate(),
	};
	socket.on('drain', () => end.ready(line));
	webSocket.on('message', (data, isBinary) => end.received(data as Buffer, isBinary ? 'Binary' : 'Text'));
	webSocket.on('error', () => webSocket.terminate());
	webSocket.on('close', () => end.gone(line));
	return line;
}
