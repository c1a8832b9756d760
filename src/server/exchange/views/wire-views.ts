/**
 * Converts the exchange's records to what travels: minor units to major units, hundredths to decimals, indexes to runner
 * ids.
 */
import type * as v from 'valibot';
import type { BetStatus, OpenBet } from '#contract/calls/bet.ts';
import type { Market, QuotedMarket } from '#contract/calls/market.ts';
import type { MarketBook } from '#contract/calls/odds.ts';
import type { BetTerms, OnClose } from '#engine/bet-detail.ts';
import type { TriggerView } from '#engine/effect.ts';
import type { MarketView } from '#engine/engine.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { marketType } from '#engine/market-types/all-market-types.ts';
import { numberReached } from '#engine/market-types/fancy.ts';
import { numbersOf } from '#engine/market-types/line-result.ts';
import type { BetRecord, Book, Exchange, ProfitLoss, Receipt } from '#server/exchange/exchange.ts';
import type { Listings, MarketListing } from '#server/exchange/views/market-listing.ts';
import { reductionView } from '#server/exchange/views/reduction-view.ts';
import { shownOffers } from '#server/exchange/views/shown-offers.ts';
import { betRange } from '#values/bet-range.ts';
import { leastStakeIn, limitIn } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { averagePrice } from '#values/liability.ts';
import type { LineRange } from '#values/line-range.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { type AnyPrice, decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

type Wire<S extends v.GenericSchema> = v.InferOutput<S>;

/** Late times and their texts: bets have few, in turn that of the bet and that of its batch. */
const TEXTS = 64;
const late = Array.from({ length: TEXTS }, () => ({ atMs: Number.NaN, text: '' }));

export function isoTime(atMs: number): string {
	const known = late[Math.abs(atMs) % TEXTS];
	if (known?.atMs === atMs) return known.text;
	const text = new Date(atMs).toISOString();
	if (known) {
		known.atMs = atMs;
		known.text = text;
	}
	return text;
}

/** The status of a bet in one word; its amounts say the rest. */
export function betStatus(
	bet: Pick<BetRecord, 'matched' | 'remaining' | 'lapsed' | 'voided' | 'result'> & Partial<Pick<BetRecord, 'delay'>>,
): Wire<typeof BetStatus> {
	if (bet.voided > 0 && bet.matched === 0) return 'VOIDED';
	if (bet.result !== null) return 'SETTLED';
	if (bet.delay) return 'PENDING';
	if (bet.remaining > 0) return bet.matched > 0 ? 'PARTIALLY_MATCHED' : 'UNMATCHED';
	if (bet.matched > 0) return 'MATCHED';
	return bet.lapsed > 0 ? 'LAPSED' : 'CANCELLED';
}

/** The average matched price, to two decimals; null while nothing is matched. */
export function averageDecimal(matched: AnyMinor, matchedValue: number): number | null {
	const average = averagePrice(matched, matchedValue);
	return average === null ? null : decimalFromPrice(average);
}

/** A bet as open bets and BetUpdate show it. */
/** The batch that made an answer or a change durable; empty where it is not known. */
export const commitView = ({ batchSeq, batchAtMs }: Pick<Receipt, 'batchSeq' | 'batchAtMs'>) =>
	batchSeq && batchAtMs ? { commit: { sequence: batchSeq, at: isoTime(batchAtMs) } } : {};

export function openBetView(
	bet: BetRecord,
	{ fixtures, exchange }: { fixtures: Listings; exchange: Pick<Exchange, 'market'> },
): Wire<typeof OpenBet> {
	const listing = fixtures.market(bet.marketId);
	const fixture = listing ? fixtures.fixture(listing.fixtureId) : null;
	const runner = listing?.runners[bet.runner];
	const { profit, liability } = rangeOf(bet, listing);
	return {
		betId: String(bet.betId),
		eventId: String(listing?.fixtureId ?? 0),
		eventTitle: fixture?.title ?? '',
		marketId: String(bet.marketId),
		marketName: listing?.name ?? '',
		runnerId: runner?.id ?? String(bet.runner),
		runnerName: runner?.name ?? '',
		side: sideName(bet.side),
		price: decimalFromPrice(bet.price),
		averagePrice: averageDecimal(bet.matched, bet.matchedValue),
		...(bet.fills ? reductionView(bet, listing, exchange.market(bet.marketId)) : {}),
		stake: majorFromMinor(bet.stake),
		matchedStake: majorFromMinor(bet.matched),
		remainingStake: majorFromMinor(bet.remaining),
		profit: majorFromMinor(profit),
		liability: majorFromMinor(liability),
		matched: matchedView(bet, listing),
		status: betStatus(bet),
		placedAt: isoTime(bet.placedAtMs),
		...(bet.terms && bet.remaining > 0 ? betTermsView(bet.terms) : {}),
		...(bet.onClose ? { onClose: onCloseView(bet.onClose) } : {}),
		...(bet.persist && bet.remaining > 0 ? { persists: true as const } : {}),
		...(bet.takesStart && bet.remaining > 0 ? { takesStartingPrice: true as const } : {}),
	};
}

const onCloseView = ({ limit, liability }: OnClose) => ({
	limit: limit === null ? null : decimalFromPrice(limit),
	liability: majorFromMinor(liability),
});

const betTermsView = ({ postOnly, expiresAtMs, untilMatched }: BetTerms) => ({
	...(expiresAtMs === null ? {} : { goodTill: isoTime(expiresAtMs) }),
	...(untilMatched == null ? {} : { goodUntilMatched: majorFromMinor(untilMatched) }),
	...(postOnly === null ? {} : { postOnly }),
});

const termsOf = (listing: MarketListing | null) => ({
	eachWay: listing?.eachWayDivisor ?? 0,
	lines: Boolean(listing?.lineRange),
});

/** The most a bet can win and lose, minor units: the matched part at its own prices, the rest at the price asked. */
function rangeOf({ side, price, remaining, matched, matchedValue }: BetRecord, listing: MarketListing | null) {
	return betRange(side, matchedValue + remaining * price, matched + remaining, termsOf(listing));
}

/** The most that a trigger's bet can lose, rupees. */
export const riskOfTrigger = (
	{ side, price, stake }: Pick<TriggerView, 'side' | 'price' | 'stake'>,
	listing: MarketListing | null,
): number => majorFromMinor(betRange(side, stake * price, stake, termsOf(listing)).liability);

/** What the matched part alone wins and loses, which an average price, being rounded, does not tell. */
export function matchedView(
	{ side, matched, matchedValue }: Pick<BetRecord, 'side' | 'matched' | 'matchedValue'>,
	listing: MarketListing | null,
): Wire<typeof OpenBet>['matched'] {
	const { profit, liability } = betRange(side, matchedValue, matched, termsOf(listing));
	return { profit: majorFromMinor(profit), liability: majorFromMinor(liability) };
}

/** What the player nets by each outcome. */
export const netsView = (listing: MarketListing, { runners, exact }: Pick<ProfitLoss, 'runners' | 'exact'>) =>
	runners.map((net, outcome) => ({
		runnerId: outcomeId(listing, outcome),
		profitLoss: majorFromMinor(net),
		exact: exact[outcome] ?? 0,
	}));

const decimalRange = ({ min, max, interval }: LineRange) => ({
	min: decimalFromPrice(min),
	max: decimalFromPrice(max),
	interval: decimalFromPrice(interval),
});

type RunnerStatus = Wire<typeof Market>['runners'][number]['status'];

export function runnerStatus(market: MarketView | null, runner: number): RunnerStatus {
	// Where prices are lines, the results are lines, too.
	const result = typeof market?.ladder === 'string' ? market.results?.[runner] : undefined;
	if (market?.removed.some(([removed]) => removed === runner)) return 'REMOVED';
	if (result === 'WIN' || result === 'TIE' || result === 'HALF_WIN') {
		const places = market?.reducible && market.numberOfWinners > 1;
		return places && !(market.eachWayDivisor > 0 && result === 'WIN') ? 'PLACED' : 'WINNER';
	}
	if (result === 'PLACED') return 'PLACED';
	if (result === 'LOSE' || result === 'HALF_LOSE') return 'LOSER';
	if (result === 'VOID') return 'REMOVED';
	return market?.suspended.includes(runner) ? 'SUSPENDED' : 'ACTIVE';
}

/** Indexes of the runners to show. A fancy shows the lines that are offered or were bet on, or else the middle line. */
function shownRunners(listing: MarketListing, book: Book | null): Set<number> | null {
	if (!listing.lines) return null;
	const alive = (book?.runners ?? []).filter(
		({ back, lay, totalMatched }) => back.length > 0 || lay.length > 0 || totalMatched > 0,
	);
	return new Set(alive.length > 0 ? alive.map(({ runner }) => runner) : [Math.floor(listing.lines.length / 2)]);
}

/** The terms by which a screen writes bets of a market in its own words; without a listing, as odds. */
export function quotedMarket(
	listing: MarketListing | undefined,
	results: readonly RunnerResult[] | null,
): Wire<typeof QuotedMarket> {
	if (!listing) return { bettingModel: 'EXCHANGE', byLines: false };
	const { bettingModel, lines, lineRange } = listing;
	return {
		bettingModel,
		byLines: lines !== undefined,
		...(lineRange === undefined ? {} : { lineRange: decimalRange(lineRange) }),
		...numberOf(listing, results),
	};
}

/** The number that a settled fancy or line market came to, as far as its lines tell. */
export function numberOf(
	{ lines, lineRange }: Pick<MarketListing, 'lines' | 'lineRange'>,
	results: readonly RunnerResult[] | null,
): Pick<Wire<typeof Market>, 'numberWas'> {
	const numberWas =
		results && (lineRange ? numbersOf(lineRange, results) : lines ? numberReached(lines, results) : null);
	return numberWas ? { numberWas } : {};
}

const reductionsOf = ({ reduces, minReductionBp }: MarketView) => ({ reduces, fromPercent: minReductionBp / 100 });

const startingPriceOf = ({ inPlay, startingPrices }: MarketView) => (startingPrices || inPlay ? 'FOUND' : 'AHEAD');

/** Fields that only some market types have. */
function lineOf(
	listing: MarketListing,
	market: MarketView | null,
): Pick<
	Wire<typeof Market>,
	'line' | 'lines' | 'lineRange' | 'numberWas' | 'eachWayDivisor' | 'reductions' | 'startingPrice' | 'crossMatching'
> {
	const { handicapQuarters, lines, lineRange, eachWayDivisor } = listing;
	return {
		...(lineRange === undefined ? {} : { lineRange: decimalRange(lineRange) }),
		...(market?.status === 'SETTLED' ? numberOf(listing, market.results) : {}),
		...(eachWayDivisor === undefined ? {} : { eachWayDivisor }),
		...(market?.reducible ? { reductions: reductionsOf(market) } : {}),
		...(market?.startingPrice ? { startingPrice: startingPriceOf(market) } : {}),
		...(listing.crossMatching ? { crossMatching: true } : {}),
		...(handicapQuarters === undefined ? {} : { line: handicapQuarters / 4 }),
		...(lines === undefined ? {} : { lines: [...lines] }),
	};
}

function runnerView(listing: MarketListing, market: MarketView | null, runner: number, pool: Pool | null) {
	const { id, name, ...racing } = listing.runners[runner] as MarketListing['runners'][number];
	const line = listing.lines?.[runner];
	const removed = market?.removed.find(([gone]) => gone === runner);
	const started = market?.startingPrices?.find((found) => found.pool === pool && found.runner === runner);
	return {
		id,
		name,
		sortOrder: runner + 1,
		status: runnerStatus(market, runner),
		...(removed && market?.reducible ? { adjustmentFactor: removed[1] / 100 } : {}),
		...(line === undefined ? {} : { line }),
		...(started ? { startingPrice: decimalFromPrice(started.price) } : {}),
		...racing,
	};
}

/** What a market asks of a bet in a currency: as a trader has set it since it was listed. Amounts in minor units. */
export function limitsOf(listing: MarketListing, market: MarketView | null, currency: Currency = HOME_CURRENCY) {
	const limits = market ?? listing;
	const minStake = leastStakeIn(currency, limits.minStake);
	const [maxStake, maxProfit] = [limitIn(currency, limits.maxStake), limitIn(currency, limits.maxProfit)];
	const betDelaySeconds = market ? market.betDelayMs / 1000 : listing.betDelaySeconds;
	return { minStake, maxStake, maxProfit, betDelaySeconds };
}

/**
 * A market with its runners; `market` is null while the exchange does not know it. With the caller's book, a fancy
 * shows the relevant lines; without a book, all lines.
 */
export function marketView(
	listing: MarketListing,
	market: MarketView | null,
	book: Book | null | undefined = undefined,
	currency: Currency = HOME_CURRENCY,
): Wire<typeof Market> {
	const shown = book === undefined ? null : shownRunners(listing, book);
	const limits = limitsOf(listing, market, currency);
	return {
		id: String(listing.id),
		eventId: String(listing.fixtureId),
		name: listing.name,
		type: listing.type,
		bettingModel: listing.bettingModel,
		status: market?.status ?? 'INACTIVE',
		inPlay: market?.inPlay ?? false,
		betDelaySeconds: limits.betDelaySeconds,
		// Players see rising lines as one question with one answer.
		numberOfWinners: Math.max(1, listing.numberOfWinners),
		minStake: majorFromMinor(limits.minStake),
		maxStake: majorFromMinor(limits.maxStake),
		maxProfit: majorFromMinor(limits.maxProfit),
		commissionRate: listing.commissionBp / 10_000,
		ladder: listing.lineRange ? 'LINES' : marketType(listing.type).ladder,
		...lineOf(listing, market),
		version: market?.version ?? 0,
		runners: listing.runners.flatMap((_, runner) =>
			shown && !shown.has(runner) ? [] : [runnerView(listing, market, runner, book?.pool ?? null)],
		),
		rules: listing.rules,
	};
}

const levels = (from: readonly { price: AnyPrice; size: number }[], depth: number) =>
	from.slice(0, depth).map(({ price, size }) => ({ price: decimalFromPrice(price), size: majorFromMinor(size) }));

type Books = Pick<Exchange, 'market' | 'book'>;

/** The book that answers show: a fancy with its relevant lines. */
export function shownBookView(
	exchange: Books,
	listing: MarketListing,
	pool: Pool,
	depth: number,
): Wire<typeof MarketBook> {
	const view = bookView(exchange, listing, pool, depth);
	const shown = shownRunners(listing, exchange.book(listing.id, pool));
	return shown ? { ...view, runners: view.runners.filter((_, runner) => shown.has(runner)) } : view;
}

/** A book with all its runners, virtual prices among its levels. */
export function bookView(exchange: Books, listing: MarketListing, pool: Pool, depth: number): Wire<typeof MarketBook> {
	const [book, market] = [exchange.book(listing.id, pool), exchange.market(listing.id)];
	const offers = shownOffers(exchange, listing.id, pool);
	return {
		marketId: String(listing.id),
		version: book?.version ?? 0,
		status: market?.status ?? 'INACTIVE',
		inPlay: market?.inPlay ?? false,
		totalMatched: majorFromMinor(book?.totalMatched ?? 0),
		runners: listing.runners.map(({ id }, runner) => {
			const row = book?.runners[runner];
			return {
				runnerId: id,
				status: runnerStatus(market, runner),
				lastPriceTraded: row?.lastPriceTraded ? decimalFromPrice(row.lastPriceTraded) : null,
				totalMatched: majorFromMinor(row?.totalMatched ?? 0),
				back: levels(offers[runner]?.back ?? [], depth),
				lay: levels(offers[runner]?.lay ?? [], depth),
			};
		}),
	};
}

/** The winning runner, or the last line that was passed. */
export const outcomeId = ({ runners, lineRange }: MarketListing, outcome: number): string =>
	lineRange ? String(decimalFromPrice(lineRange.min + outcome * lineRange.interval)) : (runners[outcome]?.id ?? '');
