/**
 * What a taker is offered on each runner, virtual prices among it: in a market that matches across runners, what bets on
 * all the others together offer. Found from the durable books alone, as they are shown; players' pages, lists and bots have
 * them from here.
 */
import type { Book, BookRunner, Exchange } from '#server/exchange/exchange.ts';
import { BOOK_DEPTH } from '#values/hedge.ts';
import type { MarketId } from '#values/ids.ts';
import { type Pool, stepOf } from '#values/pools.ts';
import { ladderOf } from '#values/price-ladder.ts';
import { BACK, LAY } from '#values/sides.ts';
import { type BookSides, levelsAcross } from '#values/virtual-prices.ts';

/** By book as it stands: each batch that changes one makes a new one. */
const known = new WeakMap<Book, readonly BookSides[]>();

/** By runner, best first. Where a market does not match across runners, the books themselves. */
export function shownOffers(
	exchange: Pick<Exchange, 'market' | 'book'>,
	marketId: MarketId,
	pool: Pool,
): readonly BookSides[] {
	const book = exchange.book(marketId, pool);
	const market = exchange.market(marketId);
	if (!book) return [];
	// All the others are needed: with one suspended nothing is matched across.
	if (!market?.crossMatching || market.suspended.length > 0) return book.runners;
	const found = known.get(book) ?? acrossRunners(book.runners, { ladder: market.ladder, pool });
	known.set(book, found);
	return found;
}

function acrossRunners(
	runners: readonly BookRunner[],
	{ ladder, pool }: { ladder: Parameters<typeof ladderOf>[0]; pool: Pool },
): BookSides[] {
	const terms = { ladder: ladderOf(ladder), step: stepOf(pool), known: BOOK_DEPTH, depth: BOOK_DEPTH };
	return runners.map((_, runner) => ({
		back: levelsAcross(runners, runner, BACK, terms),
		lay: levelsAcross(runners, runner, LAY, terms),
	}));
}
