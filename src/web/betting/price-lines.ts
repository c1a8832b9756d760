/**
 * The geometry of a price chart: histories of runners as step lines of implied probability within a stretch of time. Pure;
 * shares go from 0 to 1 over width and height, so any drawing can scale them.
 */
import type { Minor } from '#values/money.ts';
import { decimalFromPrice, type Price } from '#values/price-ladder.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type PriceHistory = AnswerOf<'getPriceHistory'>;
export type PricePoint = PriceHistory['runners'][number]['points'][number];

export const RANGES = { '5m': 5 * 60_000, '1h': 3_600_000, all: null } as const;
export type Range = keyof typeof RANGES;

/** An axis spans ten points of a hundred at least, so that the bounce between two prices is no mountain. */
const LEAST_SPAN = 10;
/** Bars of volume over the width of a chart: of a minute or more. */
const MOST_VOLUME_BARS = 48;
const LEAST_BAR_MS = 60_000;
const LEAST_ALL_MS = 60_000;
const MOST_CORNERS = 400;

/** The chance implied by a price, in per cent. */
export const impliedChance = (price: Price): number => 100 / decimalFromPrice(price);
/** The odds of a chance in percent, above nought. */
export const priceOfChance = (chance: number): Price => Math.round(10_000 / chance) as Price;

interface PriceLine {
	runnerId: string;
	/** Corners of the step line: share of the time, chance. */
	corners: { at: number; chance: number }[];
	/** At its end, and at its beginning. */
	now: number;
	before: number;
}

export interface PriceChart {
	lines: PriceLine[];
	/** The axis, chances of a hundred. */
	low: number;
	high: number;
	fromMs: number;
	untilMs: number;
	/** Shares of the highest bar, oldest first. */
	volumes: number[];
	/** The highest of them. */
	mostVolume: Minor;
}

/**
 * @param runnerIds those that get a line, in their order; volume counts all
 * @param whole the runners of which one wins: their chances add up to a hundred, on an axis from nought to there; null
 *   for chances as the prices have them, on an axis that fits them
 */
export function priceChart(
	{ runners }: Pick<PriceHistory, 'runners'>,
	runnerIds: readonly string[],
	range: Range,
	nowMs: number,
	whole: readonly string[] | null = null,
): PriceChart {
	const first = Math.min(nowMs, ...runners.flatMap(({ points }) => (points[0] ? [Date.parse(points[0].at)] : [])));
	const fromMs = nowMs - (RANGES[range] ?? Math.max(LEAST_ALL_MS, nowMs - first));
	const time = { fromMs, untilMs: nowMs };
	const series = new Map(runners.map(({ runnerId, points }) => [runnerId, seriesOf(points)]));
	const shown = whole ? addedUp(series, whole, time) : series;
	const lines = runnerIds.flatMap((runnerId) => {
		const line = lineOf(runnerId, shown.get(runnerId) ?? [], time);
		return line ? [line] : [];
	});
	const all = lines.flatMap(({ corners }) => corners.map(({ chance }) => chance));
	return { lines, ...(whole ? { low: 0, high: 100 } : axisOf(all)), ...time, ...volumesOf(runners, time) };
}

/** The chance from each moment on. */
type Series = readonly { atMs: number; chance: number }[];

const seriesOf = (points: readonly PricePoint[]): Series =>
	points.map(({ at, price }) => ({ atMs: Date.parse(at), chance: impliedChance(price) }));

const heldAt = (series: Series, atMs: number): number | null =>
	series.findLast((each) => each.atMs <= atMs)?.chance ?? null;

/**
 * A trade moves the chances of all runners, so each gets a corner at every trade: one a pixel at most. As long as a
 * runner was never traded, the others' chances stand as they are.
 */
function addedUp(
	series: ReadonlyMap<string, Series>,
	whole: readonly string[],
	{ fromMs, untilMs }: Stretch,
): Map<string, Series> {
	const slotMs = (untilMs - fromMs) / MOST_CORNERS;
	// The last moment of each slot; whatever was before the stretch is one.
	const moments = new Map<number, number>();
	for (const { atMs } of whole.flatMap((runnerId) => series.get(runnerId) ?? [])) {
		const slot = Math.max(-1, Math.floor((atMs - fromMs) / slotMs));
		moments.set(slot, Math.max(atMs, moments.get(slot) ?? atMs));
	}
	const sums = [...moments.values()]
		.sort((one, other) => one - other)
		.map((atMs) => {
			const chances = whole.map((runnerId) => heldAt(series.get(runnerId) ?? [], atMs));
			const isKnown = !chances.includes(null);
			return { atMs, sum: isKnown ? chances.reduce<number>((sum, chance) => sum + (chance ?? 0), 0) : 100 };
		});
	return new Map(
		whole.map((runnerId) => {
			const own = series.get(runnerId) ?? [];
			const scaled = sums.flatMap(({ atMs, sum }) => {
				const chance = heldAt(own, atMs);
				return chance === null ? [] : [{ atMs, chance: (chance / sum) * 100 }];
			});
			return [runnerId, scaled] as const;
		}),
	);
}

interface Stretch {
	fromMs: number;
	untilMs: number;
}

/** A price holds until the next one; the last one before the period is shown at its beginning. */
function lineOf(runnerId: string, series: Series, { fromMs, untilMs }: Stretch): PriceLine | null {
	const earlier = series.findLast(({ atMs }) => atMs <= fromMs);
	const within = series.filter(({ atMs }) => atMs > fromMs);
	const [begin] = earlier ? [earlier] : within;
	if (!begin) return null;
	const corners: PriceLine['corners'] = [];
	let { chance } = begin;
	if (earlier) corners.push({ at: 0, chance });
	for (const { atMs, chance: next } of within) {
		const share = Math.min(1, (atMs - fromMs) / (untilMs - fromMs));
		if (corners.length > 0) corners.push({ at: share, chance });
		chance = next;
		corners.push({ at: share, chance });
	}
	corners.push({ at: 1, chance });
	return { runnerId, corners, now: chance, before: begin.chance };
}

/** The chance at a share of the time; null before the runner's first price. */
export const chanceAt = ({ corners }: PriceLine, at: number): number | null =>
	corners.findLast((corner) => corner.at <= at)?.chance ?? null;

/** A line as the path of an SVG of that width; @param yOf the position of a chance */
export const pathOf = ({ corners }: PriceLine, width: number, yOf: (chance: number) => number): string =>
	corners
		.map(({ at, chance }, step) => `${step === 0 ? 'M' : 'L'}${(at * width).toFixed(1)} ${yOf(chance).toFixed(1)}`)
		.join('');

function axisOf(chances: readonly number[]): { low: number; high: number } {
	const [least, most] = chances.length > 0 ? [Math.min(...chances), Math.max(...chances)] : [45, 55];
	const missing = Math.max(0, LEAST_SPAN - (most - least)) / 2;
	const low = Math.max(0, Math.floor((least - missing) / 5) * 5);
	const high = Math.min(100, Math.ceil((most + missing) / 5) * 5);
	return { low, high };
}

function volumesOf(runners: PriceHistory['runners'], { fromMs, untilMs }: Stretch) {
	const bars = Math.max(1, Math.min(MOST_VOLUME_BARS, Math.ceil((untilMs - fromMs) / LEAST_BAR_MS)));
	const sums = Array.from({ length: bars }, () => 0);
	for (const { at, volume } of runners.flatMap(({ points }) => points)) {
		const bar = Math.floor(((Date.parse(at) - fromMs) / (untilMs - fromMs)) * bars);
		if (bar >= 0) sums[Math.min(bar, bars - 1)] = (sums[Math.min(bar, bars - 1)] as number) + volume;
	}
	const most = Math.max(1, ...sums);
	return { volumes: sums.map((sum) => sum / most), mostVolume: most as Minor };
}

/** The runners with the best chances, in the market's order. */
export function mostLikely({ runners }: Pick<PriceHistory, 'runners'>, count: number): string[] {
	const chance = ({ points }: PriceHistory['runners'][number]) => {
		const last = points.at(-1);
		return last ? impliedChance(last.price) : 0;
	};
	const ranked = runners
		.filter(({ points }) => points.length > 0)
		.sort((one, other) => chance(other) - chance(one))
		.slice(0, count)
		.map(({ runnerId }) => runnerId);
	const best = new Set(ranked);
	return runners.map(({ runnerId }) => runnerId).filter((runnerId) => best.has(runnerId));
}
