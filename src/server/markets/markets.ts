/** What operators do to the markets of a fixture. The feed that plays the fixture takes part in ending it. */
import type { Fixture, MarketListing } from '#server/fixtures/fixtures.ts';
import { abandonFixture, abandonMarkets } from '#server/markets/abandon-fixture.ts';
import type { MarketParts } from '#server/markets/fixture-market.ts';
import { type NewMarket, openMarket } from '#server/markets/open-market.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { FixtureId } from '#values/ids.ts';

/** A market as an operator defines it. Fields left out default to those of the feeds' markets. */
export type OperatorMarket = Omit<NewMarket, 'lines' | 'byOperator'>;

/** A feed that plays fixtures. */
export interface PlayingFeed {
	/**
	 * Stops playing a fixture and ends its open markets. Resolves to true once they are settled or void, to false if the
	 * feed does not play this fixture.
	 */
	abandon(fixtureId: FixtureId): Promise<boolean>;
}

export class Markets {
	readonly #parts: MarketParts;
	/** Null until the feeds have started. */
	#feeds: readonly PlayingFeed[] | null = null;

	constructor(parts: MarketParts) {
		this.#parts = parts;
	}

	/** Called once, when the feeds have started. */
	setFeeds(feeds: readonly PlayingFeed[]): void {
		this.#feeds = feeds;
	}

	/** Lists and opens a market, in-play if its fixture is. */
	async open(fixture: Fixture, market: OperatorMarket): Promise<MarketListing> {
		const opened = await openMarket(this.#parts, fixture, { ...market, byOperator: true });
		if (fixture.status === 'IN_PLAY') await opened.turnInPlay();
		return opened.listing;
	}

	/**
	 * Ends every open market of a fixture by its type's rule for play that stops early.
	 * @throws Refused STARTING before the feeds have started
	 */
	async abandon(fixture: Fixture): Promise<void> {
		if (!this.#feeds) throw new Refused('STARTING');
		// Feeds know only the markets that they opened themselves.
		const byOperators = this.#parts.fixtures.markets(fixture.id).filter(({ byOperator }) => byOperator);
		await abandonMarkets(this.#parts, fixture, byOperators);
		for (const feed of this.#feeds) if (await feed.abandon(fixture.id)) return;
		await abandonFixture(this.#parts, fixture);
	}
}
