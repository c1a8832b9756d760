/** The trading floor: every match at a glance, and the bets as they come. */
import { setImmediate as turn } from 'node:timers/promises';
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { betsOfHouse, houseExposure, isHouse, matchedByWallet, standingsOf } from '#server/operators/house-exposure.ts';
import { leastByCurrency, sumsByCurrency } from '#server/operators/sums-by-currency.ts';
import { type Fixture, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { limitIn } from '#values/currencies.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';
import { sportById } from '#values/sports.ts';

type Asked = v.InferOutput<OperatorCalls['bets-taken']['input']>;

const MOST_BETS = 100;
/** A bet of this share of its market's largest stake is large. */
const LARGE_SHARE = 0.1;

/** Liability of one market. */
async function marketRisk({ exchange }: OperatorOptions, listing: MarketListing) {
	const market = exchange.market(listing.id);
	if (!market) return { house: [], largest: [] };
	const matched = await matchedByWallet(exchange.eachBetIn([listing.id]));
	const players = (await standingsOf(market, matched)).filter((standing) => !isHouse(standing));
	const worst = new Map<Pool, AnyMinor>();
	for (const { pool, worst: own } of players) worst.set(pool, Math.min(worst.get(pool) ?? 0, own));
	return {
		house: houseExposure(market, betsOfHouse(matched)),
		largest: [...worst].map(([pool, amount]) => ({ pool, amount })),
	};
}

async function matchView(parts: OperatorOptions, fixture: Fixture) {
	const { exchange, fixtures, limitWatch, ticker } = parts;
	const listings = fixtures.markets(fixture.id);
	const statuses = listings.map(({ id }) => exchange.market(id)?.status);
	const risks: Awaited<ReturnType<typeof marketRisk>>[] = [];
	for (const listing of listings) {
		risks.push(await marketRisk(parts, listing));
		// Bets are not kept waiting by the sums of a whole floor.
		await turn();
	}
	const worst = new Map<Pool, number>();
	for (const { pool, worst: least } of risks.flatMap(({ house }) => house))
		worst.set(pool, (worst.get(pool) ?? 0) + Math.min(0, least));
	const [main] = listings;
	const ofMain = risks[0]?.house ?? [];
	const now = Date.now();
	const ages = listings.flatMap(({ id }) => exchange.feedAgeMs(id) ?? []);
	return {
		eventId: String(fixture.id),
		event: fixture.title,
		sport: sportById(fixture.sportId)?.key ?? '',
		source: fixture.source,
		status: fixture.status,
		score: fixture.scoreLine,
		markets: listings.length,
		open: statuses.filter((status) => status === 'OPEN').length,
		suspended: statuses.filter((status) => status === 'SUSPENDED' || status === 'BALL_RUNNING').length,
		tightened: listings.filter(({ id }) => limitWatch.isTightened(id)).length,
		matchedLastMinute: sumsByCurrency(
			exchange.pools.flatMap((pool) =>
				listings.map(({ id }) => ({ pool, amount: ticker.matchedLastMinute(id, pool, now) })),
			),
		),
		house: [...worst].map(([pool, least]) => ({ pool, worst: Math.round(least * 100) / 100 })),
		outcomes: (main?.runners ?? [])
			.map(({ name }, at) => ({
				outcome: name,
				house: sumsByCurrency(
					ofMain.map(({ pool, outcomes }) => ({ pool, amount: Math.round((outcomes[at] ?? 0) * 100) })),
				),
			}))
			.slice(0, ofMain.length === 0 ? 0 : undefined),
		largest: leastByCurrency(risks.flatMap(({ largest }) => largest)),
		feedAge: ages.length === 0 ? null : Math.round(Math.min(...ages) / 1000),
	};
}

function isWanted(parts: OperatorOptions, bet: BetRecord, asked: Asked): boolean {
	const { sport, eventId, marketId, playerId, brand, least } = asked;
	if (least !== undefined && bet.stake < least) return false;
	if (marketId !== undefined && bet.marketId !== Number(marketId)) return false;
	if (playerId !== undefined && bet.walletId !== Number(playerId)) return false;
	if (brand !== undefined && parts.players.brandOf(bet.walletId) !== brand) return false;
	if (sport === undefined && eventId === undefined) return true;
	const fixtureId = parts.fixtures.market(bet.marketId)?.fixtureId;
	if (eventId !== undefined && fixtureId !== Number(eventId)) return false;
	if (sport === undefined || fixtureId === undefined) return sport === undefined;
	return sportById(parts.fixtures.fixture(fixtureId)?.sportId ?? 0)?.key === sport;
}

function betView({ players, fixtures, exchange }: OperatorOptions, bet: BetRecord) {
	const listing = fixtures.market(bet.marketId);
	const fixture = listing ? fixtures.fixture(listing.fixtureId) : null;
	const { maxStake } = exchange.market(bet.marketId) ?? listing ?? { maxStake: Number.POSITIVE_INFINITY };
	const largest = limitIn(currencyOf(bet.pool), maxStake);
	return {
		betId: String(bet.betId),
		at: isoTime(bet.placedAtMs),
		playerId: String(bet.walletId),
		player: players.nameOf(bet.walletId) ?? '',
		brand: players.brandOf(bet.walletId),
		sport: sportById(fixture?.sportId ?? 0)?.key ?? '',
		eventId: String(fixture?.id ?? ''),
		event: fixture?.title ?? '',
		marketId: String(bet.marketId),
		market: listing?.name ?? '',
		runner: listing?.runners[bet.runner]?.name ?? '',
		side: sideName(bet.side),
		price: decimalFromPrice(bet.price),
		stake: majorFromMinor(bet.stake),
		matched: majorFromMinor(bet.matched),
		isLarge: bet.stake >= largest * LARGE_SHARE,
	};
}

export const FLOOR_ACTS: ActsOf<'floor' | 'bets-taken'> = {
	floor: async ({ sport }, parts) => {
		const matches = parts.fixtures
			.all()
			.filter(isUnfinished)
			.filter(({ sportId }) => sport === undefined || sportById(sportId)?.key === sport);
		const rows: Awaited<ReturnType<typeof matchView>>[] = [];
		for (const fixture of matches) rows.push(await matchView(parts, fixture));
		return rows;
	},
	'bets-taken': (asked, parts) => {
		const found: BetRecord[] = [];
		for (const bet of parts.ticker.newest()) {
			if (found.length === MOST_BETS) break;
			if (isWanted(parts, bet, asked)) found.push(bet);
		}
		return found.map((bet) => betView(parts, bet));
	},
};
