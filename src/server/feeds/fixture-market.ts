/** One fixture's main market, brought from the catalogue into the exchange and moved through its life. */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { MarketMaker } from '#server/feeds/market-maker.ts';
import type { Fixture, Fixtures, MarketListing } from '#server/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

/** Every market is open to demo players and to the brands' players. */
export const FEED_POOLS: readonly Pool[] = ['DEMO', 'PLAY'];

const MIN_STAKE_PAISE = 1_000;
const MAX_STAKE_PAISE = 50_000_000;
const MAX_PROFIT_PAISE = 500_000_000;
const COMMISSION_BP = 200;

const MATCH_ODDS_RULES =
	'Who wins the match. A tie is decided by the super over. The market turns in-play at the first ball; unmatched bets ' +
	'that are not kept lapse then. If the match is abandoned without a winner every bet is void.';

export interface NewFixture extends Omit<Fixture, 'id'> {
	/** Runner id and name, in the market's order. */
	runners: { id: string; name: string }[];
	betDelaySeconds: number;
}

/** The fixture of a source, with its listing and its market open; made where it is missing, found where it is not. */
export async function openFixture(
	parts: { exchange: Exchange; fixtures: Fixtures; log: Logger },
	{ runners, betDelaySeconds, ...about }: NewFixture,
): Promise<FixtureMarket> {
	const { exchange, fixtures } = parts;
	const fixture = fixtures.bySource(about.source, about.sourceRef) ?? (await fixtures.add(about));
	const listing =
		fixtures.markets(fixture.id)[0] ??
		(await fixtures.addMarket({
			fixtureId: fixture.id,
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			bettingModel: 'EXCHANGE',
			runners,
			betDelaySeconds,
			minStake: MIN_STAKE_PAISE,
			maxStake: MAX_STAKE_PAISE,
			maxProfit: MAX_PROFIT_PAISE,
			commissionBp: COMMISSION_BP,
			numberOfWinners: 1,
			rules: MATCH_ODDS_RULES,
			sortOrder: 1,
		}));
	if (!exchange.market(listing.id)) await open(exchange, listing);
	return new FixtureMarket(parts, fixture, listing);
}

async function open(exchange: Exchange, listing: MarketListing): Promise<void> {
	await exchange.submit({
		kind: 'open-market',
		marketId: listing.id,
		pools: FEED_POOLS,
		currency: 'INR',
		runners: listing.runners.length,
		numberOfWinners: listing.numberOfWinners,
		commissionBp: listing.commissionBp,
		minStake: listing.minStake,
		maxStake: listing.maxStake,
		maxProfit: listing.maxProfit,
		betDelayMs: listing.betDelaySeconds * 1000,
		passiveGoesIn: true,
		profitRatioRule: true,
		selfMatch: 'REFUSE',
		suspended: false,
	});
}

export class FixtureMarket {
	readonly fixture: Fixture;
	readonly listing: MarketListing;
	readonly maker: MarketMaker;
	readonly #exchange: Exchange;
	readonly #fixtures: Fixtures;

	constructor(
		parts: { exchange: Exchange; fixtures: Fixtures; log: Logger },
		fixture: Fixture,
		listing: MarketListing,
	) {
		this.#exchange = parts.exchange;
		this.#fixtures = parts.fixtures;
		this.fixture = fixture;
		this.listing = listing;
		this.maker = new MarketMaker({ ...parts, marketId: listing.id, pools: FEED_POOLS });
	}

	/** Paid, or void: nothing more can be done to it. */
	get isOver(): boolean {
		const status = this.#exchange.market(this.listing.id)?.status;
		return status === 'SETTLED' || status === 'VOIDED';
	}

	async turnInPlay(): Promise<void> {
		if (!this.#exchange.market(this.listing.id)?.inPlay) {
			await this.#submit({ kind: 'turn-in-play', marketId: this.listing.id });
		}
		await this.#fixtures.setStatus(this.fixture.id, 'IN_PLAY');
	}

	async suspend(): Promise<void> {
		await this.#submit({ kind: 'suspend-market', marketId: this.listing.id, lapseUnmatched: false });
	}

	async resume(): Promise<void> {
		await this.#submit({ kind: 'resume-market', marketId: this.listing.id });
	}

	/** Closes, pays and ends the fixture; asking again changes nothing. */
	async settle(winner: number): Promise<void> {
		if (!this.isOver) {
			await this.#submit({ kind: 'close-market', marketId: this.listing.id });
			const results = this.listing.runners.map((_, runner) => (runner === winner ? 'WIN' : 'LOSE'));
			await this.#exchange.submit({ kind: 'settle-market', marketId: this.listing.id, results });
		}
		await this.#fixtures.setStatus(this.fixture.id, 'FINISHED');
	}

	/** An operator may have been quicker; what is refused for the market's state is no fault of the feed. */
	async #submit(request: Parameters<Exchange['submit']>[0]): Promise<void> {
		try {
			await this.#exchange.submit(request);
		} catch (error) {
			const late = error instanceof Refused && ['MARKET_CLOSED', 'ALREADY_IN_PLAY'].includes(error.code);
			if (!late) throw error;
		}
	}
}
