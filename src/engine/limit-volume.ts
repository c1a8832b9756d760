/**
 * Lapses the unmatched part of bets once others have matched a volume of their runner: the volume of the book rises by each
 * match and by what the crowd takes, and what is matched of the bet itself does not count. The look at the end of a batch
 * finds them, so nothing is looked at as bets are matched.
 */
import type { PlaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { CONCERNS } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import { NONE } from '#engine/rows.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** Bets of one book, which may all lapse by one command. */
const MOST_OF_BOOK = 1_000;

/** Bets that have nothing unmatched any more wait for no volume. */
export function hasMostLimits({ markets, accounts, bets, volumeLimits }: EngineState, bet: PlaceBet): boolean {
	const { wallets } = accounts;
	const wallet = wallets.find(bet.walletId);
	const side = wallet === NONE ? null : markets.get(bet.marketId)?.side(wallets.pool(wallet));
	if (side == null) return false;
	const book = side.firstBook + bet.runner;
	if (volumeLimits.countOf(book) < MOST_OF_BOOK) return false;
	for (const betId of volumeLimits.inBook(book)) if (bets.remaining(bets.find(betId)) === 0) volumeLimits.forget(betId);
	return volumeLimits.countOf(book) >= MOST_OF_BOOK;
}

export function hasVolumeLimits({ volumeLimits }: EngineState, { sides, terms: { runners } }: Market): boolean {
	const books = (first: number) => Array.from({ length: runners }, (_, runner) => first + runner);
	return sides.some(({ firstBook }) => books(firstBook).some((book) => volumeLimits.countOf(book) > 0));
}

/** A bet waits for a volume from now on. @param at without what is matched of itself, minor units */
export function limitVolume(state: EngineState, betId: BetId, at: AnyMinor): void {
	const { bets, books, positions, volumeLimits } = state;
	const bet = bets.find(betId);
	if (bet === NONE) return;
	const book = state.bookOf(positions.marketOf(bets.position(bet)), bet);
	volumeLimits.add(betId, { book, at }, bets.matched(bet));
	books.watch(book);
	books.boundVolume(book, volumeLimits.next(book));
}

/** Less is matched of a bet than before, so it lapses at a smaller volume of its book. */
export function limitAgain({ bets, books, volumeLimits }: EngineState, betId: BetId): void {
	const book = volumeLimits.bookOf(betId);
	if (book === null) return;
	volumeLimits.enterAgain(betId, bets.matched(bets.find(betId)));
	books.watch(book);
	books.boundVolume(book, volumeLimits.next(book));
}

/** What others have still to match before a bet lapses, minor units; null for a bet that does not lapse with its volume. */
export function volumeLeft({ bets, books, volumeLimits }: EngineState, betId: BetId): AnyMinor | null {
	const [at, book] = [volumeLimits.of(betId), volumeLimits.bookOf(betId)];
	if (at === null || book === null) return null;
	return Math.max(0, at - (books.totalMatched(book) - bets.matched(bets.find(betId))));
}

/**
 * Lapses the bets of these books whose volume was reached, the oldest first. A market that is being settled lapses its bets
 * itself.
 * @returns how many lapsed
 */
export function lapseAtVolume(state: EngineState, concerned: Iterable<number>, effects: Effects): number {
	const { bets, books, positions, volumeLimits } = state;
	const due: BetId[] = [];
	for (const book of concerned) {
		if ((books.concernsOf(book) & CONCERNS.OF_VOLUME) === 0) continue;
		due.push(...volumeLimits.takeDue(book, books.totalMatched(book), (betId) => bets.matched(bets.find(betId))));
		books.boundVolume(book, volumeLimits.next(book));
	}
	const touched = new Set<number>();
	let lapsed = 0;
	for (const betId of due.sort((one, other) => one - other)) {
		const bet = bets.find(betId);
		const remaining = bets.remaining(bet);
		const position = bets.position(bet);
		const market = positions.marketOf(position);
		if (remaining === 0 || market.status === 'SETTLING') continue;
		effects.betLapsed(betId, remaining, 'VOLUME_REACHED');
		state.cancelRemaining(market, bet, remaining);
		touched.add(position);
		lapsed++;
	}
	for (const position of touched) state.hold(positions.marketOf(position), position, effects);
	return lapsed;
}
