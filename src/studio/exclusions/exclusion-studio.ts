/** A bridge to registers of excluded persons that asks none: who is excluded is written here. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How it takes the next questions. A `frozen` one takes them and never answers. */
type Mood = 'answers' | 'fails' | 'frozen';

export class ExclusionStudio {
	/** Mobiles of excluded persons. */
	readonly excluded = new Set<string>();
	/** In the order in which they came. */
	readonly questions: { list: string; mobile: string }[] = [];
	mood: Mood = 'answers';
	readonly #key: string;
	readonly #http: Server;

	constructor(key: string) {
		this.#key = key;
		this.#http = createServer(async (request, response) => {
			if (request.headers.authorization !== `Bearer ${this.#key}`) {
				response.writeHead(401).end();
				return;
			}
			const question: { list: string; mobile: string } = JSON.parse(await text(request));
			this.questions.push(question);
			if (this.mood === 'frozen') return;
			if (this.mood === 'fails') response.writeHead(503).end();
			else
				response
					.writeHead(200, { 'Content-Type': 'application/json' })
					.end(JSON.stringify({ excluded: this.excluded.has(question.mobile) }));
		});
	}

	/** @returns its address */
	async listen(port = 0): Promise<string> {
		await new Promise<void>((resolve) => this.#http.listen(port, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/`;
	}

	async stop(): Promise<void> {
		this.#http.closeAllConnections();
		await new Promise((resolve) => this.#http.close(resolve));
	}
}
