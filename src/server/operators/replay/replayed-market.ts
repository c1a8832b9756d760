/** A market as it was at an instant, worked out from what the tables know of its past. */
import type { MarketPast, PastBet, PastEvent } from '#server/operators/replay/market-past.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Amounts in minor units, prices in hundredths. */
interface ReplayedBet extends PastBet {
	matched: number;
	/** In the book. */
	resting: number;
}

interface ReplayedRunner {
	/** What a backer could take: resting lays, highest first. */
	back: { price: number; size: number }[];
	/** What a layer could take: resting backs, lowest first. */
	lay: { price: number; size: number }[];
	last: number | null;
	matched: number;
}

interface ReplayedMarket {
	state: Pick<PastEvent, 'status' | 'inPlay' | 'version'> | null;
	/** Bets that were placed by then, oldest first. */
	bets: ReplayedBet[];
	/** By pool. */
	books: Map<string, ReplayedRunner[]>;
}

/** @param atMs what happened at that millisecond has happened */
export function replayedAt(past: MarketPast, runners: number, atMs: number): ReplayedMarket {
	const events = past.events.filter((event) => event.atMs <= atMs);
	const matches = past.matches.filter((match) => match.atMs <= atMs);
	const ofBet = Map.groupBy(events, ({ betId }) => betId);
	const later = Map.groupBy(
		past.events.filter((event) => event.atMs > atMs && event.what === 'REPRICED'),
		({ betId }) => betId,
	);
	const matched = new Map<number, number>();
	for (const { taker, maker, stake } of matches)
		for (const betId of [taker, maker]) matched.set(betId, (matched.get(betId) ?? 0) + stake);
	const bets = past.bets
		.filter(({ placedAtMs }) => placedAtMs <= atMs)
		.map((bet): ReplayedBet => {
			const own = ofBet.get(bet.betId) ?? [];
			const gone = own.reduce((sum, { stake }) => sum + (stake ?? 0), 0);
			const isDelayed = own.findLast(({ what }) => what === 'DELAYED' || what === 'ADMITTED')?.what === 'DELAYED';
			const met = matched.get(bet.betId) ?? 0;
			// A bet that got another price later had the one before the first change.
			const price = later.get(bet.betId)?.[0]?.price ?? bet.price;
			return { ...bet, price, matched: met, resting: isDelayed || bet.isOnClose ? 0 : bet.stake - met - gone };
		});
	const books = new Map<string, ReplayedRunner[]>();
	for (const bet of bets) if (bet.resting > 0 && bet.walletId >= FIRST_PLAYER_ID) rest(bookOf(bet.pool), bet);
	for (const { pool, runner, price, stake } of matches) {
		const row = bookOf(pool)[runner];
		if (!row) continue;
		row.last = price;
		row.matched += stake;
	}
	for (const book of books.values())
		for (const { back, lay } of book) {
			back.sort((one, other) => other.price - one.price);
			lay.sort((one, other) => one.price - other.price);
		}
	const state = events.findLast(({ what }) => what === 'MARKET');
	return { state: state ?? null, bets, books };

	function bookOf(pool: string): ReplayedRunner[] {
		let book = books.get(pool);
		if (!book)
			books.set(pool, (book = Array.from({ length: runners }, () => ({ back: [], lay: [], last: null, matched: 0 }))));
		return book;
	}
}

function rest(book: readonly ReplayedRunner[], { runner, side, price, resting }: ReplayedBet): void {
	const row = book[runner];
	if (!row) return;
	const levels = side === 0 ? row.lay : row.back;
	const level = levels.find((each) => each.price === price);
	if (level) level.size += resting;
	else levels.push({ price, size: resting });
}

/** When something happened, oldest first; thinned out evenly above `most`. @param acts instants of what was done */
export function momentsOf({ bets, matches, events }: MarketPast, acts: readonly number[], most: number): number[] {
	const all = new Set([
		...acts,
		...bets.map(({ placedAtMs }) => placedAtMs),
		...matches.map(({ atMs }) => atMs),
		...events.map(({ atMs }) => atMs),
	]);
	all.delete(0);
	const sorted = [...all].sort((one, other) => one - other);
	if (sorted.length <= most) return sorted;
	const step = (sorted.length - 1) / (most - 1);
	return Array.from({ length: most }, (_, at) => sorted[Math.round(at * step)] as number);
}
