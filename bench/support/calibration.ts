/** How often outcomes of a chance happen: simulated fixtures, each read once, counted by bands of chance. */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketState, SimulatedSport } from '#sports/play.ts';
import { type Draw, pick, randomFrom, seedOf } from '#sports/random.ts';

export interface Band {
	from: number;
	to: number;
	/** The outcomes of this band, the mean of their chances, and how many of them happened; half bets count half. */
	seen: number;
	expected: number;
	happened: number;
}

const BANDS = [
	[0.2, 0.3],
	[0.45, 0.55],
	[0.7, 0.8],
] as const;
/** Fixtures are read between their first step and this share of the longest one's. */
const LATEST_LOOK = 0.9;
const SOUNDINGS = 20;

/** Bands of each kind of market, and of all kinds together under this name. */
export type Calibration = Map<string, Band[]>;
export const ALL_KINDS = 'ALL';

/** @param fixtures how many are played, numbered from 0 */
export function calibrate(sport: SimulatedSport, fixtures: number, seed: number): Calibration {
	const kinds: Calibration = new Map([[ALL_KINDS, emptyBands()]]);
	const draw = randomFrom(seedOf(seed, sport.sportId));
	const longest = Math.max(...Array.from({ length: SOUNDINGS }, (_, number) => lengthOf(sport, seed, number)));
	for (let number = 0; number < fixtures; number++) {
		const play = sport.begin(seed, number);
		const look = Math.floor(draw() * longest * LATEST_LOOK);
		while (play.steps < look && !play.isEnded) play.step();
		const priced = play.isEnded ? [] : play.state().markets.flatMap((market) => pricedRunner(market, draw));
		if (priced.length === 0) continue;
		while (!play.isEnded) play.step();
		const ended = new Map(play.state().markets.map((market) => [market.name, market]));
		for (const { name, type, runner, chance } of priced) {
			const kind = kinds.get(type) ?? emptyBands();
			kinds.set(type, kind);
			const result = resultOf(ended.get(name), runner, chance);
			for (const bands of [kind, kinds.get(ALL_KINDS) ?? []]) count(bands, chance, result);
		}
	}
	for (const bands of kinds.values()) for (const band of bands) band.expected /= Math.max(1, band.seen);
	return kinds;
}

/** The difference in standard deviations of a share of that many outcomes; 0 without outcomes. */
export function deviationsOf({ seen, expected, happened }: Band): number {
	return seen === 0 ? 0 : Math.abs(happened / seen - expected) / Math.sqrt((expected * (1 - expected)) / seen);
}

const emptyBands = (): Band[] => BANDS.map(([from, to]) => ({ from, to, seen: 0, expected: 0, happened: 0 }));

function lengthOf(sport: SimulatedSport, seed: number, number: number): number {
	const play = sport.begin(seed, number);
	while (!play.isEnded) play.step();
	return play.steps;
}

/** One runner of a market: those of one market are not independent of each other. */
function pricedRunner({ name, type, chances, result }: MarketState, draw: Draw) {
	if (!chances || result) return [];
	const open = chances
		.map((chance, runner) => ({ chance, runner }))
		.filter(({ chance }) => chance > 0.05 && chance < 0.95);
	const picked = pick(open, draw);
	return picked ? [{ name, type, ...picked }] : [];
}

/**
 * The share of a bet that counts, and the won part of it; nothing for a void bet. An each-way bet is two, and their
 * return counts as a share of what a winning bet of their price returns.
 */
function resultOf(market: MarketState | undefined, runner: number, chance: number): { counts: number; won: number } {
	if (!market?.result) throw new Error(`${market?.name ?? 'A market'} has not ended.`);
	const results = marketType(market.type).resultOf(market.result, { ...market, runners: market.runners.length });
	const result = results?.[runner];
	if (market.eachWayDivisor !== undefined && result !== 'VOID') {
		const placePart = result === 'WIN' || result === 'PLACED' ? chance + (1 - chance) / market.eachWayDivisor : 0;
		return { counts: 1, won: ((result === 'WIN' ? 1 : 0) + placePart) / 2 };
	}
	switch (result) {
		case 'WIN':
			return { counts: 1, won: 1 };
		case 'LOSE':
			return { counts: 1, won: 0 };
		case 'HALF_WIN':
			return { counts: 0.5, won: 0.5 };
		case 'HALF_LOSE':
			return { counts: 0.5, won: 0 };
		default:
			return { counts: 0, won: 0 };
	}
}

function count(bands: readonly Band[], chance: number, { counts, won }: { counts: number; won: number }): void {
	for (const band of bands) {
		if (chance < band.from || chance >= band.to) continue;
		band.seen += counts;
		band.expected += chance * counts;
		band.happened += won;
	}
}
