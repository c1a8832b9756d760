/**
 * The newest bets of players, and what each market took in the last minute, kept in memory as batches commit. A commit
 * only appends; names and filters are the work of an answer, so the number of readers does not change what a bet costs.
 */
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Some seconds at the largest load: a screen asks each second. */
const KEPT = 8_192;
const SECONDS = 60;

/** Sums of the last minute, a place for each second. */
interface Minute {
	bySecond: Float64Array;
	/** The second of the newest place. */
	second: number;
}

export class BetTicker {
	/** A ring: the bet with number n is at n modulo its length. */
	readonly #ring: (BetRecord | undefined)[] = Array.from({ length: KEPT });
	readonly #minutes = new Map<MarketId, Minute>();
	#last = 0;

	/** Follows commits. */
	readonly onCommitted: CommittedListener = ({ bets, betEvents, trades, atMs }) => {
		const placed = new Set<number>();
		for (const { betId, event } of betEvents) if (event === 'PLACED') placed.add(betId);
		if (placed.size > 0) {
			for (const bet of bets) {
				if (bet.walletId < FIRST_PLAYER_ID || !placed.has(bet.betId)) continue;
				this.#last += 1;
				this.#ring[this.#last % KEPT] = bet;
			}
		}
		for (const { marketId, stake } of trades) this.#addTrade(marketId, stake, Math.floor(atMs / 1000));
	};

	/** Newest first, as they stood when their batches committed. */
	*newest(): Generator<BetRecord, undefined> {
		for (let at = this.#last; at > Math.max(0, this.#last - KEPT); at--) {
			const bet = this.#ring[at % KEPT];
			if (bet) yield bet;
		}
	}

	/** Backers' stake that a market took in the last minute, paise. */
	matchedLastMinute(marketId: MarketId, nowMs: number): AnyPaise {
		const minute = this.#minutes.get(marketId);
		if (!minute) return 0;
		const age = Math.floor(nowMs / 1000) - minute.second;
		if (age >= SECONDS) {
			this.#minutes.delete(marketId);
			return 0;
		}
		forward(minute, minute.second + Math.max(0, age));
		return minute.bySecond.reduce((sum, stake) => sum + stake, 0);
	}

	#addTrade(marketId: MarketId, stake: AnyPaise, second: number): void {
		let minute = this.#minutes.get(marketId);
		if (!minute) {
			minute = { bySecond: new Float64Array(SECONDS), second };
			this.#minutes.set(marketId, minute);
		}
		forward(minute, second);
		const place = minute.second % SECONDS;
		minute.bySecond[place] = (minute.bySecond[place] ?? 0) + stake;
	}
}

/** Empties the places of the seconds that have passed. */
function forward(minute: Minute, second: number): void {
	const passed = Math.min(SECONDS, second - minute.second);
	for (let step = 1; step <= passed; step++) minute.bySecond[(minute.second + step) % SECONDS] = 0;
	minute.second = Math.max(minute.second, second);
}
