/** One market of a fixture, brought from the catalogue into the exchange and moved through its life. */
import type { Logger } from 'pino';
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import type { Fixture, Fixtures, MarketListing, RunnerListing } from '#server/fixtures/fixtures.ts';
import { MAKER_WALLETS, MarketMaker, type QuotedRunner } from '#server/markets/market-maker.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { LineRange } from '#values/line-range.ts';
import type { PlayResult } from '#values/play-result.ts';
import type { Pool } from '#values/pools.ts';

/** Every market is open to demo players and to the brands' players. */
export const FEED_POOLS: readonly Pool[] = ['DEMO', 'PLAY'];

const COMMISSION_BP = 200;
const MIN_STAKE_PAISE = 1_000;
/** Where the house is the other side of every bet, one bet may cost it less, and its rates hold what it earns. */
const LIMITS = {
	EXCHANGE: { minStake: MIN_STAKE_PAISE, maxStake: 50_000_000, maxProfit: 500_000_000, commissionBp: COMMISSION_BP },
	BOOKMAKER: { minStake: MIN_STAKE_PAISE, maxStake: 10_000_000, maxProfit: 50_000_000, commissionBp: 0 },
	FANCY: { minStake: MIN_STAKE_PAISE, maxStake: 5_000_000, maxProfit: 25_000_000, commissionBp: 0 },
} as const;
/**
 * Reductions that count, basis points: of a place market all, and its unmatched lays from four per cent on. Each way
 * shares those of the market to win.
 */
const REDUCTIONS = {
	win: { reducible: true, minReductionBp: 250, lapseReductionBp: 250 },
	place: { reducible: true, minReductionBp: 0, lapseReductionBp: 400 },
};

/** All of a price but its stake; a feed's factor may be rounded up to the whole. */
const LARGEST_REDUCTION_BP = 9_999;

/** The exchange believes a feed's prices for so long without a sign of life. */
export const FEED_LEASE_MS = 12_000;
/** A feed that has nothing new looks this often whether its quotes stand, milliseconds. */
export const confirmEveryMs = ({ leaseMs = FEED_LEASE_MS }: Pick<FeedParts, 'leaseMs'>): number => leaseMs / 4;

/** An operator was quicker, or suspended the market that is to be resumed. */
const TOO_LATE: ReadonlySet<string> = new Set([
	'MARKET_CLOSED',
	'MARKET_SUSPENDED',
	'ALREADY_IN_PLAY',
	'WRONG_MARKET_STATE',
	'RUNNER_REMOVED',
]);

export interface FeedParts {
	exchange: Exchange;
	fixtures: Fixtures;
	log: Logger;
	/** Of the markets it opens; without one they stay open whether or not the feed shows life. */
	leaseMs?: number;
}

/** A feed that plays until it is stopped. */
export interface RunningFeed {
	stop(): Promise<void>;
	/**
	 * Plays a fixture no more and ends its open markets by their kinds' rules for that; resolves when they are paid or
	 * void, to false when the fixture is none of this feed's.
	 */
	abandon(fixtureId: number): Promise<boolean>;
}

/** A market as a feed lists it; its name is its own within the fixture. */
export interface NewMarket {
	name: string;
	/** One of the engine's market types. */
	type: string;
	/** In the market's order; of a fancy one for each line. */
	runners: readonly RunnerListing[];
	lines?: readonly number[];
	handicapQuarters?: number;
	places?: number;
	lineRange?: LineRange;
	eachWayDivisor?: number;
	betDelaySeconds: number;
	rules: string;
	/** Not the feed's: a market of the same name that it lists is another one. */
	byOperator?: true;
	/** Without them: as all markets of its betting model. */
	commissionBp?: number;
	minStake?: number;
	maxStake?: number;
}

export type NewFixture = Omit<Fixture, 'id'>;

/** The fixture of a source; made where it is missing, found where it is not. */
export async function findFixture(fixtures: Fixtures, about: NewFixture): Promise<Fixture> {
	return (await fixtures.bySource(about.source, about.sourceRef)) ?? (await fixtures.add(about));
}

/** A market of the fixture, listed and open; made where it is missing, found where it is not. */
export async function openMarket(parts: FeedParts, fixture: Fixture, market: NewMarket): Promise<FixtureMarket> {
	const { exchange, fixtures } = parts;
	const listed = fixtures.markets(fixture.id);
	const type = marketType(market.type);
	const { runners, places } = market;
	const listing =
		listed.find(({ name, byOperator }) => name === market.name && byOperator === market.byOperator) ??
		(await fixtures.addMarket({
			...LIMITS[type.model],
			...market,
			runners: [...runners],
			fixtureId: fixture.id,
			bettingModel: type.model,
			numberOfWinners: type.winners({ runners: runners.length, ...(places === undefined ? {} : { places }) }),
			sortOrder: listed.length + 1,
		}));
	if (!(await exchange.recall(listing.id))) await open(exchange, listing, market.byOperator ? 0 : (parts.leaseMs ?? 0));
	return new FixtureMarket(parts, fixture, listing);
}

async function open(exchange: Exchange, listing: MarketListing, feedLeaseMs: number): Promise<void> {
	const type = marketType(listing.type);
	await exchange.submit({
		kind: 'open-market',
		marketId: listing.id,
		pools: FEED_POOLS,
		currency: 'INR',
		runners: listing.runners.length,
		numberOfWinners: listing.numberOfWinners,
		...(listing.eachWayDivisor === undefined ? {} : { eachWayDivisor: listing.eachWayDivisor }),
		model: type.model,
		ladder: listing.lineRange ?? type.ladder,
		...(type.model === 'EXCHANGE' ? {} : { houses: FEED_POOLS.map((pool) => MAKER_WALLETS[pool]) }),
		...(type.reducible ? REDUCTIONS[listing.type === 'PLACE' ? 'place' : 'win'] : {}),
		commissionBp: listing.commissionBp,
		minStake: listing.minStake,
		maxStake: listing.maxStake,
		maxProfit: listing.maxProfit,
		betDelayMs: listing.betDelaySeconds * 1000,
		passiveGoesIn: true,
		profitRatioRule: true,
		selfMatch: 'REFUSE',
		feedLeaseMs,
		// Such a market opens with its first quotes.
		suspended: feedLeaseMs > 0,
	});
}

export class FixtureMarket {
	readonly fixture: Fixture;
	readonly listing: MarketListing;
	readonly maker: MarketMaker;
	readonly #exchange: Exchange;
	readonly #fixtures: Fixtures;

	constructor(parts: FeedParts, fixture: Fixture, listing: MarketListing) {
		this.#exchange = parts.exchange;
		this.#fixtures = parts.fixtures;
		this.fixture = fixture;
		this.listing = listing;
		this.maker = new MarketMaker({ ...parts, marketId: listing.id, pools: FEED_POOLS });
	}

	get #status() {
		return this.#exchange.market(this.listing.id)?.status;
	}

	/** Paid, or void: nothing more can be done to it. */
	get isSettled(): boolean {
		return this.#status === 'SETTLED' || this.#status === 'VOIDED';
	}
	/** No bets any more. */
	get isEnded(): boolean {
		return this.#status === 'CLOSED' || this.isSettled;
	}

	/** The market and its fixture are in play from now on. */
	async turnInPlay(): Promise<void> {
		if (!this.#exchange.market(this.listing.id)?.inPlay) {
			await this.#submit({ kind: 'turn-in-play', marketId: this.listing.id });
		}
		await this.#fixtures.setStatus(this.fixture.id, 'IN_PLAY');
	}

	/** @param lapseUnmatched on a material incident, which what waits in the book could not know of */
	async suspend({ lapseUnmatched = false } = {}): Promise<void> {
		if (this.#status === 'SUSPENDED' && !lapseUnmatched) return;
		await this.#submit({ kind: 'suspend-market', marketId: this.listing.id, lapseUnmatched, byFeed: true });
	}

	/** The ball is on its way: nothing is bet, nothing lapses. */
	async holdForBall(): Promise<void> {
		const marketId = this.listing.id;
		if (this.#status === 'OPEN') {
			await this.#submit({
				kind: 'suspend-market',
				marketId,
				lapseUnmatched: false,
				ballRunning: true,
				byFeed: true,
			});
		}
		this.#exchange.renewLeases([marketId]);
	}

	/** What an operator suspended stays suspended. */
	async resume(): Promise<void> {
		if (this.#isHeld) await this.#submit({ kind: 'resume-market', marketId: this.listing.id, byFeed: true });
	}

	get #isHeld(): boolean {
		return this.#status === 'SUSPENDED' || this.#status === 'BALL_RUNNING';
	}

	/** Betting goes on at these quotes. What rests at other prices is taken back before the market opens. */
	async offer(runners: readonly QuotedRunner[]): Promise<void> {
		if (this.#isHeld) {
			await this.quote(runners);
			await this.resume();
		}
		await this.quote(runners);
	}

	/** A non-runner, with what it takes off the others' prices where the market's kind knows reductions. */
	async remove(runner: number, factorBp: number): Promise<void> {
		const { removed = [], reducible = false } = this.#exchange.market(this.listing.id) ?? {};
		if (removed.some(([gone]) => gone === runner)) return;
		const reductionBp = reducible ? Math.min(Math.max(factorBp, 0), LARGEST_REDUCTION_BP) : 0;
		await this.#submit({ kind: 'remove-runner', marketId: this.listing.id, runner, reductionBp });
	}

	/** A non-runner that takes part after all; of others nothing is to be done. */
	async takeBack(runner: number): Promise<void> {
		const removed = this.#exchange.market(this.listing.id)?.removed ?? [];
		if (!removed.some(([gone]) => gone === runner)) return;
		await this.#submit({ kind: 'return-runner', marketId: this.listing.id, runner });
	}

	/** Brings the quotes to these and renews the lease, because the prices are right now; where the house takes every bet, a runner it does not quote is suspended by itself. */
	async quote(runners: readonly QuotedRunner[]): Promise<void> {
		this.maker.quote(runners);
		const work = [this.maker.settled()];
		if (this.listing.bettingModel === 'BOOKMAKER') work.push(...this.#holdUnquoted(runners));
		await Promise.all(work);
		this.#exchange.renewLeases([this.listing.id]);
	}

	#holdUnquoted(runners: readonly QuotedRunner[]): Promise<void>[] {
		const held = this.#exchange.market(this.listing.id)?.suspended ?? [];
		return runners.flatMap(({ back, lay }, runner) => {
			const quoted = back.length > 0 || lay.length > 0;
			if (quoted !== held.includes(runner)) return [];
			return [this.#submit({ kind: quoted ? 'resume-runner' : 'suspend-runner', marketId: this.listing.id, runner })];
		});
	}

	/** Betting is over; the result is to come. */
	async close(): Promise<void> {
		this.maker.retire();
		if (!this.isEnded) await this.#submit({ kind: 'close-market', marketId: this.listing.id });
	}

	/** Closes and pays by how it result; what was not decided is void. Asking again changes nothing. */
	async settle(result: PlayResult): Promise<void> {
		this.maker.retire();
		if (this.isSettled) return;
		const { listing } = this;
		const results = marketType(listing.type).resultOf(result, { ...listing, runners: listing.runners.length });
		if (!results)
			throw new Error(`Market ${listing.id}, ${listing.type}, has no result from ${JSON.stringify(result)}.`);
		if (results.every((result) => result === 'VOID')) return await this.void();
		await this.close();
		const { numberOfWinners: announced } = listing;
		const { places = announced } = result;
		const fewer = announced > 1 && places < announced ? { places } : {};
		await this.#submit({ kind: 'settle-market', marketId: listing.id, results, ...fewer });
	}

	/** Closes and returns every stake. */
	async void(): Promise<void> {
		if (this.isSettled) return;
		await this.close();
		await this.#submit({ kind: 'void-market', marketId: this.listing.id });
	}

	/** An operator may have been quicker; what is refused for the market's state is no fault of the feed. */
	async #submit(request: Request): Promise<void> {
		try {
			await this.#exchange.submit(request);
		} catch (error) {
			if (!(error instanceof Refused && TOO_LATE.has(error.code))) throw error;
		}
	}
}
