/** A market as the stream shows it, and the difference between two snapshots. */

import {
	adjustmentFactorOf,
	bettingTypeOf,
	eventTypeOf,
	handicapOf,
	ladderOf,
	marketTypeCode,
	selectionIdOf,
	selectionStatus,
	statusOf,
	wireMarketId,
	wirePrice,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { shownOffers } from '#server/exchange/views/shown-offers.ts';
import type { StartingPriceView } from '#server/exchange/views/starting-prices.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { Pool } from '#values/pools.ts';
import type { BookSides } from '#values/virtual-prices.ts';

export const DATA_FIELDS = [
	'EX_BEST_OFFERS_DISP',
	'EX_BEST_OFFERS',
	'EX_ALL_OFFERS',
	'EX_TRADED',
	'EX_TRADED_VOL',
	'EX_LTP',
	'EX_MARKET_DEF',
	'SP_PROJECTED',
	'SP_TRADED',
] as const;
export type DataField = (typeof DATA_FIELDS)[number];

/** Which parts of a market a subscription gets. Snapshots of one key are shared. */
export interface DataFilter {
	fields: ReadonlySet<DataField>;
	ladderLevels: number;
	/** The same for equal filters. */
	key: string;
}

/** Levels by number, or by price: the first figures name a level, and a size of 0 removes it. */
type Level = readonly number[];
type Ladder = 'batb' | 'batl' | 'bdatb' | 'bdatl' | 'atb' | 'atl' | 'trd' | 'spb' | 'spl';
const LADDERS: readonly Ladder[] = ['batb', 'batl', 'bdatb', 'bdatl', 'atb', 'atl', 'trd', 'spb', 'spl'];
const BY_LEVEL: ReadonlySet<Ladder> = new Set(['batb', 'batl', 'bdatb', 'bdatl']);

/** A starting price that would match nothing is no number, in the service's words. */
type ProjectedPrice = number | 'NaN';
type RunnerChange = {
	id: number;
	hc?: number;
	ltp?: number;
	tv?: number;
	spn?: ProjectedPrice;
	spf?: ProjectedPrice;
} & Partial<Record<Ladder, readonly Level[]>>;

export interface MarketSnapshot {
	marketId: string;
	/** The batch of the market's latest change. */
	sequence: number;
	/** JSON, because definitions are compared as wholes. */
	definition: string | null;
	tv: number | null;
	runners: readonly RunnerChange[];
}

export interface MarketChange {
	id: string;
	img?: true;
	con?: true;
	/** The sequence of the state that the change leads to; and of the one that it follows, unless it is an image. */
	seq: number;
	prev?: number;
	tv?: number;
	marketDefinition?: object;
	rc?: RunnerChange[];
}

const byLevel = (levels: BookSides['back'], depth: number): Level[] =>
	levels.slice(0, depth).map(({ price, size }, at) => [at, wirePrice(price), wireSize(size)]);
const byPrice = (levels: readonly { price: number; size: number }[]): Level[] =>
	levels.map(({ price, size }) => [wirePrice(price), wireSize(size)]);

export function snapshotOf(
	parts: BotParts,
	{ listing, fixture }: { listing: MarketListing; fixture: Fixture },
	pool: Pool,
	{ sequence, filter: { fields, ladderLevels } }: { sequence: number; filter: DataFilter },
): MarketSnapshot {
	const book = parts.exchange.book(listing.id, pool);
	const offers = fields.has('EX_BEST_OFFERS_DISP') ? shownOffers(parts.exchange, listing.id, pool) : [];
	const runners = listing.runners.map((_, runner): RunnerChange => {
		const row = book?.runners[runner];
		const [back, lay] = [row?.back ?? [], row?.lay ?? []];
		const handicap = handicapOf(listing, runner);
		return {
			id: selectionIdOf(listing, runner),
			...(handicap === 0 ? {} : { hc: handicap }),
			...(fields.has('EX_BEST_OFFERS') ? { batb: byLevel(back, ladderLevels), batl: byLevel(lay, ladderLevels) } : {}),
			...(fields.has('EX_BEST_OFFERS_DISP')
				? {
						bdatb: byLevel(offers[runner]?.back ?? [], ladderLevels),
						bdatl: byLevel(offers[runner]?.lay ?? [], ladderLevels),
					}
				: {}),
			...(fields.has('EX_ALL_OFFERS') ? { atb: byPrice(back), atl: byPrice(lay) } : {}),
			...(fields.has('EX_TRADED') ? { trd: byPrice(parts.traded.of(listing.id, pool, runner)) } : {}),
			...(fields.has('EX_LTP') && row?.lastPriceTraded ? { ltp: wirePrice(row.lastPriceTraded) } : {}),
			...(fields.has('EX_TRADED_VOL') ? { tv: wireSize(row?.totalMatched ?? 0) } : {}),
			...startingOf(parts.starting.of(listing.id, pool, runner), fields),
		};
	});
	return {
		marketId: wireMarketId(listing.id),
		sequence,
		definition: fields.has('EX_MARKET_DEF') ? JSON.stringify(definitionOf(parts, pool, listing, fixture)) : null,
		tv: fields.has('EX_TRADED_VOL') ? wireSize(book?.totalMatched ?? 0) : null,
		runners,
	};
}

function startingOf(starting: StartingPriceView | null, fields: DataFilter['fields']): Partial<RunnerChange> {
	if (!starting) return {};
	const { near, far, backStakeTaken, layLiabilityTaken } = starting;
	const levels = (from: StartingPriceView['backStakeTaken']): Level[] => from.map(({ price, size }) => [price, size]);
	return {
		...(fields.has('SP_PROJECTED') ? { spn: near ?? 'NaN', spf: far ?? 'NaN' } : {}),
		...(fields.has('SP_TRADED') ? { spb: levels(backStakeTaken), spl: levels(layLiabilityTaken) } : {}),
	};
}

function definitionOf({ exchange }: BotParts, pool: Pool, listing: MarketListing, fixture: Fixture) {
	const market = exchange.market(listing.id);
	const startsAt = wireTime(fixture.startsAtMs);
	const { eachWayDivisor, lineRange } = listing;
	const runners = listing.runners.map(({ name }, runner) => {
		const adjustmentFactor = adjustmentFactorOf(listing, market, runner);
		const handicap = handicapOf(listing, runner);
		const bsp = market?.startingPrices?.find((found) => found.pool === pool && found.runner === runner);
		return {
			...(adjustmentFactor === null ? {} : { adjustmentFactor }),
			...(bsp ? { bsp: wirePrice(bsp.price) } : {}),
			status: selectionStatus(market, runner),
			sortPriority: runner + 1,
			id: selectionIdOf(listing, runner),
			...(handicap === 0 ? {} : { hc: handicap }),
			name,
		};
	});
	return {
		bspMarket: market?.startingPrice ?? false,
		turnInPlayEnabled: true,
		persistenceEnabled: true,
		marketBaseRate: listing.commissionBp / 100,
		eventId: String(fixture.id),
		eventTypeId: eventTypeOf(fixture.sportId),
		numberOfWinners: Math.max(1, listing.numberOfWinners),
		bettingType: bettingTypeOf(listing),
		marketType: marketTypeCode(listing),
		marketTime: startsAt,
		suspendTime: startsAt,
		bspReconciled: market?.startingPrices != null,
		complete: true,
		inPlay: market?.inPlay ?? false,
		crossMatching: market?.crossMatching ?? false,
		runnersVoidable: false,
		numberOfActiveRunners: runners.filter(({ status }) => status === 'ACTIVE').length,
		betDelay: market?.inPlay ? Math.round(market.betDelayMs / 1000) : 0,
		status: statusOf(market),
		runners,
		regulators: ['NONE'],
		discountAllowed: (market?.commissionBp ?? 0) > 0,
		timezone: 'UTC',
		openDate: startsAt,
		version: market?.version ?? 0,
		priceLadderDefinition: { type: ladderOf(listing) },
		...(eachWayDivisor === undefined ? {} : { eachWayDivisor }),
		...(lineRange
			? {
					lineMinUnit: wirePrice(lineRange.min),
					lineMaxUnit: wirePrice(lineRange.max),
					lineInterval: wirePrice(lineRange.interval),
				}
			: {}),
		name: listing.name,
		eventName: fixture.title,
	};
}

/** All of a snapshot, which replaces what the client has of the market. */
export function imageOf({ marketId, sequence, definition, tv, runners }: MarketSnapshot): MarketChange {
	const filled = runners.map((runner) => {
		const change: RunnerChange = { ...runner };
		for (const ladder of LADDERS) if (change[ladder]?.length === 0) delete change[ladder];
		return change;
	});
	return {
		id: marketId,
		img: true,
		seq: sequence,
		...(definition === null ? {} : { marketDefinition: JSON.parse(definition) as object }),
		...(tv === null ? {} : { tv }),
		rc: filled,
	};
}

/** The difference; null for none. */
export function changeOf(before: MarketSnapshot, now: MarketSnapshot): MarketChange | null {
	const rc = now.runners.flatMap((runner, at) => runnerChange(before.runners[at], runner) ?? []);
	const change: Omit<MarketChange, 'seq'> = {
		id: now.marketId,
		...(now.definition !== null && now.definition !== before.definition
			? { marketDefinition: JSON.parse(now.definition) as object }
			: {}),
		...(now.tv !== null && now.tv !== before.tv ? { tv: now.tv } : {}),
		...(rc.length > 0 ? { rc } : {}),
	};
	return Object.keys(change).length > 1 ? { ...change, seq: now.sequence, prev: before.sequence } : null;
}

function runnerChange(before: RunnerChange | undefined, now: RunnerChange): RunnerChange | null {
	const change: RunnerChange = { id: now.id, ...(now.hc === undefined ? {} : { hc: now.hc }) };
	const named = Object.keys(change).length;
	for (const ladder of LADDERS) {
		const levels = now[ladder] && levelChanges(before?.[ladder] ?? [], now[ladder], BY_LEVEL.has(ladder));
		if (levels && levels.length > 0) change[ladder] = levels;
	}
	if (now.ltp !== undefined && now.ltp !== before?.ltp) change.ltp = now.ltp;
	if (now.tv !== undefined && now.tv !== before?.tv) change.tv = now.tv;
	if (now.spn !== undefined && now.spn !== before?.spn) change.spn = now.spn;
	if (now.spf !== undefined && now.spf !== before?.spf) change.spf = now.spf;
	return Object.keys(change).length > named ? change : null;
}

function levelChanges(before: readonly Level[], now: readonly Level[], isByLevel: boolean): Level[] {
	const known = new Map(before.map((level) => [level[0], level]));
	const changed = now.filter((level) => {
		const old = known.get(level[0]);
		known.delete(level[0]);
		return !old?.every((figure, at) => figure === level[at]);
	});
	const gone = [...known.keys()].map((name) => (isByLevel ? [name as number, 0, 0] : [name as number, 0]));
	return [...changed, ...gone];
}
