/**
 * How many bets a step of a walk takes. The batches that had steps tell how long this machine and its database take for a
 * bet, so that a step lasts as long on any of them. The process that leads decides; its command names the wallets, and a
 * standby follows.
 */

/** What a step may add to its batch, from its first bet until it is durable. */
const ALONE_MS = 10;
/** While other bets wait; or as long as a batch without a step, if that is longer. */
const BESIDE_BETS_MS = 1.5;
/** A slow batch, which a collection of garbage or the disk may have stopped, counts for this share. */
const SHARE_OF_LATEST = 0.2;
/** It counts as this multiple of the mean at most. */
const MOST_TIMES = 3;

/** The mean of the latest numbers; null before the first one. */
const latest = (mean: number | null, number: number): number =>
	mean === null ? number : mean + (Math.min(number, mean * MOST_TIMES) - mean) * SHARE_OF_LATEST;

export class StepPace {
	readonly #most: number;
	readonly #mostBesideBets: number;
	/** Null before the first step. */
	#msABet: number | null = null;
	/** Of a batch without a step; null before the first one. */
	#ordinaryMs: number | null = null;

	/** @param limits of a step alone and of one that bets wait for, on a machine of any speed */
	constructor({ most, mostBesideBets }: { most: number; mostBesideBets: number }) {
		this.#most = most;
		this.#mostBesideBets = mostBesideBets;
	}

	/** A batch is durable. @param bets that its step took; 0 without a step @param tookMs from its sealing or the end of the batch before, and in the engine for the step */
	wrote(bets: number, tookMs: number): void {
		if (bets === 0) this.#ordinaryMs = latest(this.#ordinaryMs, tookMs);
		else this.#msABet = latest(this.#msABet, Math.max(tookMs - (this.#ordinaryMs ?? 0), 0.1 * tookMs) / bets);
	}

	/** How many bets the next step takes: at least one. */
	next(areOthersWaiting: boolean): number {
		const [most, ms] = areOthersWaiting
			? [this.#mostBesideBets, Math.max(BESIDE_BETS_MS, this.#ordinaryMs ?? 0)]
			: [this.#most, ALONE_MS];
		const fitting = this.#msABet ? ms / this.#msABet : most;
		return Math.max(1, Math.floor(Math.min(most, fitting)));
	}
}
