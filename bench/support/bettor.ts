/** Places bets over HTTP at a steady pace and measures their latency. */
import { BetConnection, betRequest } from './bet-client.ts';
import { BetMix } from './bet-mix.ts';
import { percentile, round } from './figures.ts';
import type { BenchMarket } from './server-child.ts';
import { steadily } from './steadily.ts';

const CONNECTIONS = 16;

export class Bettor {
	placed = 0;
	sent = 0;
	readonly #port: number;
	readonly #market: BenchMarket;
	readonly #tokens: readonly string[];
	readonly #mix: BetMix;
	readonly #idle: BetConnection[];
	readonly #head: string | undefined;

	private constructor(
		port: number,
		market: BenchMarket,
		tokens: readonly string[],
		{ idle, head }: { idle: BetConnection[]; head: string | undefined },
	) {
		this.#port = port;
		this.#market = market;
		this.#tokens = tokens;
		this.#mix = new BetMix(tokens.length);
		this.#idle = idle;
		this.#head = head;
	}

	static async open(
		port: number,
		market: BenchMarket,
		tokens: readonly string[],
		{ connections = CONNECTIONS, head }: { connections?: number; head?: string } = {},
	): Promise<Bettor> {
		const idle = await Promise.all(Array.from({ length: connections }, () => BetConnection.open(port)));
		return new Bettor(port, market, tokens, { idle, head });
	}

	/** Places as many bets as the server accepts on all connections for that long. @returns each bet's milliseconds */
	async trade(forMs: number): Promise<number[]> {
		const took: number[] = [];
		const until = performance.now() + forMs;
		await Promise.all(
			this.#idle.splice(0).map(async (idle) => {
				const connection = await BetConnection.from([idle], this.#port);
				while (performance.now() < until) {
					const from = performance.now();
					await this.#place(connection);
					took.push(performance.now() - from);
				}
				this.#idle.push(connection);
			}),
		);
		return took;
	}

	/** The 95th percentile of a bet's milliseconds at that pace. */
	async p95(perSecond: number, forMs: number): Promise<number> {
		return round(percentile(await this.took(perSecond, forMs), 0.95), 2);
	}

	/** Each bet's milliseconds at that pace, from when it was due. */
	async took(perSecond: number, forMs: number): Promise<number[]> {
		const took: number[] = [];
		await steadily(perSecond, forMs, async (dueAtMs) => {
			// A bet that finds every connection busy opens one, so that it does not wait for the bench.
			const connection = await BetConnection.from(this.#idle, this.#port);
			await this.#place(connection);
			took.push(performance.now() - dueAtMs);
			this.#idle.push(connection);
		});
		return took;
	}

	close(): void {
		for (const connection of this.#idle) connection.close();
	}

	async #place(connection: BetConnection): Promise<void> {
		const bet = this.#mix.next();
		const token = this.#tokens[bet.player] ?? '';
		this.sent += 1;
		const { status } = await connection.send(betRequest(this.#port, this.#market, token, bet, this.#head));
		if (status === 200) this.placed += 1;
	}
}
