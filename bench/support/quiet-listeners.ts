/**
 * Clients that listen to a channel of the hub and read its messages once in five seconds: in between, the kernel
 * buffers them. Thousands of them cost the server as much as real ones, and use little of its processor.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { clientFrame, openCrowd } from './socket-crowd.ts';

const SEPARATOR = '\u001e';
const PING = clientFrame(`{"type":6}${SEPARATOR}`);
const OPENED_AT_ONCE = 50;

const call = (target: string, argument: object): Buffer =>
	clientFrame(JSON.stringify({ type: 1, invocationId: target, target, arguments: [argument] }) + SEPARATOR);

/** The server disconnects a client that is silent for half a minute. */
const READ_EVERY_MS = 5_000;

export class QuietListeners {
	readonly #sockets: Socket[] = [];
	readonly #reading = setInterval(() => this.#read(), READ_EVERY_MS);
	#isBusy = false;

	/** A registered client on the channel for each of those logins. */
	static async open(port: number, tokens: readonly string[], channel: string): Promise<QuietListeners> {
		const listeners = new QuietListeners();
		for (let from = 0; from < tokens.length; from += OPENED_AT_ONCE) {
			const few = tokens.slice(from, from + OPENED_AT_ONCE);
			const sockets = await openCrowd(port, few.length);
			await Promise.all(few.map((token, at) => listen(sockets[at] as Socket, token, channel)));
			for (const socket of sockets) socket.on('data', () => socket.pause()).on('error', () => socket.destroy());
			listeners.#sockets.push(...sockets);
		}
		return listeners;
	}

	/** They read nothing during that. */
	async resting<Result>(work: () => Promise<Result>): Promise<Result> {
		this.#isBusy = true;
		try {
			return await work();
		} finally {
			this.#isBusy = false;
		}
	}

	/** @throws Error if the server closed one before: then it measured nothing */
	close(): void {
		clearInterval(this.#reading);
		const gone = this.#sockets.filter(({ destroyed }) => destroyed).length;
		for (const socket of this.#sockets) socket.destroy();
		if (gone > 0) throw new Error(`The server closed ${gone} clients.`);
	}

	/** Reads the received messages, and sends a keep-alive to the server. */
	#read(): void {
		if (this.#isBusy) return;
		for (const socket of this.#sockets) {
			if (!socket.destroyed) socket.write(PING);
			socket.resume();
		}
	}
}

async function listen(socket: Socket, token: string, channel: string): Promise<void> {
	socket.write(call('RegisterClient', { Browser: 'bench', Domain: '127.0.0.1', CurrentPage: '/', Token: token }));
	socket.write(call('Subscribe', { channels: [channel] }));
	for (let heard = ''; !heard.includes('"invocationId":"Subscribe"'); ) {
		const [bytes] = (await once(socket, 'data')) as [Buffer];
		heard += bytes.toString('latin1');
	}
}
