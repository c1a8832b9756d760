/** What this process remembers of orders that changed: for subscriptions that resume, and the times of each order. */
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { BetId, PlayerId } from '#values/ids.ts';

/** A bet with the times at which parts of it left the book; null where none did, or it was before there was a client. */
export interface DatedBet extends BetRecord {
	cancelledAtMs: number | null;
	lapsedAtMs: number | null;
	/** The batch of its latest change; null when that was before there was a client. */
	changed: { batchSeq: number; atMs: number } | null;
}

/** Changes of bets that are remembered of one player, for subscriptions that resume. */
const MOST_REMEMBERED = 5_000;

/** The latest changes of the bets of players who have, or had, a subscription. */
export class OrderLog {
	/** By player, oldest change first. */
	readonly #players = new Map<PlayerId, { since: number; bets: Map<BetId, { bet: DatedBet; clock: number }> }>();

	/** Remembers the player's changes from this clock on. */
	follow(playerId: PlayerId, clock: number): void {
		if (!this.#players.has(playerId)) this.#players.set(playerId, { since: clock, bets: new Map() });
	}

	forgetAll(): void {
		this.#players.clear();
	}

	/** @param atMs when the change was written @returns the bet with its times */
	changed(bet: BetRecord, clock: number, atMs: number): DatedBet {
		const of = this.#players.get(bet.walletId);
		const dated = {
			...datedAfter(of?.bets.get(bet.betId)?.bet, bet, atMs),
			changed: { batchSeq: clock, atMs },
		};
		if (!of) return dated;
		of.bets.delete(bet.betId);
		of.bets.set(bet.betId, { bet: dated, clock });
		if (of.bets.size <= MOST_REMEMBERED) return dated;
		const [oldest] = of.bets;
		if (!oldest) return dated;
		of.bets.delete(oldest[0]);
		of.since = oldest[1].clock;
		return dated;
	}

	/** A bet with the times that are known of it. */
	dated(bet: BetRecord): DatedBet {
		const known = this.#players.get(bet.walletId)?.bets.get(bet.betId)?.bet;
		return {
			...bet,
			cancelledAtMs: known?.cancelledAtMs ?? null,
			lapsedAtMs: known?.lapsedAtMs ?? null,
			changed: known?.changed ?? null,
		};
	}

	/** The bets that changed after a clock, each once; null when some of them are forgotten. */
	after(playerId: PlayerId, clock: number): DatedBet[] | null {
		const of = this.#players.get(playerId);
		if (!of || clock < of.since) return null;
		return [...of.bets.values()].flatMap((one) => (one.clock > clock ? [one.bet] : []));
	}
}

/** What grew since the last change grew now. A match is no reason: its bet was cancelled or lapsed before, if at all. */
function datedAfter(before: DatedBet | undefined, bet: BetRecord, atMs: number): Omit<DatedBet, 'changed'> {
	const isOther = before === undefined && bet.matchedAtMs === atMs && bet.remaining > 0;
	const at = (amount: 'cancelled' | 'lapsed', known: number | null): number | null =>
		bet[amount] === (before?.[amount] ?? 0) || isOther ? known : atMs;
	return {
		...bet,
		cancelledAtMs: at('cancelled', before?.cancelledAtMs ?? null),
		lapsedAtMs: at('lapsed', before?.lapsedAtMs ?? null),
	};
}
