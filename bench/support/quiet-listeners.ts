/**
 * Clients that listen to a channel of the hub and read what it sent them only when they are told: in between, the kernel
 * keeps it. Thousands of them cost the server what real ones do, and hardly take its processor.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { clientFrame, openCrowd } from './socket-crowd.ts';

const SEPARATOR = '\u001e';
const PING = clientFrame(`{"type":6}${SEPARATOR}`);
const OPENED_AT_ONCE = 50;

const call = (target: string, argument: object): Buffer =>
	clientFrame(JSON.stringify({ type: 1, invocationId: target, target, arguments: [argument] }) + SEPARATOR);

export class QuietListeners {
	readonly #sockets: readonly Socket[];

	private constructor(sockets: readonly Socket[]) {
		this.#sockets = sockets;
		for (const socket of sockets) socket.on('data', () => socket.pause());
	}

	/** A registered client on the channel for each of those logins. */
	static async open(port: number, tokens: readonly string[], channel: string): Promise<QuietListeners> {
		const sockets = await openCrowd(port, tokens.length);
		for (let from = 0; from < tokens.length; from += OPENED_AT_ONCE)
			await Promise.all(
				tokens
					.slice(from, from + OPENED_AT_ONCE)
					.map((token, at) => listen(sockets[from + at] as Socket, token, channel)),
			);
		return new QuietListeners(sockets);
	}

	/** Reads what has come, and tells the server that the clients live. */
	read(): void {
		for (const socket of this.#sockets) {
			socket.write(PING);
			socket.resume();
		}
	}

	/** @throws Error when the server closed one before: it then measured nothing */
	close(): void {
		const gone = this.#sockets.filter(({ destroyed }) => destroyed).length;
		for (const socket of this.#sockets) socket.destroy();
		if (gone > 0) throw new Error(`The server closed ${gone} clients.`);
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
