/**
 * The newest bets of players, and what each market took in the last minute, kept in memory as batches commit. A commit
 * only appends; names and filters are the work of an answer, so the number of readers does not change what a bet costs.
 */
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';

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
	/** Of markets with trades in the last minute by pool, in the order of their newest seconds. */
	readonly #minutes = new Map<string, Minute>();
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
		for (const { marketId, pool, stake } of trades)
			this.#addTrade(placeOf(marketId, pool), stake, Math.floor(atMs / 1000));
	};

	/** Newest first, as they stood when their batches committed. */
	*newest(): Generator<BetRecord, undefined> {
		for (let at = this.#last; at > Math.max(0, this.#last - KEPT); at--) {
			const bet = this.#ring[at % KEPT];
			if (bet) yield bet;
		}
	}

	/** Backers' stake that a market took in the last minute in a pool, minor units. */
	matchedLastMinute(marketId: MarketId, pool: Pool, nowMs: number): AnyMinor {
		const minute = this.#minutes.get(placeOf(marketId, pool));
		if (!minute) return 0;
		const now = Math.max(Math.floor(nowMs / 1000), minute.second);
		let sum = 0;
		for (let second = now - SECONDS + 1; second <= minute.second; second++) {
			sum += minute.bySecond[second % SECONDS] ?? 0;
		}
		return sum;
	}

	#addTrade(name: string, stake: AnyMinor, second: number): void {
		const minute = this.#minutes.get(name) ?? { bySecond: new Float64Array(SECONDS), second };
		if (second > minute.second || !this.#minutes.has(name)) {
			forward(minute, second);
			this.#minutes.delete(name);
			this.#minutes.set(name, minute);
			this.#forgetUntil(second - SECONDS);
		}
		const place = minute.second % SECONDS;
		minute.bySecond[place] = (minute.bySecond[place] ?? 0) + stake;
	}

	/** Markets whose last trade was in that second, or before it. */
	#forgetUntil(second: number): void {
		for (const [name, minute] of this.#minutes) {
			if (minute.second > second) return;
			this.#minutes.delete(name);
		}
	}
}

const placeOf = (marketId: MarketId, pool: Pool): string => `${marketId} ${pool}`;

/** Empties the places of the seconds that have passed. */
function forward(minute: Minute, second: number): void {
	const passed = Math.min(SECONDS, second - minute.second);
	for (let step = 1; step <= passed; step++) minute.bySecond[(minute.second + step) % SECONDS] = 0;
	minute.second = Math.max(minute.second, second);
}
