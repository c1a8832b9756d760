/** The two doors of operators, for benches: the command line's key, and a member's session of the console. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { BetConnection, type HttpAnswer } from './bet-client.ts';

/** An act and its result. @throws Error with the refusal */
export type Ask = <Result>(act: string, body: object) => Promise<Result>;

export interface OperatorDoors {
	asOperator: Ask;
	asMember: Ask;
	/** For a browser. */
	member: { name: string; password: string };
	close(): void;
}

interface Call {
	host: string;
	path: string;
	headers: string;
	body: object;
}

/** Well below the 30 s after which the server closes an idle connection. */
const IDLE_MS = 10_000;

/** A connection that is reopened after it was idle. */
class KeptConnection {
	readonly #port: number;
	#open: BetConnection | null = null;
	#usedAt = 0;

	constructor(port: number) {
		this.#port = port;
	}

	async send(request: string): Promise<HttpAnswer> {
		if (performance.now() - this.#usedAt > IDLE_MS) this.close();
		this.#open ??= await BetConnection.open(this.#port);
		const answer = await this.#open.send(request);
		this.#usedAt = performance.now();
		return answer;
	}

	close(): void {
		this.#open?.close();
		this.#open = null;
	}
}

/** One request and its answer. */
async function call<Result>(line: KeptConnection, { host, path, headers, body }: Call) {
	const text = JSON.stringify(body);
	const answer = await line.send(
		`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}` +
			`Content-Length: ${text.length}\r\n\r\n${text}`,
	);
	const { success, result, error } = JSON.parse(answer.body) as { success: boolean; result: Result; error: unknown };
	if (!success) throw new Error(`${path}: ${JSON.stringify(error)}`);
	return { result, head: answer.head };
}

/** Adds a member of that role and logs in. */
export async function openDoors(port: number, dataDir: string, role: string): Promise<OperatorDoors> {
	const line = new KeptConnection(port);
	const key = operatorKeyOf(readFileSync(join(dataDir, 'token.key'), 'utf8').trim());
	const asOperator: Ask = async <Result>(act: string, body: object) => {
		const headers = `Authorization: Operator ${key}\r\n`;
		return (await call<Result>(line, { host: `localhost:${port}`, path: `/operator/api/${act}`, headers, body }))
			.result;
	};
	const name = `a ${role}`;
	const { initialPassword: password } = await asOperator<{ initialPassword: string }>('staff-add', {
		name,
		roles: [role],
	});
	const host = `console.localhost:${port}`;
	const used = 'X-Console: used\r\n';
	const { head } = await call(line, { host, path: '/api/log-in', headers: used, body: { name, password } });
	const headers = `${used}Cookie: ${/set-cookie: ([^;]+)/i.exec(head)?.[1] ?? ''}\r\n`;
	const asMember: Ask = async <Result>(act: string, body: object) =>
		(await call<Result>(line, { host, path: `/api/${act}`, headers, body })).result;
	return { asOperator, asMember, member: { name, password }, close: () => line.close() };
}
