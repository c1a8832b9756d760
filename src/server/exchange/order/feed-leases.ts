/**
 * How long each market's prices may be trusted. A market that a feed opened has a lease, which the feed renews while
 * its prices stand. When the lease runs out the sequencer suspends the market, so no feed has to report its own
 * failure. Leases outlive a rebuild of the exchange. They are kept in memory on a monotonic clock: after a restart
 * every lease has run out.
 */
import type { MarketId } from '#values/ids.ts';

interface Lease {
	lengthMs: number;
	endsAtMs: number;
}

export class FeedLeases {
	readonly #leases = new Map<number, Lease>();
	readonly #monotonicMs: () => number;

	/**
	 * @param monotonicMs a clock that is never set, milliseconds
	 */
	constructor(monotonicMs: () => number = () => performance.now()) {
		this.#monotonicMs = monotonicMs;
	}

	/** A feed opened the market. */
	begin(marketId: MarketId, lengthMs: number): void {
		if (lengthMs > 0) this.#leases.set(marketId, { lengthMs, endsAtMs: this.#monotonicMs() + lengthMs });
	}

	/**
	 * Adopts a market that was found in the tables. Its lease continues if this process knows it, and has run out
	 * otherwise.
	 */
	adopt(marketId: MarketId, lengthMs: number): void {
		if (lengthMs > 0 && !this.#leases.has(marketId)) {
			this.#leases.set(marketId, { lengthMs, endsAtMs: Number.NEGATIVE_INFINITY });
		}
	}

	/** The prices of these markets stand. Markets without a lease are ignored. */
	renew(marketIds: readonly MarketId[]): void {
		for (const marketId of marketIds) {
			const lease = this.#leases.get(marketId);
			if (lease) lease.endsAtMs = this.#monotonicMs() + lease.lengthMs;
		}
	}

	/** Milliseconds since the prices of the market were last confirmed; null without a lease, or before the first time. */
	ageMs(marketId: MarketId): number | null {
		const lease = this.#leases.get(marketId);
		if (!lease || lease.endsAtMs === Number.NEGATIVE_INFINITY) return null;
		return Math.round(this.#monotonicMs() - (lease.endsAtMs - lease.lengthMs));
	}

	/** The market has ended. */
	end(marketId: MarketId): void {
		this.#leases.delete(marketId);
	}

	/** False for markets without a lease. */
	hasRunOut(marketId: MarketId): boolean {
		const lease = this.#leases.get(marketId);
		return lease !== undefined && lease.endsAtMs <= this.#monotonicMs();
	}

	/** How many leases are held, and how many have run out. */
	counts(): { held: number; runOut: number } {
		const runOut = this.runOut().length;
		return { held: this.#leases.size - runOut, runOut };
	}

	/** Markets whose lease has run out. */
	runOut(): number[] {
		const now = this.#monotonicMs();
		return [...this.#leases].filter(([, { endsAtMs }]) => endsAtMs <= now).map(([marketId]) => marketId);
	}
}
