/** What bets are worth on the reference exchange, and which it takes: computed each time, in BigInt. */

export interface ReferenceBet {
	id: number;
	user: number;
	market: number;
	runner: number;
	side: 'BACK' | 'LAY';
	/** Hundredths. */
	price: number;
	stake: number;
	persist: boolean;
	/** The least to be filled at once, or nothing at all; null for a bet that may wait. */
	minFill?: number | null;
	version?: number | undefined;
	/** It closes what is matched: no stake is too small. */
	isHedge?: boolean;
	remaining: number;
	/** With the removals that came after the match. */
	fills: { price: number; matchedAt: number; stake: number; later: ReferenceRemoval[] }[];
	/** When it reached the book: how many bets were placed before. */
	arrived: number;
	/** What happens when it would be matched as it arrives; null for a bet that may be. */
	postOnly?: 'REFUSE' | 'REPRICE' | null;
	/** Instead of its user's choice. */
	selfMatch?: 'REFUSE' | 'LAPSE_RESTING' | 'LAPSE_TAKING' | null;
	/** When what waits of it lapses; null for never. */
	expiresAt?: number | null;
	/** What waits of it lapses once others have matched a volume of its runner since; null for never. */
	untilMatched?: number | null;
	/** The group of its user that it is of. */
	group?: string | null;
	/** How many matches there were before it. */
	matchesBefore?: number;
	/** CLOSE: it waits outside the book for the starting price, and is asked at evens; REST: what waits of it takes that price. */
	atStart?: 'CLOSE' | 'REST' | null;
	/** Of a bet on close: the worst starting price that it takes; null for any. */
	limit?: number | null;
	/** While it waits out a delay: until when, and the market's version at its beginning. */
	delay: { until: number; version: number } | null;
}

/** A runner that was taken out, with its factor; 0 once it takes part again. */
export interface ReferenceRemoval {
	runner: number;
	bp: number;
}

export interface ReferenceMarket {
	id: number;
	pools: string[];
	runners: number;
	commissionBp: number;
	minStake: number;
	maxStake: number;
	selfMatch: boolean;
	/** 0 for any number of them, −1 for lines of which a result reaches the first so many. */
	winners: number;
	/** Each way: the divisor of the odds less one for one of `winners` places; 1 in all other markets. */
	divisor: number;
	isEachWay: boolean;
	/** Of one bet and of one player, minor units; 0 sets no limit. */
	maxProfit: number;
	maxExposure: number;
	/** Stakes too small for their price are refused. */
	fairProfits: boolean;
	/** Where the house is the other side of every bet: its user of each pool; null in other markets. */
	houses: Record<string, number> | null;
	ladder: string;
	/** Where prices are lines, in hundredths; null in other markets. */
	lines: { min: number; max: number; interval: number } | null;
	/** In-play: how long bets wait, and whether those that meet nothing need not. */
	delayMs: number;
	passiveGoesIn: boolean;
	/** Runners get starting prices at the turn in-play. */
	startingPrice: boolean;
	/** From which reductions on matched prices, and waiting lays, are reduced; null where a removal changes no price. */
	reductions: { matched: number; waiting: number; ofWinnings: boolean } | null;
	removed: Map<number, ReferenceRemoval>;
	suspended: Set<number>;
	/** Those that an operator suspended. */
	heldRunners: Set<number>;
	status: string;
	inPlay: boolean;
	version: number;
}

export interface ReferenceUser {
	id: number;
	pool: string;
	/** Everything he owns in minor units, held or free. */
	funds: bigint;
	commissionBp: number | null;
	/** Their own, minor units; 0 sets no limit. */
	limits: { maxStake: number; maxProfit: number; maxExposure: number };
	/** What lapses when a bet of his would be matched with another one of his; REFUSE refuses it. */
	selfMatch: 'REFUSE' | 'LAPSE_RESTING' | 'LAPSE_TAKING';
}

export interface ReferenceFill {
	taker: number;
	maker: number;
	price: number;
	stake: number;
}

/** Of any bet, minor units. */
export const LARGEST_STAKE = 1_000_000_000;
export const OVER = new Set(['CLOSED', 'SETTLED', 'VOIDED']);

/** Every price of the ladder in hundredths, band by band. */
export function onLadder(price: number): boolean {
	const bands = [
		[101, 200, 1],
		[200, 300, 2],
		[300, 400, 5],
		[400, 600, 10],
		[600, 1000, 20],
		[1000, 2000, 50],
		[2000, 3000, 100],
		[3000, 5000, 200],
		[5000, 10000, 500],
		[10000, 100000, 1000],
	] as const;
	return bands.some(([from, to, step]) => price >= from && price <= to && (price - from) % step === 0);
}

/** The next price that a market takes, above or below another; null at the end. */
export function nextPrice(market: ReferenceMarket, price: number, direction: 1 | -1): number | null {
	for (let next = price + direction; next > 0 && next <= 100_000; next += direction)
		if (takes(market, next)) return next;
	return null;
}

export function takes({ lines, ladder }: ReferenceMarket, price: number): boolean {
	const everyHundredth = Number.isInteger(price) && price >= 101;
	if (ladder === 'FINE') return everyHundredth && price <= 100_000;
	if (ladder === 'RATES') return everyHundredth && price <= 1099;
	if (!lines) return onLadder(price);
	return price >= lines.min && price <= lines.max && (price - lines.min) % lines.interval === 0;
}

/** The share of a runner's bets in a win and, each way, in a place, in sixtieths: up to five that tie divide them. */
export interface ReferenceShare {
	won: number;
	placed: number;
	isVoid: boolean;
}

export const WHOLE = 60;
export const LOST: ReferenceShare = { won: 0, placed: 0, isVoid: false };
export const PLACED: ReferenceShare = { won: 0, placed: WHOLE, isVoid: false };
export const WON: ReferenceShare = { won: WHOLE, placed: WHOLE, isVoid: false };

/** A way a market can end: by runner, or by the number that comes. */
export type ReferenceOutcome = readonly ReferenceShare[] | number;

/** Of a minor unit, what sums are counted in. */
export const unitOf = ({ divisor }: Pick<ReferenceMarket, 'divisor'>): bigint => BigInt(100 * divisor * WHOLE);

/** Runners that may still win. */
const standingOf = ({ runners, removed }: ReferenceMarket): number[] =>
	Array.from({ length: runners }, (_, runner) => runner).filter((runner) => !removed.has(runner));

/** With no more runners than places a place is worth nothing. */
export const paysPlaces = (market: ReferenceMarket, standing = standingOf(market).length): boolean =>
	market.isEachWay && standing > market.winners;

/** The result of a part of a bet for its owner. */
export function result(
	{ divisor }: ReferenceMarket,
	{ side, runner }: ReferenceBet,
	price: number,
	stake: number,
	outcome: ReferenceOutcome,
	places: boolean,
): bigint {
	if (typeof outcome === 'number') {
		const forSeller = outcome * 100 < price ? stake : outcome * 100 > price ? -stake : 0;
		return BigInt(side === 'BACK' ? forSeller : -forSeller) * BigInt(100 * WHOLE);
	}
	const share = outcome[runner] ?? LOST;
	if (share.isVoid) return 0n;
	const paid = BigInt(stake * 100 * divisor) * BigInt(WHOLE);
	let asBacker = BigInt(stake * price * divisor) * BigInt(share.won) - paid;
	// The second bet of the two: to be placed, at a fraction of the odds.
	if (places) asBacker += BigInt(stake * (100 * divisor + price - 100)) * BigInt(share.placed) - paid;
	return side === 'BACK' ? asBacker : -asBacker;
}

/** Whether a bet could win more than this many minor units; 0 sets no limit. */
export function winsMoreThan(market: ReferenceMarket, bet: ReferenceBet, limit: number): boolean {
	if (limit === 0) return false;
	const shares = market.isEachWay ? [WON, PLACED, LOST] : [WON, LOST];
	const ways: ReferenceOutcome[] = market.lines
		? [0, market.lines.max / 100 + 1]
		: shares.map((share) => Array(market.runners).fill(share));
	const profits = ways.map((way) => result(market, bet, bet.price, bet.stake, way, market.isEachWay));
	return profits.some((profit) => profit > BigInt(limit) * unitOf(market));
}

/** Whether whole minor units are more than a fifth below the exact profit of a backer, or more than a quarter above it. */
export function isUnfair(price: number, stake: number): boolean {
	const exact = stake * (price - 100);
	const rounded = Math.floor((exact + 50) / 100) * 100;
	return rounded * 5 < exact * 4 || rounded * 4 > exact * 5;
}

/** What bets come to in an outcome, with every unmatched part as if only its loss could be matched. */
export function worth(market: ReferenceMarket, bets: readonly ReferenceBet[], outcome: ReferenceOutcome): bigint {
	const places = paysPlaces(market);
	let sum = 0n;
	for (const bet of bets) {
		for (const fill of bet.fills) sum += result(market, bet, fill.price, fill.stake, outcome, places);
		if (bet.remaining === 0) continue;
		const unmatched = result(market, bet, bet.price, Math.abs(bet.remaining), outcome, places);
		// What is counted out of a plan is below zero.
		if (unmatched < 0n) sum += bet.remaining > 0 ? unmatched : -unmatched;
	}
	return sum;
}

/** Every way a market can end without a tie. */
export function outcomesOf(market: ReferenceMarket): ReferenceOutcome[] {
	const { runners, winners, lines } = market;
	const outcomes: ReferenceOutcome[] = [];
	if (lines) return Array.from({ length: lines.max / 100 + 2 }, (_, number) => number);
	const standing = standingOf(market);
	const shared = (of: (runner: number) => ReferenceShare) => Array.from({ length: runners }, (_, runner) => of(runner));
	for (let bits = 0; bits < 2 ** runners; bits++) {
		const chosen = standing.filter((runner) => (bits >> runner) & 1);
		if (chosen.length !== bitsOf(bits)) continue;
		const isFirst = chosen.every((runner, at) => runner === at);
		const places = Math.min(winners, standing.length);
		const fits = winners === 0 || (winners === -1 ? isFirst : chosen.length === places);
		if (!fits) continue;
		if (!market.isEachWay) outcomes.push(shared((runner) => (chosen.includes(runner) ? WON : LOST)));
		else
			for (const first of chosen)
				outcomes.push(shared((runner) => (runner === first ? WON : chosen.includes(runner) ? PLACED : LOST)));
	}
	return outcomes;
}

/** The worst result of bets in a market, whole minor units above zero. */
export function worstOf(market: ReferenceMarket, bets: readonly ReferenceBet[]): bigint {
	let worst = 0n;
	if (market.winners === 0) {
		// Any number may win: each runner is a market of its own, and none covers for another.
		for (let runner = 0; runner < market.runners; runner++) {
			const ofRunner = bets.filter((bet) => bet.runner === runner);
			const ways = [LOST, WON].map((share) => worth(market, ofRunner, Array(market.runners).fill(share)));
			worst += ways.reduce((a, b) => (b < a ? b : a), 0n);
		}
	} else
		for (const way of outcomesOf(market)) {
			const sum = worth(market, bets, way);
			if (sum < worst) worst = sum;
		}
	const unit = unitOf(market);
	return (-worst + unit - 1n) / unit;
}

const bitsOf = (bits: number): number => (bits === 0 ? 0 : (bits & 1) + bitsOf(bits >> 1));

/** What each runner gets by a result; null when it is none of this market. */
export function outcomeOf(market: ReferenceMarket, results: readonly string[]): ReferenceOutcome | null {
	const { winners, lines } = market;
	if (lines) return numberOf(lines, results);
	if (results.every((said) => said === 'VOID')) return results.map(() => ({ ...LOST, isVoid: true }));
	if (results.some((said, runner) => market.removed.has(runner) && said !== 'LOSE' && said !== 'VOID')) return null;
	const count = (wanted: string) => results.filter((said) => said === wanted).length;
	const [first, behind, tied] = [count('WIN'), count('PLACED'), count('TIE')];
	const running = results.filter((said, runner) => said !== 'VOID' && !market.removed.has(runner)).length;
	const shares = (win: number, place: number, tie: number): ReferenceShare[] =>
		results.map((said) => {
			if (said === 'VOID') return { ...LOST, isVoid: true };
			if (said === 'WIN') return { won: win, placed: place, isVoid: false };
			if (said === 'TIE') return market.isEachWay ? { ...LOST, placed: tie } : { ...LOST, won: tie };
			return said === 'PLACED' ? PLACED : LOST;
		});
	if (market.isEachWay) {
		if (first === 0) return null;
		const left = winners - first - behind;
		const addsUp = tied > 0 ? left > 0 && left < tied : left === 0 || (left < 0 && behind === 0);
		if (paysPlaces(market, running) && !addsUp) return null;
		return shares(WHOLE / first, (WHOLE * Math.min(first, winners)) / first, tied > 0 ? (WHOLE * left) / tied : 0);
	}
	if (behind > 0) return null;
	if (winners <= 0) {
		const isRising = results.every((said, line) => said === 'WIN' || results[line + 1] !== 'WIN');
		return tied > 0 || (winners === -1 && !isRising) ? null : shares(WHOLE, WHOLE, 0);
	}
	if (tied > 0) {
		const left = winners - first;
		return left > 0 && left < tied ? shares(WHOLE, WHOLE, (WHOLE * left) / tied) : null;
	}
	// Which of them are tied for the last of several places is not said.
	if (first > winners) return winners > 1 ? null : shares(WHOLE / first, 0, 0);
	return first === Math.min(winners, running) ? shares(WHOLE, WHOLE, 0) : null;
}

/** The smallest number that passes just the lines that won, and equals the one that is void. */
function numberOf({ min, interval }: { min: number; interval: number }, results: readonly string[]): number {
	const lineAt = (tick: number) => (min + tick * interval) / 100;
	const equalled = results.indexOf('VOID');
	if (equalled >= 0) return lineAt(equalled);
	const passed = results.lastIndexOf('WIN');
	return passed < 0 ? 0 : Math.floor(lineAt(passed)) + 1;
}

/** A price less `basisPoints` of itself, or of what it wins; times 10,000. */
export const less = (price: number, bp: number, ofWinnings: boolean): number =>
	price * 10_000 - bp * (ofWinnings ? price - 100 : price);

/** The same, on the ladder or down to its next price. */
export function tickBelow(price: number, bp: number, ofWinnings: boolean): number {
	let tick = Math.floor(less(price, bp, ofWinnings) / 10_000);
	while (tick > 101 && !onLadder(tick)) tick--;
	return Math.max(101, tick);
}

/** Nearest whole minor unit; an exact half goes down, because that is the house's way from either side. */
export function roundedToHouse(exact: bigint, unit: bigint): bigint {
	let minor = exact / unit;
	if (minor * unit > exact) minor -= 1n;
	return (exact - minor * unit) * 2n > unit ? minor + 1n : minor;
}

/** A bet as it is asked for. */
export type Asked = Omit<ReferenceBet, 'remaining' | 'fills' | 'arrived' | 'delay'>;

/** The same, as it comes. */
export const arriving = (bet: Asked): ReferenceBet => ({
	...bet,
	remaining: bet.stake,
	fills: [],
	arrived: bet.id,
	delay: null,
});

/** Matched or waiting. */
export const isLive = (bet: ReferenceBet): boolean => bet.remaining > 0 || bet.fills.length > 0;

export function cancelRemaining(bet: ReferenceBet): void {
	bet.remaining = 0;
	bet.delay = null;
}
