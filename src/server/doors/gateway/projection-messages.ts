/**
 * Messages with the data for visitors from the process with the engine to gateways. They are numbered consecutively, so
 * a gateway notices a missing one; it asks, and everything is sent again.
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

/** Each is a full state, so it may be sent twice. */
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
	/** The epoch of its lease; a deposed process has a lower one. */
	epoch: number;
	/** One more than that of the process's previous message. */
	number: number;
	/** Of the fixtures, with the changes. */
	version: number;
	changes: readonly ProjectionChange[];
	/** Everything is sent from here on. */
	begins?: true;
	/** Everything was sent: the complete list of fixtures. */
	ends?: readonly FixtureId[];
}

/** A gateway's message: it is alive, and whether it needs everything again. */
export interface ProjectionRequest {
	isMissing: boolean;
}

/** Gateways receive the messages here. */
export const PROJECTION = 'projection';
/** The process with the engine receives gateways' messages here. */
export const PROJECTION_REQUESTS = 'projection-requests';
/** The interval of a gateway's messages, and the silence after which it counts as gone. */
export const PRESENT_EVERY_MS = 5_000;
export const ABSENT_AFTER_MS = 20_000;
