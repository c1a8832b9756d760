/**
 * What the process with the engine tells gateways of what visitors read. Messages have consecutive numbers, so a gateway
 * knows when it missed one; it asks, and everything is sent again.
 */
import type { MarketView } from '#engine/engine.ts';
import type { Book } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture, Score } from '#server/world/fixtures/fixtures.ts';
import type { FixtureId } from '#values/ids.ts';

/** A fixture with its markets and their books. */
export interface WholeFixture {
	fixture: Fixture;
	listings: readonly MarketListing[];
	score: Score | null;
	markets: readonly MarketView[];
	books: readonly Book[];
}

/** Each says how something stands now, so it may be sent twice. */
export type ProjectionChange =
	| { whole: WholeFixture }
	| { fixture: Fixture }
	| { listing: MarketListing }
	| { score: Score; of: FixtureId }
	| { market: MarketView }
	| { book: Book }
	| { gone: FixtureId };

export interface ProjectionMessage {
	/** Of the process, new with each start. */
	instance: string;
	/** Of the lease that it holds; a deposed process has a lower one. */
	epoch: number;
	/** One more than that of the process's message before. */
	number: number;
	/** Of the fixtures, with the changes. */
	version: number;
	changes: readonly ProjectionChange[];
	/** Everything is sent from here on. */
	begins?: true;
	/** Everything was sent: the fixtures that there are. */
	ends?: readonly FixtureId[];
}

/** What gateways send: that they are there, and whether everything has to be sent. */
export interface ProjectionRequest {
	isMissing: boolean;
}

/** Gateways hear the messages here. */
export const PROJECTION = 'projection';
/** The process with the engine hears gateways here. */
export const PROJECTION_REQUESTS = 'projection-requests';
/** How often a gateway says that it is there, and how long a silent one counts as there. */
export const PRESENT_EVERY_MS = 5_000;
export const ABSENT_AFTER_MS = 20_000;
