/**
 * Looks which triggers the prices of a batch reached, and which bets lapse with its volume. The server asks at the end of each batch, so prices are those that
 * players are shown: a market maker that replaces its quotes within a batch reaches nothing in between. Matches count all.
 *
 * The kernel lists the books that changed and finds those whose prices may concern a trigger (src/kernel/concerns.ts). What
 * concerns none leaves no trace, so a look that reaches nothing is refused: an engine that does not make it comes to the same.
 */

import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { lookAtGroups } from '#engine/guard-groups.ts';
import { CONCERNS } from '#engine/kernel-layout.ts';
import { lapseAtVolume } from '#engine/limit-volume.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { viewOf } from '#engine/triggers/end-triggers.ts';
import { lookAtPlans } from '#engine/triggers/look-at-plans.ts';
import type { Trigger, WatchedPrice } from '#engine/triggers/trigger.ts';
import type { LookAtTriggers } from '#engine/triggers/trigger-commands.ts';
import type { SeenPrice, WatchedBook } from '#engine/triggers/watched-book.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const { OF_FILLS, OF_PLANS } = CONCERNS;
const OF_BEST = CONCERNS.FOR_BACKERS | CONCERNS.FOR_LAYERS;
const SIDES = [BACK, LAY] as const;

/** A look at one book, given by its row. */
interface BookLook {
	market: Market;
	book: number;
	watched: WatchedBook;
	atMs: number;
}

export function lookAtTriggers(
	state: EngineState,
	{ withoutBest, atMs }: LookAtTriggers & { atMs: number },
	effects: Effects,
): Outcome {
	const { books, triggers, markets } = state;
	collectConcerned(state);
	let reached = lapseAtVolume(state, triggers.concerned, effects);
	reached += lookAtGroups(state, [...triggers.concerned], atMs, effects);
	// What lapsed may have been the best price of its book.
	if (reached > 0) collectConcerned(state);
	for (const book of triggers.concerned) {
		const watched = triggers.watchedBook(book);
		const plans = triggers.plansOf(book);
		const of = watched ?? plans;
		if (!of) {
			triggers.concerned.delete(book);
			continue;
		}
		const market = markets.get(of.marketId);
		if (!market) throw new Error(`triggers of book ${book} have outlived its market`);
		const concerns = books.concernsOf(book);
		const isOpen = market.status === 'OPEN' && !market.changing && !market.suspended.has(of.runner);
		const counts = isOpen && withoutBest !== 'ALL' && !withoutBest.includes(market.marketId);
		if (watched) {
			const look = { market, book, watched, atMs };
			if ((concerns & OF_FILLS) !== 0) reached += lookAtTrades(state, look, effects);
			if (counts) reached += lookAtBest(state, look, effects);
		}
		if (plans && (concerns & OF_PLANS) !== 0) {
			reached += lookAtPlans(state, { plans, market, book, seesBest: counts, atMs }, effects);
		}
		if (counts || (concerns & (OF_BEST | OF_PLANS)) === 0) triggers.concerned.delete(book);
	}
	return reached > 0 ? DONE : refuse('NOTHING_TO_UPDATE');
}

function collectConcerned({ books, triggers }: EngineState): void {
	for (let book = books.nextConcerned(); book !== NONE; book = books.nextConcerned()) triggers.concerned.add(book);
}

/** Before a trigger is placed: what was matched by then counts for its neighbours alone. */
export function lookBeforeTrigger(
	state: EngineState,
	{ market, book, atMs }: Omit<BookLook, 'watched'>,
	effects: Effects,
): void {
	const watched = state.triggers.watchedBook(book);
	if (watched) lookAtTrades(state, { market, book, watched, atMs }, effects);
}

/**
 * What was matched since the last look. A market that is suspended has nothing more, but may have had.
 * @returns how many triggers it changed
 */
function lookAtTrades(state: EngineState, look: BookLook, effects: Effects): number {
	const { books } = state;
	const { market, book } = look;
	const highest = books.highestPriceTraded(book);
	if (highest === 0) return 0;
	const tickOf = (price: number) => market.ladder.tickOf(price);
	const seen = {
		lowest: tickOf(books.lowestPriceTraded(book)),
		highest: tickOf(highest),
		last: tickOf(books.lastPriceTraded(book)),
	};
	books.beginRange(book, 0);
	return see(state, look, { price: 'LAST_TRADED', side: BACK, seen }, effects);
}

/** The best prices as they stand. @returns how many triggers they change */
function lookAtBest(state: EngineState, look: BookLook, effects: Effects): number {
	let changed = 0;
	for (const side of SIDES) {
		const tick = state.books.bestFor(look.book, side);
		if (tick < 0) continue;
		changed += see(state, look, { price: 'BEST', side, seen: { lowest: tick, highest: tick, last: tick } }, effects);
	}
	return changed;
}

function see(
	{ triggers }: EngineState,
	{ market: { ladder }, watched, atMs }: BookLook,
	{ price, side, seen }: { price: WatchedPrice; side: SideCode; seen: SeenPrice },
	effects: Effects,
): number {
	let changed = 0;
	const emit = (trigger: Trigger): void => {
		changed++;
		effects.triggerChanged(viewOf(trigger, ladder));
	};
	const due = (trigger: Trigger): void => {
		triggers.becomeDue(trigger, atMs);
		emit(trigger);
	};
	for (const trigger of watched.look(price, side, seen, due)) {
		triggers.moved(trigger);
		emit(trigger);
	}
	return changed;
}
