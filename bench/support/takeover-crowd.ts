/** The players of `bench takeover`. */
import { setTimeout as delay } from 'node:timers/promises';
import { BetConnection, betRequest } from './bet-client.ts';
import { CONNECTIONS } from './bet-load.ts';
import { BetMix } from './bet-mix.ts';
import type { BenchMarket } from './server-child.ts';

/** How long a player waits before it asks again. */
const AGAIN_AFTER_MS = 5;

/** Players who bet, and who ask the standby if the exchange does not answer. */
export class TakeoverCrowd {
	readonly #market: BenchMarket;
	readonly #tokens: readonly string[];
	readonly #mix: BetMix;
	readonly #first = Promise.withResolvers<number>();
	#port = 0;
	#isOver = false;
	#isAfter = false;

	constructor(market: BenchMarket, tokens: readonly string[]) {
		this.#market = market;
		this.#tokens = tokens;
		this.#mix = new BetMix(tokens.length);
	}

	/** Resolves when all have stopped. */
	async betOn(port: number): Promise<void> {
		this.#port = port;
		await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#bet()));
	}

	/** The time of the answer to the first bet taken by the process on that port. */
	async firstAfter(port: number): Promise<number> {
		this.#port = port;
		this.#isAfter = true;
		return await this.#first.promise;
	}

	stop(): void {
		this.#isOver = true;
	}

	async #bet(): Promise<void> {
		while (!this.#isOver) {
			const port = this.#port;
			try {
				const connection = await BetConnection.open(port);
				await this.#betOver(connection, port);
				connection.close();
			} catch {
				// The process was killed, or does not listen yet.
				await delay(AGAIN_AFTER_MS);
			}
		}
	}

	async #betOver(connection: BetConnection, port: number): Promise<void> {
		while (port === this.#port && !this.#isOver) {
			const bet = this.#mix.next();
			const token = this.#tokens[bet.player] ?? '';
			const { status } = await connection.send(betRequest(port, this.#market, token, bet));
			if (status !== 200) await delay(AGAIN_AFTER_MS);
			else if (this.#isAfter && port === this.#port) this.#first.resolve(performance.now());
		}
	}
}
