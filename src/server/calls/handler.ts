/**
 * The handlers of the contract's calls, one file for each noun. A handler gets validated input, uses the parts of the
 * server that it needs, and returns the result. It throws refusals as `Refused`.
 */
import type pg from 'pg';
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import type { BetAdmission } from '#server/calls/bet-admission.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { PriceHistory } from '#server/exchange/views/price-history.ts';
import type { Publisher } from '#server/exchange/views/publisher.ts';
import type { StartingPrices } from '#server/exchange/views/starting-prices.ts';
import type { TradedVolumes } from '#server/exchange/views/traded-volumes.ts';
import type { Casino } from '#server/money/casino/open-casino.ts';
import type { Providers } from '#server/money/casino/providers/open-providers.ts';
import type { Funds } from '#server/money/funds/open-funds.ts';
import type { SumTrees } from '#server/money/liabilities/trees.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { Players, Visitor } from '#server/people/players/players.ts';
import type { Push } from '#server/people/push/open-push.ts';
import type { Tickets } from '#server/people/support/tickets.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { Fixture, Fixtures } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';
import { type SportKey, sportIsActive } from '#values/sports.ts';

/** The parts of the server that handlers use. */
export interface Parts {
	exchange: Exchange;
	fixtures: Fixtures;
	priceHistory: PriceHistory;
	traded: TradedVolumes;
	starting: StartingPrices;
	publisher: Pick<Publisher, 'isOldBook'>;
	players: Players;
	push: Pick<Push, 'subscriptions' | 'publicKey'>;
	brands: Pick<Brands, 'byHost'>;
	betAdmission: BetAdmission;
	casino: Casino;
	providers: Pick<Providers, 'games' | 'launches'>;
	funds: Funds;
	sumTrees: Pick<SumTrees, 'proof'>;
	tickets: Tickets;
	/** For look-ups by key, which are fast. */
	db: pg.Pool;
	/** For reads that may be slow. */
	reads: HeavyReads;
	/** For reads of all that a player ever did, however long they take. */
	throughHistory: Pick<pg.Pool, 'query'>;
}

/**
 * The sources of visitors' reads: fixtures, and the exchange's view of their markets. The process with the engine has
 * its own; a gateway has its copy.
 */
export interface Shown {
	fixtures: Pick<Fixtures, 'version' | 'all' | 'fixture' | 'markets' | 'market' | 'score'>;
	exchange: Pick<Exchange, 'market' | 'book'>;
}

/** The caller. */
export interface Caller {
	visitor: Visitor;
	/** Null for a visitor; never null in calls whose auth is `player`. */
	login: Login | null;
	/** Sports closed to this player; a visitor has none. */
	closedSports: ReadonlySet<SportKey>;
	/** Names the request in the logs; missing for bots. */
	requestId?: string;
	/** The span of its answer; missing unless the call is traced. */
	trace?: string | undefined;
	/** When the server had received the whole request, on the monotonic clock. */
	receivedMs: number;
	/** The deadline of the answer, on the monotonic clock. Unfinished work is abandoned at that time. */
	untilMs: number;
}

type Handler<Name extends CallName> = (
	input: RequestOf<Calls[Name]>,
	caller: Caller,
) => Promise<ResultOf<Calls[Name]>> | ResultOf<Calls[Name]>;
/** A handler for each of these calls. */
export type HandlersOf<Names extends CallName> = { [Name in Names]: Handler<Name> };

/** The login of a call that requires one. */
export function playerOf(caller: Caller): Login {
	if (!caller.login) throw new Refused('NOT_LOGGED_IN');
	return caller.login;
}

/** The pool whose books the caller sees: the player's own, or the brand's for a visitor. */
export const poolOf = (caller: Caller): Pool => caller.login?.pool ?? caller.visitor.brand.pool;

/** The listing behind a wire id. @throws Refused UNKNOWN_MARKET */
export function listingOf(fixtures: Shown['fixtures'], marketId: string): MarketListing {
	const listing = fixtures.market(Number(marketId));
	if (!listing) throw new Refused('UNKNOWN_MARKET');
	return listing;
}

/** Whether the sport of that id is active for the caller. */
export const seesSport = ({ visitor, closedSports }: Caller, sportId: number): boolean =>
	sportIsActive(visitor.brand.setting, closedSports, sportId);

/** Whether the sport of a fixture is active for the caller. */
export const showsSport = (caller: Caller, { sportId }: Fixture): boolean => seesSport(caller, sportId);

/** The listing behind a wire id, if the caller may see its sport. @throws Refused UNKNOWN_MARKET, SPORT_NOT_ALLOWED */
export function activeListingOf(fixtures: Shown['fixtures'], marketId: string, caller: Caller): MarketListing {
	const listing = listingOf(fixtures, marketId);
	const fixture = fixtures.fixture(listing.fixtureId);
	if (!fixture || !showsSport(caller, fixture)) throw new Refused('SPORT_NOT_ALLOWED');
	return listing;
}
