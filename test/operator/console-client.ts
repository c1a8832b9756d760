/** A client of the console: sends requests to its host and keeps its cookies, as a browser does. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { ConsoleCallName } from '#contract/operators/registry.ts';
import type { SessionCallName } from '#contract/operators/session.ts';
import type { Changed } from '#server/operators/changes.ts';
import { checkAnswer } from '../support/operator-answer.ts';

export interface ConsoleAnswer {
	status: number;
	body: { success: boolean; result: unknown; error: { code: string; details: Record<string, unknown> } | null };
	headers: Record<string, string | string[] | undefined>;
}

export class ConsoleClient {
	readonly #url: URL;
	readonly #host: string;
	cookies = new Map<string, string>();

	constructor(url: string, host = 'console.test') {
		this.#url = new URL(url);
		this.#host = host;
	}

	/** @param headers beside the usual ones; null leaves a usual one out */
	async call(name: ConsoleCallName | SessionCallName, input: object, headers: Record<string, string | null> = {}) {
		const answer = await this.send(`/api/${name}`, input, headers);
		if (answer.body.success) checkAnswer(name, answer.body.result);
		return answer;
	}

	/** The result of a call that succeeds. @throws Error with the code of the refusal */
	async result<T>(name: ConsoleCallName | SessionCallName, input: object): Promise<T> {
		const { body } = await this.call(name, input);
		if (!body.success) throw new Error(`${name}: ${body.error?.code} ${JSON.stringify(body.error?.details)}`);
		return body.result as T;
	}

	/** The code of the refusal; empty for a call that succeeds. */
	async code(name: ConsoleCallName | SessionCallName, input: object): Promise<string> {
		return (await this.call(name, input)).body.error?.code ?? '';
	}

	send(path: string, input: object, headers: Record<string, string | null> = {}): Promise<ConsoleAnswer> {
		const usual: Record<string, string | null> = {
			host: `${this.#host}:${this.#url.port}`,
			'content-type': 'application/json',
			'x-console': '1',
			'sec-fetch-site': 'same-origin',
			cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
			...headers,
		};
		const sent = Object.fromEntries(Object.entries(usual).filter((pair): pair is [string, string] => pair[1] !== null));
		return new Promise((resolve, reject) => {
			const outgoing = request(
				{ host: this.#url.hostname, port: this.#url.port, path, method: 'POST', headers: sent },
				(incoming) => {
					const parts: Buffer[] = [];
					incoming.on('data', (part: Buffer) => parts.push(part));
					incoming.on('end', () => {
						for (const cookie of incoming.headers['set-cookie'] ?? []) this.#keep(cookie);
						const text = Buffer.concat(parts).toString();
						resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text), headers: incoming.headers });
					});
				},
			);
			outgoing.on('error', reject);
			outgoing.end(JSON.stringify(input));
		});
	}

	/** The stream of changes; resolves once it is open. @throws Error with the status of a refusal */
	changes(): Promise<ChangeStream> {
		const headers = {
			host: `${this.#host}:${this.#url.port}`,
			'x-console': 'repeated',
			cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
		};
		return new Promise((resolve, reject) => {
			const { hostname: host, port } = this.#url;
			const outgoing = request({ host, port, path: '/api/changes', headers }, (incoming) => {
				if (incoming.statusCode === 200) resolve(new ChangeStream(incoming));
				else reject(new Error(`${incoming.statusCode}`));
			});
			outgoing.on('error', reject);
			outgoing.end();
		});
	}

	#keep(cookie: string): void {
		const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
		if (/max-age=0(;|$)/i.test(cookie)) this.cookies.delete(name);
		else this.cookies.set(name, value);
	}
}

/** What the server says has changed, message by message. */
export class ChangeStream {
	readonly messages: Changed[] = [];
	readonly ended: Promise<unknown>;
	readonly #incoming: IncomingMessage;

	constructor(incoming: IncomingMessage) {
		this.#incoming = incoming;
		this.ended = once(incoming, 'close');
		let text = '';
		incoming.on('data', (part: Buffer) => {
			text += String(part);
			const events = text.split('\n\n');
			text = events.pop() ?? '';
			for (const event of events) if (event.startsWith('data: ')) this.messages.push(JSON.parse(event.slice(6)));
		});
	}

	/** Waits for a message. */
	async until(isWanted: (changed: Changed) => boolean): Promise<void> {
		while (!this.messages.some(isWanted)) await once(this.#incoming, 'data');
	}

	close(): void {
		this.#incoming.destroy();
	}
}
