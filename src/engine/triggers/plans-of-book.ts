/**
 * The plans of one book, and which of them a look visits. What a plan does next depends on its bets and on one price of its book,
 * so those are visited whose bets changed since the last look, pegs that the best price places elsewhere than it did then, and
 * brackets whose stop the last price reached since. All others have nothing to do. To visit one of them changes nothing, so a
 * rebuilt engine, which visits every plan once, comes to the same.
 */
import { WATCHES } from '#engine/kernel-layout.ts';
import type { OrderBooks } from '#engine/order-book.ts';
import { PegStakes } from '#engine/triggers/peg-stakes.ts';
import { exitsOf, otherSide } from '#engine/triggers/plan.ts';
import { SortedPlans } from '#engine/triggers/sorted-plans.ts';
import type { Trigger, TriggerTerms } from '#engine/triggers/trigger.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const { LAST, BACKERS, LAYERS } = WATCHES;
const SIDES = [BACK, LAY] as const;
/** Beyond all ticks and prices, turned or not. */
const HIGHEST = Number.POSITIVE_INFINITY;
const LOWEST = Number.NEGATIVE_INFINITY;

/** The best ticks that pegs may follow, by the side of a bet that would take them; below zero for none. */
export type BestTicks = readonly [ofLays: number, ofBacks: number];

/** The side of a bet that would take the price that a peg follows. */
export const takesFollowed = ({ plan, side }: Pick<TriggerTerms, 'plan' | 'side'>): SideCode =>
	plan?.kind === 'PEG' && plan.follows === 'OWN' ? otherSide(side) : side;

/** Ticks and prices of lays are turned, so that for both sides a peg's price rises to its limit's, and a last price to a stop. */
const turnOf = (side: SideCode): 1 | -1 => (side === BACK ? 1 : -1);

/** One of the best prices, and the pegs that follow it. */
class FollowedPrice {
	/** The tick at which every peg that does not wait would stay; below zero before the first one. */
	#seen = -1;
	/** By their side, and by the turned tick up to which they are at their limit. */
	readonly #pegs = [new SortedPlans(), new SortedPlans()] as const;
	/** Those that this price has not placed yet: there was none, or it did not count. */
	readonly waiting = new Set<Trigger>();

	add(peg: Trigger, limit: number): void {
		this.#pegs[peg.terms.side].add(limitOf(peg, limit), peg);
	}

	remove(peg: Trigger, limit: number): void {
		this.#pegs[peg.terms.side].remove(limitOf(peg, limit), peg);
		this.waiting.delete(peg);
	}

	/** Adds the pegs that a tick places, and those that it places elsewhere than the one before. */
	see(tick: number, visited: Set<Trigger>): void {
		for (const peg of this.waiting) visited.add(peg);
		this.waiting.clear();
		const before = this.#seen;
		this.#seen = tick;
		if (before < 0 || before === tick) return;
		for (const side of SIDES) {
			const turn = turnOf(side);
			for (const peg of this.#pegs[side].between(LOWEST, Math.max(before * turn, tick * turn) - 1)) visited.add(peg);
		}
	}

	/** Between these ticks the price places no peg elsewhere. */
	get bounds(): [below: number, above: number] {
		// The first price that counts places those that wait.
		if (this.waiting.size > 0) return [HIGHEST, LOWEST];
		const [backs, lays] = this.#pegs;
		const seen = this.#seen;
		const [firstBack, firstLay] = [backs.next(LOWEST), lays.next(LOWEST)];
		if (firstBack < seen || firstLay < -seen) return [seen - 1, seen + 1];
		return [-firstLay - 1, firstBack + 1];
	}
}

/** The turned tick of its price up to which a peg is at its limit. */
function limitOf({ terms: { plan, side } }: Trigger, limit: number): number {
	return limit * turnOf(side) - (plan?.kind === 'PEG' ? plan.ticks : 0);
}

export class PlansOfBook {
	readonly marketId: MarketId;
	readonly runner: number;
	readonly #book: number;
	readonly #orderBooks: OrderBooks;
	readonly #plans = new Set<Trigger>();
	/** Those that changed, or whose bets did, since they were looked at. */
	readonly #touched = new Set<Trigger>();
	/** By the side of a bet that would take it. */
	readonly #followed = [new FollowedPrice(), new FollowedPrice()] as const;
	/** Brackets by their side and by the turned price of their stop. */
	readonly #stops = [new SortedPlans(), new SortedPlans()] as const;
	readonly #pegStakes: PegStakes;
	/** The last price at which every bracket that is not touched has nothing to do, hundredths; 0 for none. */
	#last: AnyPrice | 0 = 0;

	/** @param book its row */
	constructor({ marketId, runner }: Pick<TriggerTerms, 'marketId' | 'runner'>, book: number, orderBooks: OrderBooks) {
		this.marketId = marketId;
		this.runner = runner;
		this.#book = book;
		this.#orderBooks = orderBooks;
		this.#pegStakes = new PegStakes(book, orderBooks);
	}

	get size(): number {
		return this.#plans.size;
	}

	add(plan: Trigger): void {
		this.#plans.add(plan);
		this.#index('add', plan);
		this.touch(plan);
	}

	remove(plan: Trigger): void {
		this.#plans.delete(plan);
		this.#touched.delete(plan);
		this.#index('remove', plan);
		this.#pegStakes.remove(plan);
		if (this.#plans.size === 0) this.#orderBooks.endPlans(this.#book);
		// Other pegs may follow a bet that stays without its peg.
		else if (plan.terms.plan?.kind === 'PEG') this.#orderBooks.watch(this.#book);
	}

	#index(move: 'add' | 'remove', plan: Trigger): void {
		const { terms } = plan;
		const ladder = this.#orderBooks.ladder(this.#book);
		if (terms.plan?.kind === 'PEG') this.#followedBy(plan)[move](plan, ladder.tickOf(terms.price));
		const stop = exitsOf({ ladder }, terms)?.stop;
		if (stop !== undefined) this.#stops[terms.side][move](stop * turnOf(terms.side), plan);
	}

	#followedBy({ terms }: Trigger): FollowedPrice {
		return this.#followed[takesFollowed(terms)];
	}

	/** The next look visits a plan: it changed, or one of its bets did. */
	touch(plan: Trigger): void {
		if (plan.terms.plan?.kind === 'PEG') this.#pegStakes.note(plan);
		if (this.#touched.has(plan)) return;
		this.#touched.add(plan);
		this.#orderBooks.watch(this.#book);
		this.#orderBooks.notePlans(this.#book, true);
	}

	/** The prices that pegs may follow: the best ones of which more stands than their own bets. */
	bestTicks(): BestTicks {
		this.#pegStakes.update();
		return [this.#orderBooks.bestToFollow(this.#book, BACK), this.#orderBooks.bestToFollow(this.#book, LAY)];
	}

	/**
	 * Takes the plans that a look has to visit, oldest first.
	 * @param last price, hundredths; 0 for none
	 * @param best null while best prices do not count
	 */
	take(last: AnyPrice | 0, best: BestTicks | null): Trigger[] {
		const visited = new Set(this.#touched);
		this.#touched.clear();
		for (const plan of visited) if (plan.terms.plan?.kind === 'PEG') this.#followedBy(plan).waiting.add(plan);
		if (best) for (const side of SIDES) if (best[side] >= 0) this.#followed[side].see(best[side], visited);
		if (last > 0) for (const side of SIDES) this.#reach(side, last, visited);
		this.#last = last;
		this.#bound();
		this.#orderBooks.notePlans(this.#book, false);
		return [...visited].sort((one, other) => one.terms.triggerId - other.terms.triggerId);
	}

	/** Adds the brackets of one side whose stop the last price reached since the last look. */
	#reach(side: SideCode, last: AnyPrice, visited: Set<Trigger>): void {
		for (const plan of this.#stops[side].between(this.#reachedBefore(side), last * turnOf(side))) visited.add(plan);
	}

	#reachedBefore(side: SideCode): number {
		return this.#last === 0 ? LOWEST : this.#last * turnOf(side);
	}

	/** Prices between the bounds concern no plan, and the kernel passes them over. */
	#bound(): void {
		const [backs, lays] = this.#stops;
		const below = -lays.next(this.#reachedBefore(LAY));
		this.#orderBooks.boundPlans(this.#book, LAST, below, backs.next(this.#reachedBefore(BACK)));
		this.#orderBooks.boundPlans(this.#book, BACKERS, ...this.#followed[BACK].bounds);
		this.#orderBooks.boundPlans(this.#book, LAYERS, ...this.#followed[LAY].bounds);
	}
}
