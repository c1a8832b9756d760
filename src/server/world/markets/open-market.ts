/**
 * Lists a market in the catalogue and opens it in the exchange. Feeds and operators open markets the same way; an
 * existing market is found by its name.
 */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing, RunnerListing } from '#server/exchange/views/market-listing.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { FixtureMarket, type MarketParts } from '#server/world/markets/fixture-market.ts';
import { houseWalletsFrom, openHouseWallets } from '#server/world/markets/house-wallets.ts';
import { MARKET_MAKER_WALLETS } from '#server/world/markets/market-maker.ts';
import { housePools, marketPools } from '#server/world/markets/market-pools.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';

const COMMISSION_BP = 200;
const MIN_STAKE_MINOR = 1_000;
/**
 * Limits by betting model. If the house is the counterparty of every bet, the limit of its loss per bet is lower, and
 * its rates contain its earnings instead of a commission.
 */
const LIMITS = {
	EXCHANGE: { minStake: MIN_STAKE_MINOR, maxStake: 50_000_000, maxProfit: 500_000_000, commissionBp: COMMISSION_BP },
	BOOKMAKER: { minStake: MIN_STAKE_MINOR, maxStake: 10_000_000, maxProfit: 50_000_000, commissionBp: 0 },
	FANCY: { minStake: MIN_STAKE_MINOR, maxStake: 5_000_000, maxProfit: 25_000_000, commissionBp: 0 },
} as const;
/**
 * What a factor reduces, and the factor in basis points from which matched prices are reduced and unmatched lays lapse.
 * A place market applies every factor. Each-way markets follow the win market.
 */
const REDUCTIONS = {
	win: { reducible: true, reduces: 'PRICE', minReductionBp: 250, lapseReductionBp: 250 },
	place: { reducible: true, reduces: 'WINNINGS', minReductionBp: 0, lapseReductionBp: 400 },
} as const;

/** Fields of a listing that are determined when a market is opened. */
type Determined = 'id' | 'fixtureId' | 'bettingModel' | 'numberOfWinners' | 'maxProfit' | 'sortOrder';
/** Fields that default to those of the betting model. */
type Defaulted = 'commissionBp' | 'minStake' | 'maxStake';

/** A market to open. Its name is unique within the fixture, among the feed's markets and among the operators'. */
export type NewMarket = Omit<MarketListing, Determined | Defaulted | 'runners'> &
	Partial<Pick<MarketListing, Defaulted>> & {
		/** In the market's order; a fancy has one for each line. */
		runners: readonly RunnerListing[];
	};

/** Whether a market of that type can open here: bets against the house need a pool in which the house quotes. */
export const isOffered = (
	exchange: Pick<Exchange, 'pools'>,
	{ type, crossMatching }: Pick<NewMarket, 'type' | 'crossMatching'>,
): boolean => !needsHouse(type, crossMatching) || housePools(exchange).length > 0;

const needsHouse = (type: string, crossMatching = false): boolean =>
	crossMatching || marketType(type).model !== 'EXCHANGE';

/**
 * Stand between the bets that are matched across runners. No fill costs them anything, and they quote nothing: a market
 * maker's own quotes rest in the book as a player's bets do.
 */
export const CROSSING_WALLETS = houseWalletsFrom(13, 500);

/** Whether bets of a market can be matched across its runners: one of them wins, and none is removed. */
export function mayCross(type: string): boolean {
	const { model, reducible = false, winners } = marketType(type);
	return model === 'EXCHANGE' && !reducible && winners({ runners: 3, places: 2 }) === 1;
}

/**
 * Opens the market unless it is open already, and lists it unless it is listed already, under the id that it wants if
 * that is free.
 * @throws Refused OTHER_POOL for a market against the house where the house has no money
 */
export async function openMarket(
	parts: MarketParts,
	fixture: Fixture,
	market: NewMarket,
	wantedId?: MarketId,
): Promise<FixtureMarket> {
	const { exchange, fixtures } = parts;
	if (!isOffered(exchange, market)) throw new Refused('OTHER_POOL');
	const listed = fixtures.markets(fixture.id);
	const type = marketType(market.type);
	const { runners, places } = market;
	const listing =
		listed.find(({ name, byOperator }) => name === market.name && byOperator === market.byOperator) ??
		(await fixtures.addMarket(
			{
				...LIMITS[type.model],
				...market,
				runners: [...runners],
				fixtureId: fixture.id,
				bettingModel: type.model,
				numberOfWinners: type.winners({ runners: runners.length, ...(places === undefined ? {} : { places }) }),
				sortOrder: listed.length + 1,
			},
			wantedId,
		));
	if (!(await exchange.recall(listing.id))) await open(exchange, listing, market.byOperator ? 0 : (parts.leaseMs ?? 0));
	return new FixtureMarket(parts, fixture, listing);
}

async function open(exchange: Exchange, listing: MarketListing, feedLeaseMs: number): Promise<void> {
	const type = marketType(listing.type);
	const { crossMatching = false } = listing;
	const ofHouse = housePools(exchange);
	const isOfHouse = needsHouse(listing.type, crossMatching);
	const houses = crossMatching ? CROSSING_WALLETS : MARKET_MAKER_WALLETS;
	if (crossMatching) await openHouseWallets(exchange, CROSSING_WALLETS, 'crossing-grant', { quotes: false });
	await exchange.submit({
		kind: 'open-market',
		marketId: listing.id,
		pools: isOfHouse ? ofHouse : marketPools(exchange),
		runners: listing.runners.length,
		numberOfWinners: listing.numberOfWinners,
		...(listing.eachWayDivisor === undefined ? {} : { eachWayDivisor: listing.eachWayDivisor }),
		...(listing.startingPrice ? { startingPrice: true } : {}),
		model: type.model,
		ladder: listing.lineRange ?? type.ladder,
		...(crossMatching ? { crossMatching } : {}),
		...(isOfHouse ? { houses: ofHouse.map((pool) => houses[pool]) } : {}),
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
		// A market with a lease opens with the first quotes of its feed.
		suspended: feedLeaseMs > 0,
	});
}
