/**
 * Looks which triggers the prices of a batch reached. The server asks at the end of each batch, so prices are those that
 * players are shown: a market maker that replaces its quotes within a batch reaches nothing in between. Matches count all.
 */

import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { viewOf } from '#engine/triggers/end-triggers.ts';
import type { Trigger, WatchedPrice } from '#engine/triggers/trigger.ts';
import type { LookAtTriggers } from '#engine/triggers/trigger-commands.ts';
import type { SeenPrice, WatchedBook } from '#engine/triggers/watched-book.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const SIDES = [BACK, LAY] as const;

interface BookLook {
	/** Its row, and its triggers. */
	book: number;
	watched: WatchedBook;
	atMs: number;
}

export function lookAtTriggers(
	state: EngineState,
	command: LookAtTriggers & { atMs: number },
	effects: Effects,
): Outcome {
	const { atMs, markets } = command;
	let looked = 0;
	for (const { marketId, runners, withoutBest } of markets) {
		if (!state.triggers.isWatched(marketId)) continue;
		looked++;
		const market = state.markets.get(marketId);
		if (!market) throw new Error(`triggers of market ${marketId} have outlived it`);
		for (const { firstBook } of market.sides) {
			for (const runner of runners ?? Array.from({ length: market.terms.runners }, (_, index) => index)) {
				const book = firstBook + runner;
				const watched = state.triggers.watchedBook(book);
				if (!watched) continue;
				lookAtTrades(state, market, { book, watched, atMs }, effects);
				const isOpen = market.status === 'OPEN' && !market.changing && !market.suspended.has(runner);
				if (isOpen && !withoutBest) lookAtBest(state, market, { book, watched, atMs }, effects);
			}
		}
	}
	return looked > 0 ? DONE : refuse('NOTHING_TO_UPDATE');
}

/** Before a trigger is placed: what was matched by then counts for its neighbours alone. */
export function lookBeforeTrigger(
	state: EngineState,
	market: Market,
	{ book, atMs }: Pick<BookLook, 'book' | 'atMs'>,
	effects: Effects,
): void {
	const watched = state.triggers.watchedBook(book);
	if (watched) lookAtTrades(state, market, { book, watched, atMs }, effects);
}

/** What was matched since the last look. A market that is suspended has nothing more, but may have had. */
function lookAtTrades(state: EngineState, market: Market, look: BookLook, effects: Effects): void {
	const { books } = state;
	const { book, watched } = look;
	const highestPrice = books.highestPriceTraded(book);
	if (highestPrice === 0) return;
	const { ladder } = market;
	const [lowest, highest] = [ladder.tickOf(books.lowestPriceTraded(book)), ladder.tickOf(highestPrice)];
	if (watched.isConcerned('LAST_TRADED', BACK, lowest, highest)) {
		const seen = { lowest, highest, last: ladder.tickOf(books.lastPriceTraded(book)) };
		see(state, market, { ...look, price: 'LAST_TRADED', side: BACK, seen }, effects);
	}
	books.beginRange(book, 0);
}

/** The best prices as they stand. */
function lookAtBest(state: EngineState, market: Market, look: BookLook, effects: Effects): void {
	const { book, watched } = look;
	for (const side of SIDES) {
		const tick = state.books.bestFor(book, side);
		if (tick < 0 || !watched.isConcerned('BEST', side, tick, tick)) continue;
		see(state, market, { ...look, price: 'BEST', side, seen: { lowest: tick, highest: tick, last: tick } }, effects);
	}
}

function see(
	{ triggers }: EngineState,
	{ ladder }: Market,
	{ watched, atMs, price, side, seen }: BookLook & { price: WatchedPrice; side: SideCode; seen: SeenPrice },
	effects: Effects,
): void {
	const due = (trigger: Trigger) => {
		triggers.becomeDue(trigger, atMs);
		effects.triggerChanged(viewOf(trigger, ladder));
	};
	for (const trigger of watched.look(price, side, seen, due)) {
		triggers.moved(trigger);
		effects.triggerChanged(viewOf(trigger, ladder));
	}
}
