/** Demo players of a bench; one that goes on for longer than half an hour outlives their access tokens, and renews them. */
import { BetConnection } from './bet-client.ts';

/** Well before they end. */
const RENEW_AFTER_MS = 15 * 60_000;
const AT_ONCE = 8;

interface Tokens {
	accessToken: string;
	refreshToken: string;
}

export class DemoLogins {
	/** Access tokens, which are replaced here. */
	readonly access: string[] = [];
	readonly #refresh: string[];
	#renewedAtMs = Number.NEGATIVE_INFINITY;

	/** @param refresh the refresh token of each player; `renew` fetches the access tokens */
	constructor(refresh: string[]) {
		this.#refresh = refresh;
	}

	/** New demo players. */
	static async open(port: number, count: number): Promise<DemoLogins> {
		const logins = new DemoLogins(Array.from({ length: count }, () => ''));
		await logins.#ask(port, () => `GET /Account/LoginAsDemoUser HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
		return logins;
	}

	/** Exchanges the tokens for new ones, if they are old. */
	async renew(port: number): Promise<void> {
		if (performance.now() - this.#renewedAtMs < RENEW_AFTER_MS) return;
		await this.#ask(port, (at) => {
			const query = new URLSearchParams({ refreshToken: this.#refresh[at] ?? '' });
			return `GET /Account/RefreshToken?${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
		});
	}

	async #ask(port: number, requestOf: (at: number) => string): Promise<void> {
		let asked = 0;
		const ask = async (): Promise<void> => {
			const connection = await BetConnection.open(port);
			while (asked < this.#refresh.length) {
				const at = asked++;
				const { status, body } = await connection.send(requestOf(at));
				if (status !== 200) throw new Error(`No tokens for player ${at}: ${body}`);
				const { accessToken, refreshToken } = (JSON.parse(body) as { result: Tokens }).result;
				this.access[at] = accessToken;
				this.#refresh[at] = refreshToken;
			}
			connection.close();
		};
		await Promise.all(Array.from({ length: AT_ONCE }, ask));
		this.#renewedAtMs = performance.now();
	}
}

/** Access tokens of new demo players. */
export const demoTokens = async (port: number, count: number): Promise<string[]> =>
	(await DemoLogins.open(port, count)).access;
