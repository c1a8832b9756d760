/**
 * How many bets a step of a walk takes. The steps that were taken tell how long this machine computes for a bet, so that a
 * step lasts as long on any machine. The process that leads decides; its command names the wallets, and a standby follows.
 */

/** Of what a step takes in the engine; its rows and its news come on top. */
const ALONE_MS = 2;
/** While other bets wait. */
const BESIDE_BETS_MS = 0.6;
/** A slow step, which a collection of garbage may have stopped, counts for this share. */
const SHARE_OF_LATEST = 0.2;

export class StepPace {
	readonly #most: number;
	readonly #mostBesideBets: number;
	/** Null before the first step. */
	#msABet: number | null = null;

	/** @param limits of a step alone and of one that bets wait for, on a machine of any speed */
	constructor({ most, mostBesideBets }: { most: number; mostBesideBets: number }) {
		this.#most = most;
		this.#mostBesideBets = mostBesideBets;
	}

	/** A step was applied. @param tookMs in the engine */
	took(bets: number, tookMs: number): void {
		if (bets === 0) return;
		const latest = tookMs / bets;
		this.#msABet = this.#msABet === null ? latest : this.#msABet + (latest - this.#msABet) * SHARE_OF_LATEST;
	}

	/** How many bets the next step takes: at least one. */
	next(areOthersWaiting: boolean): number {
		const [most, ms] = areOthersWaiting ? [this.#mostBesideBets, BESIDE_BETS_MS] : [this.#most, ALONE_MS];
		const fitting = this.#msABet ? ms / this.#msABet : most;
		return Math.max(1, Math.floor(Math.min(most, fitting)));
	}
}
