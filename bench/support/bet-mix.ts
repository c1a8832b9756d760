/**
 * The bets of all benches: random players, both runners, prices over a narrow range of the ladder. A player takes the
 * same side on both runners, so that no bet meets one of the same player, the position evens out and the demo money
 * lasts. About a third of the bets match immediately, and as many rest until another bet meets them.
 */
import { type Price, priceAt, tickOf } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

export interface MixedBet {
	/** Index of the player. */
	player: number;
	/** Index of the runner. */
	runner: number;
	side: SideCode;
	price: Price;
}

export const STAKE_MINOR = 1_000;
export const RUNNERS = 2;
const LOWEST_TICK = tickOf(190);
const TICKS = 20;

export class BetMix {
	readonly #players: number;
	#state: number;

	constructor(players: number, seed = 1) {
		this.#players = players;
		this.#state = seed;
	}

	next(): MixedBet {
		const player = this.#below(this.#players);
		return {
			player,
			runner: this.#below(RUNNERS),
			side: player % 2 === 0 ? BACK : LAY,
			price: priceAt(LOWEST_TICK + this.#below(TICKS)),
		};
	}

	/** A linear congruence is random enough here, and every run gets the same bets. */
	#below(limit: number): number {
		this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((this.#state / 2 ** 32) * limit);
	}
}
