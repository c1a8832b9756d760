/**
 * A trader's manual settings: the delay and the limits of a market, and the prices of fancies and bookmaker markets.
 */
import type { ChangedTerms } from '#engine/command.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { bookmakerRates, isFair, NO_RATES, quotesAtRates } from '#server/operators/bookmaker-rates.ts';
import { fixtureOf, listingOf, runnerOf, stateOf } from '#server/operators/named-market.ts';
import { homeLimits } from '#server/operators/stated-limits.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { Refused } from '#values/error-catalogue.ts';
import { commonCurrency, POOLS } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** The size of a quote in largest stakes: a bet is taken whole or not at all. */
const STAKES_OFFERED = 8;
const MOST_LINES = 400;
/** A rate of 100 is evens: a price of 2, in hundredths. */
const priceOfRate = (rate: number): AnyPrice => 100 + rate;

interface Side {
	line: number;
	rate: number;
}
/** The two sides of a fancy; null for one that is not quoted. */
interface FancyPrices {
	no: Side | null;
	yes: Side | null;
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const wrong = (sentence: string): Refused => new Refused('VALIDATION_FAILED', {}, sentence);

/** @throws Refused VALIDATION_FAILED for a line that the fancy does not have, or prices that lose on every number */
function quotesOf(listing: MarketListing, { no, yes }: FancyPrices, size: number): QuotedRunner[] {
	const lines = listing.lines ?? [];
	for (const side of [no, yes]) {
		if (side && !lines.includes(side.line))
			throw wrong(`Its lines are ${lines[0]} to ${lines.at(-1)}; there is no ${side.line}.`);
	}
	// A player who takes both sides would win both between the lines, or more on one line than the cost of the other.
	const isGift = no && yes && (no.line > yes.line || (no.line === yes.line && no.rate <= yes.rate));
	if (isGift) throw wrong('Players who take both sides would win on every number.');
	return lines.map((line) => ({
		back: yes?.line === line ? [{ price: priceOfRate(yes.rate), size }] : [],
		lay: no?.line === line ? [{ price: priceOfRate(no.rate), size }] : [],
	}));
}

/** The house's prices in a fancy; null for a market of another kind, or one that a feed prices. */
export function fancyPrices(exchange: Exchange, listing: MarketListing): FancyPrices | null {
	const { lines, byOperator, bettingModel } = listing;
	if (!lines || !byOperator || bettingModel !== 'FANCY') return null;
	const runners = POOLS.flatMap((pool) => exchange.book(listing.id, pool)?.runners ?? []);
	const side = (of: 'back' | 'lay'): Side | null => {
		const at = runners.findIndex((runner) => runner[of].length > 0);
		const level = runners[at]?.[of][0];
		return level ? { line: lines[at % lines.length] as number, rate: level.price - 100 } : null;
	};
	return { no: side('lay'), yes: side('back') };
}

/** The event for a new market with that name. @throws Refused UNKNOWN_FIXTURE, WRONG_MARKET_STATE, VALIDATION_FAILED */
function fixtureFor(parts: OperatorOptions, eventId: string, name: string): Fixture {
	const fixture = fixtureOf(parts, eventId);
	if (fixture.status === 'FINISHED' || fixture.status === 'ABANDONED') throw new Refused('WRONG_MARKET_STATE');
	const isTaken = parts.fixtures.markets(fixture.id).some((other) => isSameName(other.name, name));
	if (isTaken) throw wrong('The event has a market of that name.');
	return fixture;
}

export const TRADE_ACTS: ActsOf<'change-terms' | 'open-fancy' | 'price-fancy' | 'open-bookmaker' | 'price-bookmaker'> =
	{
		'change-terms': async ({ marketId, minStake, maxStake, ...asked }, parts) => {
			const listing = await listingOf(parts, marketId);
			const currency = asked.currency ?? commonCurrency(parts.exchange.market(listing.id)?.pools ?? []);
			const minorOf = (major: number | undefined) => major && Math.round(major * 100);
			const [maxProfit, maxExposure] = [minorOf(asked.maxProfit), minorOf(asked.maxExposure)];
			const limits = homeLimits(currency, { minStake, maxStake, maxProfit, maxExposure });
			const betDelayMs = asked.betDelaySeconds && asked.betDelaySeconds * 1000;
			const terms: ChangedTerms = { ...limits, ...(betDelayMs === undefined ? {} : { betDelayMs }) };
			await parts.limitWatch.overrule(listing.id, async () => {
				await parts.exchange.submit({ kind: 'change-terms', marketId: listing.id, terms });
			});
			return stateOf(parts, listing);
		},
		'open-fancy': async ({ eventId, name, type, from, to }, parts) => {
			const fixture = fixtureFor(parts, eventId, name);
			if (to < from || to - from >= MOST_LINES) throw wrong(`The lines rise, and there are ${MOST_LINES} at most.`);
			const lines = Array.from({ length: to - from + 1 }, (_, at) => from + at);
			const runners = lines.map((line) => ({ id: String(line), name: String(line) }));
			const about = { name, type, lines, runners, betDelaySeconds: 0 };
			const rules = 'YES wins when the number reaches the line, NO when it does not.';
			return stateOf(parts, await parts.markets.open(fixture, { ...about, rules }));
		},
		'price-fancy': async ({ marketId, seenVersion, no, yes }, parts) => {
			const listing = await listingOf(parts, marketId);
			if (listing.bettingModel !== 'FANCY') throw new Refused('WRONG_MARKET_STATE');
			const { maxStake } = parts.exchange.market(listing.id) ?? listing;
			const quotes = quotesOf(listing, { no, yes }, maxStake * STAKES_OFFERED);
			await parts.markets.price(listing, () => quotes, seenVersion);
			return stateOf(parts, listing);
		},
		'open-bookmaker': async ({ eventId, name, runners }, parts) => {
			const fixture = fixtureFor(parts, eventId, name);
			const isTwin = runners.some((one, at) => runners.slice(0, at).some((other) => isSameName(one, other)));
			if (isTwin) throw wrong('Two runners have the same name.');
			const about = {
				name,
				type: 'BOOKMAKER',
				betDelaySeconds: 0,
				rules: 'The named winner is paid at the rate taken.',
			};
			const named = runners.map((runner, at) => ({ id: String(at + 1), name: runner }));
			return stateOf(parts, await parts.markets.open(fixture, { ...about, runners: named }));
		},
		'price-bookmaker': async ({ marketId, seenVersion, runner, back, lay }, parts) => {
			const listing = await listingOf(parts, marketId);
			const priced = runnerOf(listing, runner);
			const quotes = () => {
				const market = parts.exchange.market(listing.id);
				const { maxStake } = market ?? listing;
				const standing = bookmakerRates(parts.exchange, listing);
				if (!standing) throw new Refused('WRONG_MARKET_STATE');
				// Events since a suspension may affect each runner, so no runner keeps a rate from before.
				const isOpen = (at: number) => market?.status === 'OPEN' && !market.suspended.includes(at);
				const others = standing.map((rates, at) => (isOpen(at) ? rates : NO_RATES));
				const rates = others.with(priced, { back, lay });
				if (!isFair(rates)) throw wrong('Players could win on every outcome at these rates.');
				return quotesAtRates(rates, maxStake * STAKES_OFFERED);
			};
			await parts.markets.price(listing, quotes, seenVersion, priced);
			return stateOf(parts, listing);
		},
	};
