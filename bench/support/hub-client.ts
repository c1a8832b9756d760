/** A browser at the hub, as cheap as it can be: registers, watches a market, and says when its balance arrives. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

const SEPARATOR = '\u001e';
const HANDSHAKE = `{"protocol":"json","version":1}${SEPARATOR}`;
const BALANCE = '"Code":"UserBalance"';
const COMPLETION = '"type":3';

/** Opens a WebSocket without compression, which the server does not offer either. */
export async function openSocket(url: string): Promise<WebSocket> {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	await once(socket, 'open');
	return socket;
}

export class HubClient {
	/** Frames heard so far. */
	messages = 0;
	/** Told when a balance arrives. */
	onBalance: (() => void) | null = null;
	readonly #socket: WebSocket;
	#onCompletion: ((record: string) => void) | null = null;

	private constructor(socket: WebSocket) {
		this.#socket = socket;
		socket.on('message', (data) => this.#heard(String(data)));
	}

	/** A registered client that watches the market; the balance sent at registration has arrived by then. */
	static async open(port: number, token: string, marketId: string): Promise<HubClient> {
		const client = new HubClient(await openSocket(`ws://127.0.0.1:${port}/hub`));
		client.#socket.send(HANDSHAKE);
		const here = { Browser: 'bench', Domain: '127.0.0.1', CurrentPage: '/', Token: token };
		await client.#call('RegisterClient', here);
		await client.#call('Subscribe', { channels: [`market:${marketId}`] });
		return client;
	}

	async close(): Promise<void> {
		const closed = once(this.#socket, 'close');
		this.#socket.close();
		await closed;
	}

	async #call(target: string, argument: object): Promise<void> {
		const completion = new Promise<string>((resolve) => {
			this.#onCompletion = resolve;
		});
		this.#socket.send(JSON.stringify({ type: 1, invocationId: '1', target, arguments: [argument] }) + SEPARATOR);
		const record = await completion;
		if (!record.includes('"success":true')) throw new Error(`${target}: ${record}`);
	}

	#heard(frame: string): void {
		this.messages++;
		if (frame.includes(BALANCE)) this.onBalance?.();
		else if (frame.includes(COMPLETION)) this.#onCompletion?.(frame);
	}
}
