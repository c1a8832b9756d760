/** The markets of the random scenarios: a set for each sort. */
import type { OpenMarket } from '#engine/command.ts';
import { ON_A_LINE } from '#values/figures.ts';
import type { LineRange } from '#values/line-range.ts';
import type { Pool } from '#values/pools.ts';

export interface RandomMarket {
	marketId: number;
	runners: number;
	/** As the engine takes it: 0 for any number, −1 for rising lines. */
	winners: number;
	eachWay?: number;
	lines?: LineRange;
	pools: readonly Pool[];
	/** What else it is opened with. */
	terms?: Partial<OpenMarket>;
}
export const MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY', 'DEMO'] },
	{ marketId: 2, runners: 2, winners: 1, pools: ['PLAY'] },
];
/** Markets with another number of winners, and the orders that go with newer screens. */
export const WIDER_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY', 'DEMO'] },
	{ marketId: 2, runners: 4, winners: 2, pools: ['PLAY'] },
	{ marketId: 3, runners: 3, winners: 0, pools: ['PLAY'] },
	{ marketId: 4, runners: 4, winners: -1, pools: ['PLAY', 'DEMO'] },
	{ marketId: 5, runners: 4, winners: 2, eachWay: 4, pools: ['PLAY'] },
	{ marketId: 6, runners: 1, winners: ON_A_LINE, lines: { min: 150, max: 450, interval: 50 }, pools: ['PLAY', 'DEMO'] },
];
const OF_PLACE = { reduces: 'WINNINGS', minReductionBp: 0, lapseReductionBp: 400 } as const;
/** Markets in-play with a delay, of which some may lose runners. */
export const RACING_MARKETS: readonly RandomMarket[] = [
	{
		marketId: 1,
		runners: 4,
		winners: 1,
		pools: ['PLAY'],
		terms: { betDelayMs: 2000, passiveGoesIn: true, reducible: true },
	},
	{ marketId: 2, runners: 4, winners: 2, pools: ['PLAY'], terms: { betDelayMs: 5000, reducible: true, ...OF_PLACE } },
	{
		marketId: 3,
		runners: 5,
		winners: 3,
		eachWay: 5,
		pools: ['PLAY'],
		terms: { betDelayMs: 1000, passiveGoesIn: true, reducible: true },
	},
	{ marketId: 4, runners: 3, winners: 1, pools: ['PLAY', 'DEMO'], terms: { betDelayMs: 3000, passiveGoesIn: true } },
	{
		marketId: 5,
		runners: 1,
		winners: ON_A_LINE,
		lines: { min: 150, max: 450, interval: 50 },
		pools: ['PLAY'],
		terms: { betDelayMs: 2000 },
	},
];

const LIMITS = { minStake: 50, maxStake: 6000, maxProfit: 12_000, maxExposure: 15_000 };
const BY_HOUSE = { houses: [11, 21], ladder: 'RATES' } as const;
/** Every type of market, with limits, delays, and unfair profits refused; the house is the other side in some. */
export const LIMITED_MARKETS: readonly RandomMarket[] = [
	{
		marketId: 1,
		runners: 4,
		winners: 1,
		pools: ['PLAY', 'DEMO'],
		terms: { betDelayMs: 2000, passiveGoesIn: true, reducible: true, profitRatioRule: true, ...LIMITS },
	},
	{ marketId: 2, runners: 3, winners: 1, pools: ['PLAY'], terms: { ...LIMITS, minStake: 1, profitRatioRule: true } },
	{
		marketId: 3,
		runners: 4,
		winners: 2,
		pools: ['PLAY'],
		terms: { betDelayMs: 1000, reducible: true, ...OF_PLACE, ...LIMITS },
	},
	{ marketId: 4, runners: 4, winners: 0, pools: ['PLAY'], terms: { ladder: 'FINE', ...LIMITS } },
	{ marketId: 5, runners: 5, winners: 3, eachWay: 5, pools: ['PLAY'], terms: { reducible: true, ...LIMITS } },
	{
		marketId: 6,
		runners: 1,
		winners: ON_A_LINE,
		lines: { min: 150, max: 450, interval: 50 },
		pools: ['PLAY'],
		terms: { betDelayMs: 2000, passiveGoesIn: true, profitRatioRule: true, ...LIMITS },
	},
	{
		marketId: 7,
		runners: 4,
		winners: -1,
		pools: ['PLAY'],
		terms: { model: 'FANCY', betDelayMs: 1000, profitRatioRule: true, ...BY_HOUSE, houses: [11], ...LIMITS },
	},
	{
		marketId: 8,
		runners: 3,
		winners: 1,
		pools: ['PLAY', 'DEMO'],
		terms: { model: 'BOOKMAKER', ...BY_HOUSE, ...LIMITS },
	},
];

/** Markets with triggers, some with delays and runners that leave. */
export const TRIGGER_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY'], terms: { selfMatch: 'ALLOW' } },
	{
		marketId: 2,
		runners: 2,
		winners: 1,
		pools: ['PLAY', 'DEMO'],
		terms: { betDelayMs: 1000, reducible: true, ...LIMITS },
	},
	{
		marketId: 3,
		runners: 1,
		winners: ON_A_LINE,
		lines: { min: 150, max: 450, interval: 50 },
		pools: ['PLAY'],
		terms: { betDelayMs: 1000, passiveGoesIn: true },
	},
	{ marketId: 4, runners: 3, winners: 2, pools: ['PLAY'], terms: { model: 'BOOKMAKER', ...BY_HOUSE, houses: [11] } },
];

/** Markets with plans: the first as plain as can be, the others with delays, runners that leave, limits and lines. */
export const PLAN_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 2, winners: 1, pools: ['PLAY'], terms: { selfMatch: 'ALLOW' } },
	{
		marketId: 2,
		runners: 3,
		winners: 1,
		pools: ['PLAY', 'DEMO'],
		terms: { betDelayMs: 1000, reducible: true, profitRatioRule: true, ...LIMITS },
	},
	{ marketId: 3, runners: 4, winners: 2, pools: ['PLAY'], terms: { betDelayMs: 1000, passiveGoesIn: true } },
	{ marketId: 4, runners: 1, winners: ON_A_LINE, lines: { min: 150, max: 450, interval: 50 }, pools: ['PLAY'] },
];

const NO_SELF_MATCH = { selfMatch: 'REFUSE' } as const;
/** Markets whose bets are post-only or good till a time, and meet their own; some with delays. */
export const TERMS_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY'], terms: { betDelayMs: 2000, ...NO_SELF_MATCH } },
	{
		marketId: 2,
		runners: 2,
		winners: 1,
		pools: ['PLAY'],
		terms: { betDelayMs: 2000, passiveGoesIn: true, ...LIMITS, ...NO_SELF_MATCH },
	},
	{
		marketId: 3,
		runners: 1,
		winners: ON_A_LINE,
		lines: { min: 150, max: 450, interval: 50 },
		pools: ['PLAY', 'DEMO'],
		terms: NO_SELF_MATCH,
	},
	{ marketId: 4, runners: 3, winners: 1, pools: ['PLAY'], terms: { model: 'BOOKMAKER', ...BY_HOUSE, houses: [11] } },
];

const STARTS = { startingPrice: true, ...NO_SELF_MATCH } as const;
/** Markets with starting prices, some with runners that leave, several winners, limits and two pools; and one without. */
export const START_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY'], terms: { reducible: true, ...STARTS } },
	{
		marketId: 2,
		runners: 4,
		winners: 2,
		pools: ['PLAY'],
		terms: { reducible: true, ...OF_PLACE, ...STARTS, selfMatch: 'ALLOW' },
	},
	{ marketId: 3, runners: 2, winners: 1, pools: ['PLAY', 'DEMO'], terms: { ...LIMITS, ...STARTS } },
	{ marketId: 4, runners: 3, winners: 1, pools: ['PLAY'], terms: { betDelayMs: 2000, profitRatioRule: true } },
];

/** Markets for every kind of order at once: with the auction of a starting price, delays, runners that leave, limits and lines. */
export const MIXED_MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY'], terms: { reducible: true, ...STARTS } },
	{
		marketId: 2,
		runners: 2,
		winners: 1,
		pools: ['PLAY', 'DEMO'],
		terms: { betDelayMs: 1000, passiveGoesIn: true, startingPrice: true, selfMatch: 'ALLOW' },
	},
	{
		marketId: 3,
		runners: 4,
		winners: 2,
		pools: ['PLAY'],
		terms: { betDelayMs: 1000, reducible: true, ...OF_PLACE, ...LIMITS, ...NO_SELF_MATCH },
	},
	{ marketId: 4, runners: 1, winners: ON_A_LINE, lines: { min: 150, max: 450, interval: 50 }, pools: ['PLAY'] },
];
