/**
 * Ends rounds with turns that their players abandoned, by the rule of each game: one day after the last decision, even
 * if the server was down meanwhile. So no stake is held forever, and every seed can be revealed.
 */
import type { Logger } from 'pino';
import type { CasinoRounds } from '#server/money/casino/rounds.ts';
import { ROUND_LEFT_HOURS } from '#values/house-limits.ts';

const EVERY_MS = 60_000;
const LEFT_MS = ROUND_LEFT_HOURS * 3_600_000;

interface LeftRoundsOptions {
	rounds: Pick<CasinoRounds, 'leftSince' | 'abandon'>;
	/** The ledger's time. */
	clock: () => number;
	log: Logger;
}

export class LeftRounds {
	readonly #options: LeftRoundsOptions;
	#timer: NodeJS.Timeout | null = null;
	#checking: Promise<void> = Promise.resolve();

	constructor(options: LeftRoundsOptions) {
		this.#options = options;
	}

	start(): void {
		const check = () => {
			this.#checking = this.check(this.#options.clock()).catch((error: unknown) =>
				this.#options.log.warn({ err: error }, 'rounds that were left could not be looked at'),
			);
		};
		check();
		this.#timer = setInterval(check, EVERY_MS).unref();
	}

	/** Resolves when no round is being ended. */
	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await this.#checking;
	}

	/** Called by the timer, and by tests. */
	async check(nowMs: number): Promise<void> {
		const { rounds, log } = this.#options;
		for (const round of rounds.leftSince(nowMs - LEFT_MS)) {
			// A round that cannot be ended, for example after a change of the seeds' key, does not block the others.
			await rounds
				.abandon(round)
				.catch((error: unknown) =>
					log.warn({ err: error, round: round.id }, 'a round that was left could not be ended'),
				);
		}
	}
}
