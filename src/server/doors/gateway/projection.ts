/**
 * A gateway's copy of the data for visitors: fixtures, markets and books as of the last message of the process with the
 * engine. It answers like `Fixtures` and `Exchange` there.
 */
import type { MarketView } from '#engine/engine.ts';
import type { Shown } from '#server/calls/handler.ts';
import type { ProjectionChange, WholeFixture } from '#server/doors/gateway/projection-messages.ts';
import type { Book } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture, Score } from '#server/world/fixtures/fixtures.ts';
import type { FixtureId } from '#values/ids.ts';

interface Held {
	fixture: Fixture;
	/** In their order. */
	listings: Map<number, MarketListing>;
	score: Score | null;
}

export class Projection implements Shown {
	/** Of the fixtures. */
	version = 0;
	readonly #held = new Map<number, Held>();
	readonly #listings = new Map<number, MarketListing>();
	readonly #markets = new Map<number, MarketView>();
	/** By market and pool. */
	readonly #books = new Map<number, Map<string, Book>>();

	readonly fixtures: Shown['fixtures'];
	readonly exchange: Shown['exchange'];

	constructor() {
		const held = this.#held;
		const version = () => this.version;
		this.fixtures = {
			get version() {
				return version();
			},
			all: () => [...held.values()].map(({ fixture }) => fixture),
			fixture: (id) => held.get(id)?.fixture ?? null,
			markets: (fixtureId) => [...(held.get(fixtureId)?.listings.values() ?? [])],
			market: (id) => this.#listings.get(id) ?? null,
			score: (fixtureId) => held.get(fixtureId)?.score ?? null,
		};
		this.exchange = {
			market: (marketId) => this.#markets.get(marketId) ?? null,
			book: (marketId, pool) => this.#books.get(marketId)?.get(pool) ?? null,
		};
	}

	apply(change: ProjectionChange): void {
		if ('whole' in change) this.#replace(change.whole);
		else if ('fixture' in change) this.#setFixture(change.fixture);
		else if ('listing' in change) this.#setListing(change.listing);
		else if ('score' in change) this.#setScore(change.of, change.score);
		else if ('market' in change) this.#markets.set(change.market.marketId, change.market);
		else if ('book' in change) this.#setBook(change.book);
		else this.#drop(change.gone);
	}

	/** Drops all fixtures but these. */
	keepOnly(fixtureIds: readonly FixtureId[]): void {
		const kept: ReadonlySet<number> = new Set(fixtureIds);
		for (const id of this.#held.keys()) if (!kept.has(id)) this.#drop(id);
	}

	#replace({ fixture, listings, score, markets, books }: WholeFixture): void {
		this.#drop(fixture.id);
		this.#held.set(fixture.id, { fixture, listings: new Map(), score });
		for (const listing of listings) this.#setListing(listing);
		for (const market of markets) this.#markets.set(market.marketId, market);
		for (const book of books) this.#setBook(book);
	}

	#setFixture(fixture: Fixture): void {
		const held = this.#held.get(fixture.id);
		if (held) held.fixture = fixture;
		else this.#held.set(fixture.id, { fixture, listings: new Map(), score: null });
	}

	#setListing(listing: MarketListing): void {
		this.#held.get(listing.fixtureId)?.listings.set(listing.id, listing);
		this.#listings.set(listing.id, listing);
	}

	#setScore(fixtureId: FixtureId, score: Score): void {
		const held = this.#held.get(fixtureId);
		if (held) held.score = score;
	}

	#setBook(book: Book): void {
		const ofMarket = this.#books.get(book.marketId);
		if (ofMarket) ofMarket.set(book.pool, book);
		else this.#books.set(book.marketId, new Map([[book.pool, book]]));
	}

	#drop(fixtureId: FixtureId): void {
		for (const id of this.#held.get(fixtureId)?.listings.keys() ?? []) {
			this.#listings.delete(id);
			this.#markets.delete(id);
			this.#books.delete(id);
		}
		this.#held.delete(fixtureId);
	}
}
