/**
 * WebSockets. A message for many connections is framed once and written to each socket as it is; `ws` handles the rest
 * of the protocol. Without compression its sender writes at once, so both may write to the same socket.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Encoded } from '#server/doors/hub/protocols/protocol.ts';
import { type Batch, type BatchingTransport, SharedBatches } from '#server/doors/hub/transports/shared-batches.ts';
import type { Transport, TransportListener, TransportOffer } from '#server/doors/hub/transports/transport.ts';

export const webSockets: TransportOffer = { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] };

/** One frame may hold many small messages. */
export const LARGEST_FRAME_BYTES = 128 * 1024;
/** A batch above this size is flushed within the turn. */
const LARGE_BATCH_BYTES = 64 * 1024;

const FINAL = 0x80;
const TEXT = 1;
const BINARY = 2;
const NORMAL_CLOSURE = 1000;

/** The message as one unmasked frame (RFC 6455, section 5.2). */
function frameOf({ bytes, format }: Encoded): Buffer {
	const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
	head[0] = FINAL | (format === 'Text' ? TEXT : BINARY);
	head[1] = bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127;
	if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
	if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
	return Buffer.concat([head, bytes]);
}

const batches = new SharedBatches(frameOf);

class WebSocketTransport implements Transport, BatchingTransport {
	readonly keepsAlive = false;
	readonly takesPosts = false;
	readonly formats = webSockets.transferFormats;
	readonly #webSocket: WebSocket;
	readonly #socket: Duplex;
	readonly #end: TransportListener;
	/** Messages handed over in this turn. */
	#batch: Batch | null = null;
	/** The socket accepts no more for now. */
	#full = false;

	constructor(webSocket: WebSocket, socket: Duplex, end: TransportListener) {
		this.#webSocket = webSocket;
		this.#socket = socket;
		this.#end = end;
		socket.on('drain', () => this.#ready());
	}

	write(encoded: Encoded): boolean {
		this.#batch = (this.#batch ?? batches.begin(this)).with(encoded);
		this.#full ||= this.#socket.writableNeedDrain || this.#batch.size >= LARGE_BATCH_BYTES;
		return !this.#full;
	}

	flush(): void {
		const batch = this.#batch;
		this.#batch = null;
		if (!batch || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
		if (this.#socket.write(batch.bytes)) this.#ready();
		else this.#full = true;
	}

	#ready(): void {
		if (!this.#full) return;
		this.#full = false;
		this.#end.ready(this);
	}

	close(): void {
		this.flush();
		this.#webSocket.close(NORMAL_CLOSURE);
	}

	cut(): void {
		this.#webSocket.terminate();
	}
}

/** Turns an upgraded socket into a connection's transport. */
export function openWebSocket(webSocket: WebSocket, socket: Duplex, end: TransportListener): Transport {
	const transport = new WebSocketTransport(webSocket, socket, end);
	webSocket.on('message', (data, isBinary) => end.received(data as Buffer, isBinary ? 'Binary' : 'Text'));
	webSocket.on('error', () => webSocket.terminate());
	webSocket.on('close', () => end.gone(transport));
	return transport;
}
