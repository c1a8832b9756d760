/** Views for traders: events, books, and possible wins and losses. */
import type { MarketView } from '#engine/engine.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime, limitsOf } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { bookmakerRates } from '#server/operators/bookmaker-rates.ts';
import {
	houseExposure,
	isHouse,
	matchedByWallet,
	type Standing,
	standingsOf,
} from '#server/operators/house-exposure.ts';
import { fixtureOf, listingOf, stateOf } from '#server/operators/named-market.ts';
import { type CurrencySum, sumsByCurrency } from '#server/operators/sums-by-currency.ts';
import { fancyPrices } from '#server/operators/trade-acts.ts';
import { flatMapInTurns } from '#server/platform/pacing/in-turns.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import { limitIn } from '#values/currencies.ts';
import { majorFromMinor } from '#values/money.ts';
import { commonCurrency, FIRST_PLAYER_ID, POOLS, type Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sportById } from '#values/sports.ts';

/** Limit of displayed player positions in a pool. */
const LARGEST = 10;

const positionView = ({ walletId, pool, outcomes, worst, bets }: Standing, { players }: OperatorOptions) => ({
	walletId: String(walletId),
	who: walletId < FIRST_PLAYER_ID ? `house ${walletId}` : players.user(walletId).userName,
	brand: players.brandOf(walletId),
	pool,
	outcomes: outcomes.map(majorFromMinor),
	worst: majorFromMinor(worst),
	bets,
});

/** Backers' stakes in all pools. */
const matchedOf = ({ exchange }: OperatorOptions, listings: readonly MarketListing[]): CurrencySum[] =>
	sumsByCurrency(
		listings.flatMap(({ id }) =>
			exchange.pools.map((pool) => ({ pool, amount: exchange.book(id, pool)?.totalMatched ?? 0 })),
		),
	);

function eventView(parts: OperatorOptions, fixture: Fixture) {
	const listings = parts.fixtures.markets(fixture.id);
	const statuses = listings.map(({ id }) => parts.exchange.market(id)?.status);
	return {
		eventId: String(fixture.id),
		event: fixture.title,
		sport: sportById(fixture.sportId)?.key ?? '',
		competition: fixture.competition,
		status: fixture.status,
		startsAt: isoTime(fixture.startsAtMs),
		score: fixture.scoreLine,
		source: fixture.source,
		markets: listings.length,
		open: statuses.filter((status) => status === 'OPEN').length,
		waiting: statuses.filter((status) => status === 'CLOSED').length,
		matched: matchedOf(parts, listings),
	};
}

const level = ({ price, size }: { price: number; size: number }) => ({
	price: decimalFromPrice(price),
	size: majorFromMinor(size),
});

function bookView({ exchange }: OperatorOptions, listing: MarketListing, pool: Pool) {
	const book = exchange.book(listing.id, pool);
	if (!book) return [];
	return [
		{
			pool,
			matched: majorFromMinor(book.totalMatched),
			runners: book.runners.map(({ back, lay, lastPriceTraded, totalMatched }) => ({
				back: back.map(level),
				lay: lay.map(level),
				last: lastPriceTraded === null ? null : decimalFromPrice(lastPriceTraded),
				matched: majorFromMinor(totalMatched),
			})),
		},
	];
}

function termsView(listing: MarketListing, market: MarketView | null) {
	const currency = commonCurrency(market?.pools ?? []);
	const { minStake, maxStake, maxProfit, betDelaySeconds } = limitsOf(listing, market, currency);
	const [least, most, profit] = [minStake, maxStake, maxProfit].map(majorFromMinor) as [number, number, number];
	const maxExposure = majorFromMinor(limitIn(currency, market?.maxExposure ?? 0));
	return { currency, betDelaySeconds, minStake: least, maxStake: most, maxProfit: profit, maxExposure };
}

export const RISK_ACTS: ActsOf<'events' | 'event-markets' | 'market-risk'> = {
	events: (_, parts) => parts.fixtures.all().map((fixture) => eventView(parts, fixture)),
	'event-markets': async ({ eventId }, parts) => {
		const fixture = fixtureOf(parts, eventId);
		const { event, sport, status, score, source } = eventView(parts, fixture);
		const listings = parts.fixtures.markets(fixture.id);
		const ofHouse = await flatMapInTurns(parts.exchange.eachBetIn(listings.map(({ id }) => id)), (bet) =>
			bet.walletId < FIRST_PLAYER_ID ? [bet] : [],
		);
		const byMarket = Map.groupBy(ofHouse, ({ marketId }) => marketId);
		const markets = listings.map((listing) => {
			const market = parts.exchange.market(listing.id);
			const { bettingModel, lines, lineRange, type } = listing;
			return {
				...stateOf(parts, listing),
				type,
				bettingModel,
				matched: matchedOf(parts, [listing]),
				pools: [...(market?.pools ?? [])],
				house: market ? houseExposure(market, byMarket.get(listing.id) ?? []) : [],
				isSettledByNumber: Boolean(lines ?? lineRange),
				fancy: fancyPrices(parts.exchange, listing),
				rates: bookmakerRates(parts.exchange, listing),
			};
		});
		return { eventId, event, sport, status, score, source, markets };
	},
	'market-risk': async ({ marketId }, parts) => {
		const listing = await listingOf(parts, marketId);
		const market = parts.exchange.market(listing.id);
		const standings = market
			? await standingsOf(market, await matchedByWallet(parts.exchange.eachBetIn([listing.id])))
			: [];
		const players = standings.filter((standing) => !isHouse(standing));
		const byPool = Map.groupBy(players, ({ pool }) => pool);
		const largest = [...byPool.values()].flatMap((own) =>
			own.sort((one, other) => one.worst - other.worst).slice(0, LARGEST),
		);
		return {
			...stateOf(parts, listing),
			event: parts.fixtures.fixture(listing.fixtureId)?.title ?? '',
			terms: termsView(listing, market),
			books: POOLS.flatMap((pool) => bookView(parts, listing, pool)),
			house: standings.filter(isHouse).map((standing) => positionView(standing, parts)),
			largest: largest.map((standing) => positionView(standing, parts)),
			players: players.length,
		};
	},
};
