/** A cheap hub client: registers, watches a market, and reports when its balance arrives. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

const SEPARATOR = '\u001e';
const HANDSHAKE = `{"protocol":"json","version":1}${SEPARATOR}`;
const BALANCE = '"Code":"UserBalance"';
const PING = `{"type":6}${SEPARATOR}`;
/** The server disconnects a client that is silent for half a minute. */
const PING_EVERY_MS = 10_000;
const COMPLETION = '"type":3';

/** Opens a WebSocket without compression, which the server does not offer either. */
export async function openSocket(url: string): Promise<WebSocket> {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	await once(socket, 'open');
	return socket;
}

export class HubClient {
	/** Frames received so far. */
	messages = 0;
	/** Called when a balance arrives. */
	onBalance: (() => void) | null = null;
	/** Called with each frame. */
	onFrame: ((frame: string) => void) | null = null;
	/** Called with each phase of Crash. */
	onState: ((phase: string) => void) | null = null;
	readonly #socket: WebSocket;
	readonly #pinging: NodeJS.Timeout;
	#onCompletion: ((record: string) => void) | null = null;

	private constructor(socket: WebSocket) {
		this.#socket = socket;
		this.#pinging = setInterval(() => socket.send(PING), PING_EVERY_MS);
		socket.on('message', (data) => this.#heard(String(data)));
	}

	/** A registered client on those channels; the balance sent at registration has arrived by then. */
	static async open(port: number, token: string, channels: readonly string[]): Promise<HubClient> {
		const client = new HubClient(await openSocket(`ws://127.0.0.1:${port}/hub`));
		client.#socket.send(HANDSHAKE);
		const here = { Browser: 'bench', Domain: '127.0.0.1', CurrentPage: '/', Token: token };
		await client.#call('RegisterClient', here);
		await client.#call('Subscribe', { channels });
		return client;
	}

	/** @throws Error if the server closed it before: then it measured nothing */
	async close(): Promise<void> {
		clearInterval(this.#pinging);
		if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('The server closed a client.');
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
		this.onFrame?.(frame);
		if (this.onState) {
			const phase = /"CrashState".*?phase\\+":\\+"([A-Z]+)/.exec(frame)?.[1];
			if (phase !== undefined) this.onState(phase);
		}
		if (frame.includes(BALANCE)) this.onBalance?.();
		else if (frame.includes(COMPLETION)) this.#onCompletion?.(frame);
	}
}
