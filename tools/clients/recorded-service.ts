/** The service as its recorded answers have it: what a client makes of these is its own, and no finding about our server. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { StreamCertificate } from '../stream-certificate.ts';

/** Files by operation, of those whose name does not follow from it. */
const FILES: Record<string, string> = {
	login: 'login_interactive_success',
	keepAlive: 'keep_alive_success',
	logout: 'logout_success',
	marketSubscription: 'streaming_mcm_SUB_IMAGE',
	orderSubscription: 'streaming_ocm_SUB_IMAGE',
};
const fileOf = (operation: string): string =>
	FILES[operation] ?? operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export class RecordedService {
	readonly #folder: string;
	readonly #http: Server;
	readonly #stream: TcpServer;

	constructor(folder: string, certificate: StreamCertificate) {
		this.#folder = folder;
		this.#http = createServer((request, response) => {
			void this.#reply(request, response);
		});
		const tls = { cert: readFileSync(certificate.certificate), key: readFileSync(certificate.key) };
		this.#stream = createTlsServer(tls, (socket) => this.#follow(socket));
	}

	/** Whether there is a recorded answer of an operation. */
	has(operation: string): boolean {
		return existsSync(this.#path(operation));
	}

	#path(operation: string): string {
		return join(this.#folder, `${fileOf(operation)}.json`);
	}

	async open(): Promise<{ url: string; streamPort: number }> {
		const portOf = (server: TcpServer) =>
			new Promise<number>((listening) => {
				server.listen(0, '127.0.0.1', () => listening((server.address() as AddressInfo).port));
			});
		return { url: `http://127.0.0.1:${await portOf(this.#http)}`, streamPort: await portOf(this.#stream) };
	}

	close(): void {
		this.#http.closeAllConnections();
		this.#http.close();
		this.#stream.close();
	}

	async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await this.#answer(request);
		response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' }).end(body ?? '{}');
	}

	/** The recorded answer to a call; null without one. */
	async #answer(request: IncomingMessage): Promise<string | null> {
		let body = '';
		for await (const piece of request) body += piece;
		const operation = /"method":\s*"\w+\/v1\.0\/(\w+)"/.exec(body)?.[1] ?? /\/api\/(\w+)/.exec(request.url ?? '')?.[1];
		return operation !== undefined && this.has(operation) ? readFileSync(this.#path(operation), 'utf8') : null;
	}

	#follow(socket: TLSSocket): void {
		const say = (file: string, id?: number) => {
			const message = JSON.parse(readFileSync(join(this.#folder, `${file}.json`), 'utf8')) as object;
			socket.write(`${JSON.stringify(id === undefined ? message : { ...message, id })}\r\n`);
		};
		say('streaming_connection');
		socket.on('error', () => socket.destroy());
		socket.on('data', (data) => {
			for (const line of data.toString().split('\r\n').filter(Boolean)) {
				const { op, id } = JSON.parse(line) as { op: string; id: number };
				say('streaming_status', id);
				if (this.has(op)) say(fileOf(op), id);
			}
		});
	}
}
