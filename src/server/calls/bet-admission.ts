/**
 * What keeps a player's new bets out although the market takes them: too many in a second, too many open, or a site that
 * was suspended after the call came in.
 */
import type { Brands } from '#server/brands/brands.ts';
import type { Caller } from '#server/calls/handler.ts';
import { playerOf } from '#server/calls/handler.ts';
import type { Admission } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Players that are remembered; one whose second is over needs no memory. */
const MOST_PLAYERS = 100_000;

interface Allowance {
	/** Bets that may be placed now; a second fills it up to a second's worth. */
	left: number;
	atMs: number;
}

export class BetAdmission {
	readonly #brands: Pick<Brands, 'byHost'>;
	readonly #rateLimitFactor: number;
	/** Milliseconds that never go back. */
	readonly #clock: () => number;
	/** In the order of the latest bets, so that the oldest is forgotten first. */
	readonly #allowances = new Map<number, Allowance>();

	constructor(brands: Pick<Brands, 'byHost'>, rateLimitFactor: number, clock = () => performance.now()) {
		this.#brands = brands;
		this.#rateLimitFactor = rateLimitFactor;
		this.#clock = clock;
	}

	/**
	 * Counts a bet that is about to be placed.
	 * @returns what the exchange asks when it orders the bet
	 * @throws Refused TOO_MANY_BETS
	 */
	take(caller: Caller): Admission {
		const { host, setting } = caller.visitor.brand;
		this.#count(playerOf(caller).playerId, setting.betsPerSecond * this.#rateLimitFactor);
		return (openBets) => {
			const current = this.#brands.byHost(host)?.setting ?? setting;
			if (current.siteSuspended) throw new Refused('SITE_SUSPENDED');
			if (openBets >= current.maxOpenBets) throw new Refused('TOO_MANY_OPEN_BETS', { most: current.maxOpenBets });
		};
	}

	#count(playerId: number, perSecond: number): void {
		const now = this.#clock();
		const before = this.#allowances.get(playerId);
		const refilled = before ? before.left + ((now - before.atMs) * perSecond) / 1000 : perSecond;
		const left = Math.min(perSecond, refilled) - 1;
		if (left < 0) throw new Refused('TOO_MANY_BETS', { perSecond });
		this.#allowances.delete(playerId);
		this.#allowances.set(playerId, { left, atMs: now });
		if (this.#allowances.size > MOST_PLAYERS) {
			const [oldest] = this.#allowances.keys();
			if (oldest !== undefined) this.#allowances.delete(oldest);
		}
	}
}
