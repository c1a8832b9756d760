/**
 * Looks which triggers the prices of a batch reached. The server asks at the end of each batch, so prices are those that
 * players are shown: a market maker that replaces its quotes within a batch reaches nothing in between. Matches count all.
 */
import type { LookAtTriggers } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { viewOf } from '#engine/triggers/end-triggers.ts';
import type { Trigger, WatchedPrice } from '#engine/triggers/trigger.ts';
import type { SeenPrice } from '#engine/triggers/watched-book.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

interface BookLook {
	/** Its row. */
	book: number;
	atMs: number;
}

export function lookAtTriggers(
	state: EngineState,
	command: LookAtTriggers & { atMs: number },
	effects: Effects,
): Outcome {
	const { atMs } = command;
	const watched = command.markets.filter((marketId) => state.triggers.isWatched(marketId));
	for (const marketId of watched) {
		const market = state.markets.get(marketId);
		if (!market) throw new Error(`triggers of market ${marketId} have outlived it`);
		for (const { firstBook } of market.sides) {
			for (let runner = 0; runner < market.terms.runners; runner++) {
				const look = { book: firstBook + runner, atMs };
				if (!state.triggers.watchedBook(look.book)) continue;
				lookAtTrades(state, market, look, effects);
				if (!command.withoutBest) lookAtBest(state, market, { ...look, runner }, effects);
			}
		}
	}
	return watched.length > 0 ? DONE : refuse('NOTHING_TO_UPDATE');
}

/** What was matched since the last look. A market that is suspended has nothing more, but may have had. */
export function lookAtTrades(state: EngineState, market: Market, look: BookLook, effects: Effects): void {
	const { books } = state;
	const range = books.tradedRange(look.book);
	const { ladder } = market;
	if (range) {
		const [lowest, highest, last] = range.map((price) => ladder.tickOf(price)) as [number, number, number];
		see(state, market, { ...look, price: 'LAST_TRADED', side: BACK, seen: { lowest, highest, last } }, effects);
	}
	books.forgetRange(look.book);
}

/** The best prices as they stand, where bets can be matched. */
function lookAtBest(state: EngineState, market: Market, look: BookLook & { runner: number }, effects: Effects): void {
	if (market.status !== 'OPEN' || market.changing || market.suspended.has(look.runner)) return;
	for (const side of [BACK, LAY] as const) {
		const tick = state.books.bestFor(look.book, side);
		if (tick < 0) continue;
		see(state, market, { ...look, price: 'BEST', side, seen: { lowest: tick, highest: tick, last: tick } }, effects);
	}
}

function see(
	{ triggers }: EngineState,
	{ ladder }: Market,
	{ book, atMs, price, side, seen }: BookLook & { price: WatchedPrice; side: SideCode; seen: SeenPrice },
	effects: Effects,
): void {
	const due = (trigger: Trigger) => {
		triggers.becomeDue(trigger, atMs);
		effects.triggerChanged(viewOf(trigger, ladder));
	};
	for (const trigger of triggers.watchedBook(book)?.look(price, side, seen, due) ?? []) {
		triggers.moved(trigger);
		effects.triggerChanged(viewOf(trigger, ladder));
	}
}
