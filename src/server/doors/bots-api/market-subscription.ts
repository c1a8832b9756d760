/**
 * One client's subscription to markets. It remembers the client's state, so a message is the difference from that state
 * to the current durable books. Whatever was skipped between two messages, the client's book equals the exchange's.
 */
import type { MarketView } from '#engine/engine.ts';
import { poolOf, showsSport } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	changeOf,
	type DataFilter,
	imageOf,
	type MarketChange,
	type MarketSnapshot,
	snapshotOf,
} from '#server/doors/bots-api/market-snapshots.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import type { Subscription, SubscriptionTerms, Update } from '#server/doors/bots-api/subscription.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { MarketId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

/** One change in the form for both kinds of subscribers; null if nothing changed. */
interface SharedChange {
	plain: MarketChange | null;
	conflated: MarketChange | null;
}

function sharedChange(before: MarketSnapshot, now: MarketSnapshot): SharedChange {
	const plain = changeOf(before, now);
	return { plain, conflated: plain && { ...plain, con: true } };
}

/** Snapshots and changes shared by subscriptions with one filter, until the clock advances. */
export class SharedSnapshots {
	#clock = -1;
	readonly #snapshots = new Map<string, MarketSnapshot>();
	#changes = new WeakMap<MarketSnapshot, WeakMap<MarketSnapshot, SharedChange>>();

	of(clock: number, key: string, make: () => MarketSnapshot): MarketSnapshot {
		if (clock !== this.#clock) this.#snapshots.clear();
		this.#clock = clock;
		const known = this.#snapshots.get(key) ?? make();
		this.#snapshots.set(key, known);
		return known;
	}

	/** @param isConflated several batches made the change */
	change(before: MarketSnapshot, now: MarketSnapshot, isConflated: boolean): MarketChange | null {
		const from = this.#changes.get(before) ?? new WeakMap();
		this.#changes.set(before, from);
		const known = from.get(now) ?? sharedChange(before, now);
		from.set(now, known);
		return isConflated ? known.conflated : known.plain;
	}
}

export interface MarketSources {
	parts: BotParts;
	shared: SharedSnapshots;
	/** The current clock. */
	clock(): number;
	/** That of the latest change of a market that has left memory. */
	forgotten(): number;
	/** The batch in which a market of a pool last changed; that from which on changes are known if there was none since. */
	changedAt(marketId: MarketId, pool: Pool): number;
}

const hasNotEnded = ({ status }: MarketView): boolean => status !== 'SETTLED' && status !== 'VOIDED';

export class MarketSubscription implements Subscription {
	readonly op = 'mcm';
	readonly list = 'mc';
	readonly ready = null;
	readonly terms: SubscriptionTerms;
	readonly #sources: MarketSources;
	readonly #caller: BotCaller;
	readonly #filter: DataFilter;
	readonly #wants: (listing: MarketListing, fixture: Fixture) => boolean;
	/** The client's state. */
	readonly #sent = new Map<MarketId, MarketSnapshot>();
	/** Changed since the last message, with the number of batches that did it. */
	readonly #dirty = new Map<MarketId, number>();
	/** The client's clock; null for an image. */
	readonly #since: number | null;

	constructor(
		sources: MarketSources,
		caller: BotCaller,
		asked: {
			terms: SubscriptionTerms;
			filter: DataFilter;
			wants: (listing: MarketListing, fixture: Fixture) => boolean;
			since: number | null;
		},
	) {
		this.#sources = sources;
		this.#caller = caller;
		this.terms = asked.terms;
		this.#filter = asked.filter;
		this.#wants = asked.wants;
		this.#since = asked.since;
	}

	/** The markets that the subscription covers now. */
	markets(): MarketId[] {
		return this.#covered(hasNotEnded);
	}

	/** The markets of the filter that pass. */
	#covered(passes: (market: MarketView) => boolean): MarketId[] {
		const { fixtures, exchange } = this.#sources.parts;
		return fixtures.all().flatMap((fixture) =>
			fixtures.markets(fixture.id).flatMap((listing) => {
				const market = exchange.market(listing.id);
				return market && passes(market) && this.#covers(listing, fixture) ? [listing.id] : [];
			}),
		);
	}

	#covers(listing: MarketListing, fixture: Fixture): boolean {
		const market = this.#sources.parts.exchange.market(listing.id);
		const isSeen = market?.pools.includes(poolOf(this.#caller)) && showsSport(this.#caller, fixture);
		return Boolean(isSeen) && this.#wants(listing, fixture);
	}

	/** Notes a change. */
	changed(marketId: MarketId): void {
		if (!this.#sent.has(marketId)) {
			const named = this.#named(marketId);
			if (!named || !this.#covers(named.listing, named.fixture)) return;
		}
		this.#dirty.set(marketId, (this.#dirty.get(marketId) ?? 0) + 1);
	}

	get isDirty(): boolean {
		return this.#dirty.size > 0;
	}

	begin(): Update {
		const { changedAt } = this.#sources;
		const [since, pool] = [this.#since, poolOf(this.#caller)];
		const isNews = (marketId: MarketId) => since === null || changedAt(marketId, pool) > since;
		const changes: MarketChange[] = [];
		// A market that was settled while the client was away has changed, too.
		const marketIds = this.#covered((market) => hasNotEnded(market) || (since !== null && isNews(market.marketId)));
		for (const marketId of marketIds) {
			// Which state of a quiet market the client has is not known here: its next change comes as an image.
			const snapshot = isNews(marketId) ? this.#snapshot(marketId) : null;
			if (!snapshot) continue;
			this.#sent.set(marketId, snapshot);
			changes.push(imageOf(snapshot));
		}
		this.#dirty.clear();
		return { ct: since === null ? 'SUB_IMAGE' : 'RESUB_DELTA', changes };
	}

	next(): Update | null {
		const changes: MarketChange[] = [];
		for (const [marketId, batches] of this.#dirty) {
			const now = this.#snapshot(marketId);
			if (!now) continue;
			const before = this.#sent.get(marketId);
			const change = before ? this.#sources.shared.change(before, now, batches > 1) : imageOf(now);
			// A change that the client does not see leaves it at the state that it was told.
			if (!change) continue;
			this.#sent.set(marketId, now);
			changes.push(change);
		}
		this.#dirty.clear();
		return changes.length > 0 ? { changes } : null;
	}

	#named(marketId: MarketId): { listing: MarketListing; fixture: Fixture } | null {
		const { fixtures } = this.#sources.parts;
		const listing = fixtures.market(marketId);
		const fixture = listing && fixtures.fixture(listing.fixtureId);
		return listing && fixture ? { listing, fixture } : null;
	}

	#snapshot(marketId: MarketId): MarketSnapshot | null {
		const { parts, shared, clock, changedAt } = this.#sources;
		const named = this.#named(marketId);
		const pool = poolOf(this.#caller);
		const key = `${marketId}.${pool}.${this.#filter.key}`;
		if (!named) return null;
		const asked = { sequence: changedAt(marketId, pool), filter: this.#filter };
		return shared.of(clock(), key, () => snapshotOf(parts, named, pool, asked));
	}
}
