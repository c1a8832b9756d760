/** Players who bet on the markets of an event, and detect a bet that was accepted during a suspension. */
import { BetConnection, betRequest } from './bet-client.ts';
import { BetMix } from './bet-mix.ts';
import type { BenchMarket } from './server-child.ts';
import { steadily } from './steadily.ts';

interface Scene {
	port: number;
	markets: readonly BenchMarket[];
	tokens: readonly string[];
	betsPerSecond: number;
}

/** Players who bet at a steady pace on all the markets by turns. */
export class EventCrowd {
	/** Rises with each answer to a suspension and with each resumption: odd while bets have to be refused. */
	phase = 0;
	accepted = 0;
	refused = 0;
	readonly #scene: Scene;
	readonly #mix: BetMix;
	readonly #idle: BetConnection[] = [];

	constructor(scene: Scene) {
		this.#scene = scene;
		this.#mix = new BetMix(scene.tokens.length);
	}

	async betUntil(isOver: () => boolean): Promise<void> {
		while (!isOver()) await steadily(this.#scene.betsPerSecond, 1_000, () => this.#bet());
		for (const connection of this.#idle) connection.close();
	}

	async #bet(): Promise<void> {
		const { port, markets, tokens } = this.#scene;
		const connection = await BetConnection.from(this.#idle, port);
		const bet = this.#mix.next();
		const market = markets[(this.accepted + this.refused) % markets.length] as BenchMarket;
		const sentIn = this.phase;
		const { status } = await connection.send(betRequest(port, market, tokens[bet.player] ?? '', bet));
		this.#idle.push(connection);
		if (status !== 200) this.refused++;
		else {
			this.accepted++;
			if (sentIn % 2 === 1 && sentIn === this.phase)
				throw new Error('A bet was accepted after the suspension was acknowledged.');
		}
	}
}
