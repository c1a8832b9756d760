/** The site of one brand, by the host that its requests name: a server has as many as it has brands. */
import { randomBytes } from 'node:crypto';
import type { InputOf, ResultOf } from '../../src/contract/call.ts';
import { CALLS, type CallName, type Calls } from '../../src/contract/registry.ts';
import type { Answered, Player, TestServer } from './server.ts';

export class BrandDoor {
	readonly #server: TestServer;
	readonly host: string;

	constructor(server: TestServer, host: string) {
		this.#server = server;
		this.host = host;
	}

	async raw<Name extends CallName>(
		name: Name,
		input: unknown,
		token: string | null = null,
	): Promise<Answered<ResultOf<Calls[Name]>>> {
		const declared = CALLS[name];
		const inQuery = declared.from === 'query';
		const query = inQuery ? new URLSearchParams(input as Record<string, string>).toString() : '';
		return await this.#server.send(`/${declared.path}${query ? `?${query}` : ''}`, {
			method: declared.method,
			...(inQuery ? {} : { body: JSON.stringify(input) }),
			headers: {
				Host: this.host,
				...(inQuery ? {} : { 'Content-Type': 'application/json' }),
				...(token === null ? {} : { Authorization: `Bearer ${token}` }),
			},
		});
	}

	/** The result of a call that must succeed. */
	async result<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<ResultOf<Calls[Name]>> {
		const { body } = await this.raw(name, input, token);
		if (!body.success) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
		return body.result as ResultOf<Calls[Name]>;
	}

	/** A fresh player of the brand, without money. */
	async player(): Promise<Player> {
		const userName = `player-${randomBytes(6).toString('hex')}`;
		const password = randomBytes(12).toString('base64url');
		const brand = this.#server.running.brands.byHost(this.host);
		if (!brand) throw new Error(`there is no brand of ${this.host}`);
		const { playerId } = await this.#server.running.players.createPlayer({ userName, password, brand });
		const login = await this.result('authenticate', { userNameOrEmailAddress: userName, password });
		return { token: login.accessToken, refreshToken: login.refreshToken, userId: playerId };
	}
}
