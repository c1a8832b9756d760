/**
 * Triggers: bets that the engine places when a price is reached. A trigger rests beside the book, holds the money of its bet,
 * and places it in the batch after the one in which the price was reached. This folder has a file for each command, the
 * indexes by which a look finds triggers and plans, and what a trigger is.
 */
import { Hashed, type Hasher } from '#engine/state-hash.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

/** The price that a trigger watches: of the last match of its runner, or the best that its own bet could be matched at; plans have rules of their own. */
export type WatchedPrice = 'LAST_TRADED' | 'BEST' | 'NONE';
/** It is reached from below, or from above. */
type TriggerMove = 'RISES' | 'FALLS';

/** What a trigger asks, and the bet that it places. */
export interface TriggerTerms {
	triggerId: BetId;
	walletId: WalletId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	/** The limit of the bet, hundredths. */
	price: AnyPrice;
	/** Of a plan: what it holds for beside its bets. */
	stake: AnyMinor;
	/** Trigger and bet stay when the market turns in-play. */
	persist: boolean;
	watches: WatchedPrice;
	moves: TriggerMove;
	/** Of a trailing one: how many ticks behind the best price that it has seen it is reached; null for others. */
	trail: number | null;
	/** The bet lapses when the market's version is newer by then; null for any. */
	marketVersion: number | null;
	/** Null, or left out, for a trigger that places one bet when its price is reached. */
	plan?: Plan | null;
	/** Of a plan: the stake that it was placed with. */
	whole?: AnyMinor | null;
}

/** An order that counts as unmatched in the position of a trigger's player; with a stake below zero, one that does not. */
export interface CountedOrder {
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
}

/** Where a trigger is in the engine's tables. */
interface TriggerPlace {
	pool: Pool;
	/** The row of its player's position. */
	position: number;
	/** The row of its book. */
	book: number;
	placedAtMs: number;
}

const KIND = 8;
const PLAN_KINDS = { ICEBERG: 1, PEG: 2, BRACKET: 3 } as const;

export class Trigger extends Hashed {
	terms: TriggerTerms;
	readonly place: TriggerPlace;
	/**
	 * Ticks of the market's ladder are multiplied by it, so that every trigger is reached when they fall: those of one
	 * that a rising price reaches are below zero.
	 */
	readonly turn: 1 | -1;
	/** The turned tick at which it is reached, and of a trailing one the best that it has seen; minus infinity for none. */
	at: number;
	best: number;
	dueAtMs: number | null = null;
	/** Of a plan: its latest bet; null before the first one. */
	betId: BetId | null = null;
	/** Of a bracket: the latest bet that closes what is matched of its own, and Σ stake × price that earlier ones closed. */
	exitId: BetId | null = null;
	closed = 0;
	/** What is counted for it. */
	counted: readonly CountedOrder[] = [];

	constructor(terms: TriggerTerms, place: TriggerPlace, { at, best }: Pick<Trigger, 'at' | 'best'>) {
		super();
		this.terms = terms;
		this.place = place;
		this.turn = terms.moves === 'FALLS' ? 1 : -1;
		this.at = at;
		this.best = best;
	}

	describe(hasher: Hasher): boolean {
		const { terms } = this;
		hasher.start(KIND);
		for (const id of [terms.triggerId, terms.walletId, terms.marketId, terms.runner]) hasher.add(id);
		hasher.add(terms.side + (terms.persist ? 2 : 0) + (terms.watches === 'BEST' ? 4 : 0) + (this.turn > 0 ? 8 : 0));
		hasher.add(terms.price);
		hasher.add(terms.stake);
		hasher.add(terms.trail ?? 0);
		hasher.add(terms.marketVersion ?? 0);
		for (const tick of [this.at, this.best]) hasher.add(Number.isFinite(tick) ? tick + 1_000_000 : 0);
		hasher.add(this.dueAtMs ?? 0);
		if (terms.plan != null) this.#describePlan(terms.plan, hasher);
		return true;
	}

	#describePlan(plan: Plan, hasher: Hasher): void {
		const numbers =
			plan.kind === 'ICEBERG'
				? [plan.visible]
				: plan.kind === 'PEG'
					? [plan.ticks, plan.follows === 'OWN' ? 1 : 0]
					: [plan.profitTicks, plan.stopTicks];
		const states = [this.terms.whole ?? 0, this.betId ?? 0, this.exitId ?? 0, this.closed];
		for (const number of [PLAN_KINDS[plan.kind], ...numbers, ...states]) hasher.add(number);
	}
}
