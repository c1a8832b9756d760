/** Operators' acts on the markets of a fixture. The feed that plays the fixture takes part in ending it. */

import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { abandonFixture, abandonMarkets } from '#server/world/markets/abandon-fixture.ts';
import { FixtureMarket, type MarketParts } from '#server/world/markets/fixture-market.ts';
import { openMarketMakers, type QuotedRunner } from '#server/world/markets/market-maker.ts';
import { type NewMarket, openMarket } from '#server/world/markets/open-market.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { FixtureId, MarketId } from '#values/ids.ts';

/** A market as an operator defines it. Fields left out default to those of the feeds' markets. */
export type OperatorMarket = Omit<NewMarket, 'byOperator'>;

/** A step of recorded time. */
export interface StepAsked {
	/** The clock as the caller knows it, recorded milliseconds; null for any. */
	afterMs: number | null;
	/** How far it goes on; null: to the next message. */
	byMs: number | null;
}

/** The clock after a step. */
export interface Stepped {
	elapsedMs: number;
	/** Nothing is left to play, and the markets are settled or void. */
	isEnded: boolean;
}

/** A feed that plays fixtures. */
export interface PlayingFeed {
	/**
	 * Stops playing a fixture and ends its open markets. Resolves to true once they are settled or void, or their results
	 * proposed, to false if the feed does not play this fixture.
	 */
	abandon(fixtureId: FixtureId): Promise<boolean>;
	/** Lets recorded time go on, where it waits for that. */
	step?(asked: StepAsked): Promise<Stepped>;
}

export class Markets {
	readonly #parts: MarketParts;
	/** Null until the feeds have started. */
	#feeds: readonly PlayingFeed[] | null = null;
	/** Markets that traders price, with their quotes. */
	readonly #priced = new Map<MarketId, FixtureMarket>();
	/** If two traders price one market at once, the prices of the later one replace the others completely. */
	readonly #pricing = new Turns<MarketId>();

	constructor(parts: MarketParts) {
		this.#parts = parts;
	}

	/** Called once, when the feeds have started. */
	setFeeds(feeds: readonly PlayingFeed[]): void {
		this.#feeds = feeds;
	}

	/** Lets recorded time go on. @returns null when no feed waits for that */
	async step(asked: StepAsked): Promise<Stepped | null> {
		const stepped = this.#feeds?.find((feed) => feed.step);
		return (await stepped?.step?.(asked)) ?? null;
	}

	/** Lists and opens a market, in-play if its fixture is. */
	async open(fixture: Fixture, market: OperatorMarket): Promise<MarketListing> {
		const opened = await openMarket(this.#parts, fixture, { ...market, byOperator: true });
		if (fixture.status === 'IN_PLAY') await opened.turnInPlay();
		return opened.listing;
	}

	/**
	 * Quotes a market of an operator at a trader's prices, and resumes it unless it was suspended after the trader's
	 * view of it.
	 * @param quotes called in the turn of this price, after earlier ones are applied
	 * @param priced their runner; null if they are for all
	 * @throws Refused WRONG_MARKET_STATE for a market that a feed prices, or that has changed since it was seen
	 */
	async price(
		listing: MarketListing,
		quotes: () => readonly QuotedRunner[],
		seenVersion: number,
		priced: number | null = null,
	): Promise<void> {
		const fixture = this.#parts.fixtures.fixture(listing.fixtureId);
		if (!fixture || !listing.byOperator) throw new Refused('WRONG_MARKET_STATE');
		await openMarketMakers(this.#parts.exchange);
		await this.#pricing.take(listing.id, async () => {
			this.#forgetEnded();
			const market = this.#priced.get(listing.id) ?? new FixtureMarket(this.#parts, fixture, listing);
			this.#priced.set(listing.id, market);
			await market.priceByHand(quotes(), seenVersion, priced);
		});
	}

	#forgetEnded(): void {
		for (const [marketId, market] of this.#priced) {
			if (!market.isEnded) continue;
			market.retire();
			this.#priced.delete(marketId);
		}
	}

	/**
	 * Ends every open market of a fixture by its type's rule for an early end of play.
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
