/** What happens to the server of walks while they are under way. */
import type { SeededNumbers } from '../reference/random-commands.ts';
import type { WalkServer } from './walk-server.ts';

/** A walk of five rounds meets one or two on average. */
const ROUNDS_PER_DISTURBANCE = 175;
const MINUTE_MS = 60_000;

/** Kills and jumps of the clock while the walks of a group are under way. */
export class Disturbances {
	readonly #server: WalkServer;
	readonly #numbers: SeededNumbers;
	readonly #everyRounds: number;
	#rounds = 0;
	#over = Promise.resolve();

	/** @param rounds of all walks together */
	constructor(server: WalkServer, numbers: SeededNumbers, rounds: number) {
		this.#server = server;
		this.#numbers = numbers;
		const wanted = Math.max(2, Math.round(rounds / ROUNDS_PER_DISTURBANCE));
		this.#everyRounds = Math.ceil(rounds / (wanted + 1));
	}

	/** A walk has ended a round of acts; the acts of all others go on while the disturbance begins. */
	roundEnded(): void {
		if (++this.#rounds % this.#everyRounds === 0) this.#over = this.#over.then(() => this.#disturb());
	}

	/** Acts on a server that is down would only be lost. */
	async over(): Promise<void> {
		await this.#over;
	}

	async #disturb(): Promise<void> {
		const what = this.#numbers.below(4);
		if (what === 0) {
			await this.#server.kill();
			await this.#server.start();
		} else if (what === 1) {
			await this.#server.killDatabase();
			await this.#server.ready();
		} else this.#server.jump(what === 2 ? 10 * MINUTE_MS : -10 * MINUTE_MS);
	}
}
