/** Operations that read markets: books, and the caller's possible profits in them. */
import * as v from 'valibot';
import { settledProfits } from '#server/calls/bet-profits.ts';
import { poolOf, showsSport } from '#server/calls/handler.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { ApingException } from '#server/doors/bots-api/errors.ts';
import {
	adjustmentFactorOf,
	bettingTypeOf,
	handicapOf,
	marketIdOf,
	selectionIdOf,
	selectionStatus,
	statusOf,
	wireAverage,
	wireMarketId,
	wirePrice,
	wireSide,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import {
	atMost,
	type BotParts,
	Flag,
	given,
	isAmong,
	MarketIdText,
	Numeric,
	operation,
	Text,
	Whole,
} from '#server/doors/bots-api/operation.ts';
import { currentOrder } from '#server/doors/bots-api/order-views.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { shownOffers } from '#server/exchange/views/shown-offers.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { commissionMinor } from '#values/liability.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { BookSides } from '#values/virtual-prices.ts';

const PriceData = v.picklist(['SP_AVAILABLE', 'SP_TRADED', 'EX_BEST_OFFERS', 'EX_ALL_OFFERS', 'EX_TRADED']);
type PriceDatum = v.InferOutput<typeof PriceData>;

const EX_DATA = ['EX_BEST_OFFERS', 'EX_ALL_OFFERS', 'EX_TRADED'] as const;

const MOST_DEPTH = 10;
const USUAL_DEPTH = 3;

const PriceProjection = v.object({
	priceData: given(v.array(PriceData)),
	exBestOffersOverrides: given(
		v.object({
			bestPricesDepth: given(atMost(MOST_DEPTH)),
			rollupModel: given(v.picklist(['STAKE', 'PAYOUT', 'MANAGED_LIABILITY', 'NONE'])),
			rollupLimit: given(Whole),
		}),
	),
	/** With virtual prices, in markets that match across runners. */
	virtualise: Flag,
	rolloverStakes: Flag,
});

const OrderProjection = v.picklist(['ALL', 'EXECUTABLE', 'EXECUTION_COMPLETE']);
const MatchProjection = v.picklist(['NO_ROLLUP', 'ROLLED_UP_BY_PRICE', 'ROLLED_UP_BY_AVG_PRICE']);

const Asked = {
	priceProjection: given(PriceProjection),
	orderProjection: given(OrderProjection),
	matchProjection: given(MatchProjection),
	includeOverallPosition: Flag,
	currencyCode: given(Text),
	locale: given(Text),
};
const MarketBooks = v.object({
	marketIds: v.pipe(v.array(MarketIdText), v.minLength(1), v.maxLength(1_000)),
	...Asked,
});
const RunnerBook = v.object({
	marketId: MarketIdText,
	selectionId: Whole,
	handicap: given(Numeric),
	...Asked,
});
type AskedBook = Omit<v.InferOutput<typeof MarketBooks>, 'marketIds'>;

const MOST_WEIGHT = 200;

/** The cost of one book, as the service documents it. */
function weightOf({ priceProjection }: AskedBook): number {
	const data = new Set<PriceDatum>(priceProjection?.priceData ?? []);
	const depth = priceProjection?.exBestOffersOverrides?.bestPricesDepth ?? USUAL_DEPTH;
	if (data.size === 0) return 2;
	const traded = data.has('EX_TRADED');
	const starting = (data.has('SP_AVAILABLE') ? 3 : 0) + (data.has('SP_TRADED') ? 7 : 0);
	if (data.has('EX_ALL_OFFERS')) return starting + (traded ? 32 : 17);
	if (data.has('EX_BEST_OFFERS')) return starting + (traded ? 20 : 5) * Math.max(1, depth / USUAL_DEPTH);
	return starting + (traded ? 17 : 0);
}

interface Seen {
	listing: MarketListing;
	fixture: Fixture;
}

/** A market in memory that the caller may see; null for any other, which the service leaves out. */
function seenMarket({ fixtures }: Pick<BotParts, 'fixtures'>, wireId: string, caller: BotCaller): Seen | null {
	const listing = fixtures.market(marketIdOf(wireId));
	const fixture = listing && fixtures.fixture(listing.fixtureId);
	return listing && fixture && showsSport(caller, fixture) ? { listing, fixture } : null;
}

const levels = (from: BookSides['back'], depth: number) =>
	from.slice(0, depth).map(({ price, size }) => ({ price: wirePrice(price), size: wireSize(size) }));

function runnerBook(parts: BotParts, { listing }: Seen, runner: number, asked: AskedBook, caller: BotCaller) {
	const pool = poolOf(caller);
	const market = parts.exchange.market(listing.id);
	const row = parts.exchange.book(listing.id, pool)?.runners[runner];
	const data = new Set(asked.priceProjection?.priceData ?? []);
	const offers = asked.priceProjection?.virtualise ? shownOffers(parts.exchange, listing.id, pool)[runner] : row;
	const best = asked.priceProjection?.exBestOffersOverrides?.bestPricesDepth ?? USUAL_DEPTH;
	const depth = data.has('EX_ALL_OFFERS') ? MOST_DEPTH : data.has('EX_BEST_OFFERS') ? best : 0;
	const adjustmentFactor = adjustmentFactorOf(listing, market, runner);
	const traded = data.has('EX_TRADED') ? parts.traded.of(listing.id, pool, runner) : [];
	return {
		selectionId: selectionIdOf(listing, runner),
		handicap: handicapOf(listing, runner),
		status: selectionStatus(market, runner),
		...(adjustmentFactor === null ? {} : { adjustmentFactor }),
		...(row?.lastPriceTraded ? { lastPriceTraded: wirePrice(row.lastPriceTraded) } : {}),
		totalMatched: wireSize(row?.totalMatched ?? 0),
		...startingOf(parts, listing, runner, data, pool),
		...(EX_DATA.some((datum) => data.has(datum))
			? {
					ex: {
						availableToBack: levels(offers?.back ?? [], depth),
						availableToLay: levels(offers?.lay ?? [], depth),
						tradedVolume: traded.map(({ price, size }) => ({ price: wirePrice(price), size: wireSize(size) })),
					},
				}
			: {}),
		...ordersOf(parts, listing, runner, asked, caller),
	};
}

/** Near and far price, and what takes part, where they are asked for. */
function startingOf(
	{ starting }: BotParts,
	listing: MarketListing,
	runner: number,
	data: ReadonlySet<PriceDatum>,
	pool: Pool,
) {
	const isAsked = data.has('SP_AVAILABLE') || data.has('SP_TRADED');
	const found = isAsked ? starting.of(listing.id, pool, runner) : null;
	if (!found) return {};
	const { near, far, backStakeTaken, layLiabilityTaken, actual } = found;
	const isTraded = data.has('SP_TRADED');
	return {
		sp: {
			...(near === null ? {} : { nearPrice: near }),
			...(far === null ? {} : { farPrice: far }),
			...(isTraded ? { backStakeTaken, layLiabilityTaken } : {}),
			...(actual === null ? {} : { actualSP: actual }),
		},
	};
}

/** The caller's own bets on a runner, if the request asks for them. */
function ordersOf(parts: BotParts, listing: MarketListing, runner: number, asked: AskedBook, caller: BotCaller) {
	const { orderProjection, matchProjection } = asked;
	if (!orderProjection && !matchProjection) return {};
	const bets = parts.exchange
		.openBets(caller.login.playerId)
		.filter((bet) => bet.marketId === listing.id && bet.runner === runner);
	const orders = bets
		.map((bet) => runnerOrder(currentOrder(bet, listing)))
		.filter(({ status }) => orderProjection === undefined || orderProjection === 'ALL' || status === orderProjection);
	// The exchange keeps the sum of a bet's matches, so each bet is one match at its average price.
	const matches = bets
		.filter(({ matched }) => matched > 0)
		.map((bet) => ({
			betId: String(bet.betId),
			matchId: String(bet.betId),
			side: wireSide(bet.side),
			price: wireAverage(bet.matched, bet.matchedValue),
			size: wireSize(bet.matched),
			matchDate: wireTime(bet.matchedAtMs ?? bet.placedAtMs),
		}));
	return { ...(orderProjection ? { orders } : {}), ...(matchProjection ? { matches } : {}) };
}

/** An order in a book, which names market and runner itself. */
const runnerOrder = (order: ReturnType<typeof currentOrder>) => ({
	betId: order.betId,
	orderType: order.orderType,
	status: order.status,
	persistenceType: order.persistenceType,
	side: order.side,
	price: order.priceSize.price,
	size: order.priceSize.size,
	bspLiability: order.bspLiability,
	placedDate: order.placedDate,
	avgPriceMatched: order.averagePriceMatched,
	sizeMatched: order.sizeMatched,
	sizeRemaining: order.sizeRemaining,
	sizeLapsed: order.sizeLapsed,
	sizeCancelled: order.sizeCancelled,
	sizeVoided: order.sizeVoided,
});

function marketBook(parts: BotParts, seen: Seen, asked: AskedBook, caller: BotCaller, runners: readonly number[]) {
	const { listing } = seen;
	const pool = poolOf(caller);
	const market = parts.exchange.market(listing.id);
	const book = parts.exchange.book(listing.id, pool);
	const offered = (book?.runners ?? []).flatMap(({ back, lay }) => [...back, ...lay]);
	const lastAtMs = parts.traded.lastAtMs(listing.id, pool);
	const active = listing.runners.filter((_, runner) => selectionStatus(market, runner) === 'ACTIVE');
	return {
		marketId: wireMarketId(listing.id),
		isMarketDataDelayed: false,
		status: statusOf(market),
		betDelay: market?.inPlay ? Math.round(market.betDelayMs / 1000) : 0,
		...(market?.passiveGoesIn ? { betDelayModels: ['PASSIVE'] } : {}),
		bspReconciled: market?.startingPrices != null,
		complete: true,
		inplay: market?.inPlay ?? false,
		numberOfWinners: Math.max(1, listing.numberOfWinners),
		numberOfRunners: listing.runners.length,
		numberOfActiveRunners: active.length,
		...(lastAtMs === null ? {} : { lastMatchTime: wireTime(lastAtMs) }),
		totalMatched: wireSize(book?.totalMatched ?? 0),
		totalAvailable: wireSize(offered.reduce((sum, { size }) => sum + size, 0)),
		crossMatching: market?.crossMatching ?? false,
		runnersVoidable: false,
		version: market?.version ?? 0,
		runners: runners.map((runner) => runnerBook(parts, seen, runner, asked, caller)),
	};
}

const ProfitAndLoss = v.object({
	marketIds: v.pipe(v.array(MarketIdText), v.minLength(1), v.maxLength(250)),
	includeSettledBets: Flag,
	includeBspBets: Flag,
	netOfCommission: Flag,
});

/**
 * Of odds markets alone, as the service documents it: where prices are lines there is no profit of a runner, nor where a
 * handicap pays in part.
 * @param settled what each settled bet made, where the call asks for them; a market that has ended is then listed, too
 */
function profitAndLoss(
	parts: BotParts,
	{ listing }: Seen,
	asked: { settled: AnyMinor | null; netOfCommission: boolean },
	caller: BotCaller,
) {
	const market = parts.exchange.market(listing.id);
	if (bettingTypeOf(listing) !== 'ODDS' || (statusOf(market) === 'CLOSED' && asked.settled === null)) return [];
	const { playerId } = caller.login;
	const nets = parts.exchange.profitLoss(playerId, listing.id)?.runners ?? [];
	const rate = parts.exchange.wallet(playerId)?.commissionBp ?? listing.commissionBp;
	return [
		{
			marketId: wireMarketId(listing.id),
			...(asked.netOfCommission ? { commissionApplied: rate / 100 } : {}),
			profitAndLosses: listing.runners.map((_, runner) => {
				const net = (nets[runner] ?? 0) + (asked.settled ?? 0);
				return {
					selectionId: selectionIdOf(listing, runner),
					ifWin: wireSize(net - (asked.netOfCommission ? commissionMinor(net, rate) : 0)) + 0,
				};
			}),
		},
	];
}

const MOST_READS = 3;

/**
 * What settled bets made, as the memory has the others: a player is settled at one instant, which may be while the tables are
 * read, or just before the memory has it. No bet counts twice, or not at all.
 */
async function settledNow(
	{ exchange, reads }: Pick<BotParts, 'exchange' | 'reads'>,
	playerId: PlayerId,
	marketIds: readonly MarketId[],
): Promise<ReadonlyMap<MarketId, AnyMinor>> {
	const versionOf = () => exchange.wallet(playerId)?.version;
	for (let read = 1; ; read++) {
		const before = versionOf();
		const settled = await settledProfits(reads, playerId, marketIds);
		if (versionOf() !== before && read < MOST_READS) continue;
		return new Map([...settled].filter(([marketId]) => exchange.openBets(playerId, marketId).length === 0));
	}
}

async function profitAndLosses(parts: BotParts, input: v.InferOutput<typeof ProfitAndLoss>, caller: BotCaller) {
	const seen = [...new Set(input.marketIds)].flatMap((wireId) => seenMarket(parts, wireId, caller) ?? []);
	const marketIds = seen.map(({ listing }) => listing.id);
	const settled = input.includeSettledBets ? await settledNow(parts, caller.login.playerId, marketIds) : null;
	return seen.flatMap((one) => {
		const asked = {
			settled: settled && (settled.get(one.listing.id) ?? 0),
			netOfCommission: input.netOfCommission ?? false,
		};
		return profitAndLoss(parts, one, asked, caller);
	});
}

export const BOOK_OPERATIONS = {
	listMarketBook: operation({
		request: MarketBooks,
		run: (parts, { marketIds, ...asked }, caller) => {
			if (weightOf(asked) * marketIds.length > MOST_WEIGHT) throw new ApingException('TOO_MUCH_DATA');
			return [...new Set(marketIds)].flatMap((wireId) => {
				const seen = seenMarket(parts, wireId, caller);
				return seen ? [marketBook(parts, seen, asked, caller, [...seen.listing.runners.keys()])] : [];
			});
		},
	}),
	listRunnerBook: operation({
		request: RunnerBook,
		run: (parts, { marketId, selectionId, handicap, ...asked }, caller) => {
			const seen = seenMarket(parts, marketId, caller);
			if (!seen) throw new ApingException('INVALID_INPUT_DATA');
			const { listing } = seen;
			const asksFor = (runner: number) =>
				selectionIdOf(listing, runner) === selectionId &&
				isAmong(handicapOf(listing, runner), handicap === undefined ? [] : [handicap]);
			const runners = [...listing.runners.keys()].filter(asksFor);
			if (runners.length === 0) throw new ApingException('INVALID_INPUT_DATA');
			return [marketBook(parts, seen, asked, caller, runners)];
		},
	}),
	listMarketProfitAndLoss: operation({
		request: ProfitAndLoss,
		readsHistory: true,
		run: profitAndLosses,
	}),
};
