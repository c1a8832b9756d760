/**
 * A stream server that behaves as Betfair's, over TLS on this machine: it greets, checks key and session, answers a
 * subscription with an image or, when it knows the clock, with the missed changes, and sends the test's messages.
 * Beside it are the log-in and the catalogue over HTTP. The certificate is for localhost alone.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';

const pem = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
export const CERTIFICATE = pem('localhost.cert.pem');

export const APP_KEY = 'an app key';

type Asked = Record<string, unknown> & { op: string; id: number };

export class StandInStream {
	readonly #tls: TlsServer;
	readonly #http: HttpServer;
	/** What clients asked, in order. */
	readonly asked: Asked[] = [];
	/** How often a client tried to log in. */
	logIns = 0;
	/** The answer to a subscription; by default an empty image. */
	answer: (asked: Asked) => object = () => ({ ct: 'SUB_IMAGE', initialClk: 'i', clk: '0', mc: [] });
	/** By market id, as listMarketCatalogue answers. */
	readonly catalogue = new Map<string, object>();
	/** The session that is good; a test that changes it ends the one before. */
	token = 'session-1';
	#socket: TLSSocket | null = null;
	#waiting: { op: string; resolve: (asked: Asked) => void }[] = [];

	private constructor() {
		this.#tls = createTlsServer({ key: pem('localhost.key.pem'), cert: CERTIFICATE }, (socket) => this.#serve(socket));
		this.#tls.on('tlsClientError', () => undefined);
		this.#http = createServer((request, response) => {
			void this.#answerHttp(request).then((body) => response.end(JSON.stringify(body)));
		});
	}

	static async start(): Promise<StandInStream> {
		const server = new StandInStream();
		server.#tls.listen(0, '127.0.0.1');
		server.#http.listen(0, '127.0.0.1');
		await Promise.all([once(server.#tls, 'listening'), once(server.#http, 'listening')]);
		return server;
	}

	get port(): number {
		return (this.#tls.address() as AddressInfo).port;
	}
	get httpUrl(): string {
		return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
	}

	async #answerHttp(request: IncomingMessage): Promise<unknown> {
		let body = '';
		for await (const chunk of request) body += chunk;
		if (request.url === '/login') {
			this.logIns += 1;
			const right = new URLSearchParams(body).get('password') === 'right';
			return right
				? { token: this.token, status: 'SUCCESS' }
				: { token: '', status: 'FAIL', error: 'INVALID_PASSWORD' };
		}
		if (request.headers['x-authentication'] !== this.token) return [];
		const { filter } = JSON.parse(body) as { filter: { marketIds: string[] } };
		return filter.marketIds.flatMap((id) => this.catalogue.get(id) ?? []);
	}

	#serve(socket: TLSSocket): void {
		this.#socket = socket;
		socket.on('error', () => undefined);
		this.say({ op: 'connection', connectionId: '002-1' });
		const lines = createInterface({ input: socket });
		lines.on('error', () => undefined);
		lines.on('line', (line) => {
			const asked = JSON.parse(line) as Asked;
			this.asked.push(asked);
			if (asked.op === 'authentication') {
				const right = asked['appKey'] === APP_KEY && asked['session'] === this.token;
				const refusal = { statusCode: 'FAILURE', errorCode: 'NO_SESSION', connectionClosed: true };
				this.say({ op: 'status', id: asked.id, ...(right ? { statusCode: 'SUCCESS' } : refusal) });
			}
			if (asked.op === 'marketSubscription') {
				this.say({ op: 'status', id: asked.id, statusCode: 'SUCCESS' });
				this.say({ op: 'mcm', id: asked.id, pt: 1, ...this.answer(asked) });
			}
			this.#waiting = this.#waiting.filter(({ op, resolve }) => {
				if (op === asked.op) resolve(asked);
				return op !== asked.op;
			});
		});
	}

	/** Resolves with the next request of that kind. */
	async next(op: string): Promise<Asked> {
		return await new Promise((resolve) => this.#waiting.push({ op, resolve }));
	}

	say(message: object): void {
		this.sayText(JSON.stringify(message));
	}
	sayText(text: string): void {
		this.#socket?.write(`${text}\r\n`);
	}
	/** Breaks the line without a farewell. */
	hangUp(): void {
		this.#socket?.destroy();
	}

	async stop(): Promise<void> {
		this.hangUp();
		this.#tls.close();
		this.#http.close();
		this.#http.closeAllConnections();
		await Promise.all([once(this.#tls, 'close'), once(this.#http, 'close')]);
	}
}
