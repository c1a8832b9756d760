/** Clients that behave badly below HTTP: sockets that say nothing, or a byte now and then. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class RawClient {
	readonly #socket: Socket;
	/** Bytes the server sent, as text. */
	received = '';
	/** Resolves when the connection is over, whichever side ended it. */
	readonly closed: Promise<void>;
	#trickle: NodeJS.Timeout | null = null;

	private constructor(socket: Socket) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => {
			socket.on('close', () => {
				if (this.#trickle) clearInterval(this.#trickle);
				resolve();
			});
		});
		socket.on('error', () => {});
		socket.setEncoding('latin1').on('data', (text) => {
			this.received += text;
		});
	}

	/** A connection that has said nothing yet. */
	static async open(port: number): Promise<RawClient> {
		const socket = connect(port, '127.0.0.1');
		await once(socket, 'connect');
		return new RawClient(socket);
	}

	get isOpen(): boolean {
		return !this.#socket.destroyed;
	}

	/** Says it at once. */
	send(text: string): void {
		this.#socket.write(text);
	}

	/** Says it byte by byte, one every N milliseconds, until it is said or the connection is over. */
	trickle(text: string, everyMs: number): void {
		const bytes = [...text];
		this.#trickle = setInterval(() => {
			const byte = bytes.shift();
			if (byte !== undefined) this.#socket.write(byte, 'latin1');
		}, everyMs);
	}

	/** Stops reading, so that the server's messages queue on its side. */
	stopReading(): void {
		this.#socket.pause();
	}

	/** Reads the queued messages, and continues. */
	readOn(): void {
		this.#socket.resume();
	}

	/** Breaks the connection without a word. */
	abort(): void {
		this.#socket.resetAndDestroy();
	}
}
