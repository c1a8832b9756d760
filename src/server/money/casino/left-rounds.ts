/**
 * Ends rounds with turns that their players left, by the rule that each game states: a day after the last decision, also
 * when the server was away meanwhile. So no stake is held for ever, and no seed is kept from being revealed.
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

	/** Resolves when nothing is on its way. */
	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await this.#checking;
	}

	/** Called by the timer, and by tests. */
	async check(nowMs: number): Promise<void> {
		const { rounds, log } = this.#options;
		for (const round of rounds.leftSince(nowMs - LEFT_MS)) {
			// One that cannot be ended, as after a change of the seeds' key, keeps no other from its end.
			await rounds
				.abandon(round)
				.catch((error: unknown) =>
					log.warn({ err: error, round: round.id }, 'a round that was left could not be ended'),
				);
		}
	}
}
