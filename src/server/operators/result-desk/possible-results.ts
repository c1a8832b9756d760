/** The results that a market can have, each as the ruling that pays it. */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketShape } from '#engine/market-types/market-type.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { Ruling } from '#server/world/markets/result-proposals.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import type { PlayResult } from '#values/play-result.ts';

/** More than these are no list that a person compares. */
const MOST = 40;
/** Quarters of a goal in a goal. */
const QUARTERS = 4;
/** A line in hundredths. */
const HUNDREDTHS = 100;

type Bet = Pick<BetRecord, 'runner' | 'price' | 'fills' | 'matched'>;

interface PossibleResults {
	/** Without the void, which is possible always. */
	rulings: Exclude<Ruling, 'VOID'>[];
	/** There are more. */
	isPartial: boolean;
}

/** @param removed runners that left: none of them wins */
export function possibleResults(
	listing: MarketListing,
	bets: readonly Bet[],
	removed: { has(runner: number): boolean },
): PossibleResults {
	const type = marketType(listing.type);
	const shape: MarketShape = { ...listing, runners: listing.runners.length };
	const rulings = new Map<string, Exclude<Ruling, 'VOID'>>();
	let isPartial = false;
	for (const ended of endsOf(listing, bets, removed)) {
		if (ended === 'MORE') {
			isPartial = true;
			break;
		}
		const results = type.resultOf(ended, shape);
		if (!results) continue;
		const isByNumber = Boolean(listing.lines ?? listing.lineRange);
		const key = canonicalJson(results);
		if (rulings.has(key)) continue;
		const { value } = ended;
		rulings.set(key, { results, ...(isByNumber && value !== undefined ? { value } : {}) });
	}
	return { rulings: [...rulings.values()], isPartial };
}

/** Ends of play that pay differently. */
function* endsOf(
	listing: MarketListing,
	bets: readonly Bet[],
	removed: { has(runner: number): boolean },
): Generator<PlayResult | 'MORE', undefined> {
	const { type, lines, lineRange, handicapQuarters = 0, numberOfWinners, runners, eachWayDivisor } = listing;
	if (lines ?? lineRange) yield* numbersAround(linesOfBets(listing, bets));
	else if (type === 'OVER_UNDER') yield* goalsAround(handicapQuarters / QUARTERS, 'value');
	else if (type === 'ASIAN_HANDICAP') yield* goalsAround(-handicapQuarters / QUARTERS, 'margin');
	else if (eachWayDivisor) yield 'MORE';
	else {
		const standing = runners.flatMap((_, runner) => (removed.has(runner) ? [] : [runner]));
		yield* combinations(standing, Math.max(1, numberOfWinners));
	}
}

/** The lines on which something is matched, rising, in whole numbers and fractions. */
function linesOfBets({ lines, lineRange }: MarketListing, bets: readonly Bet[]): number[] {
	const met = new Set<number>();
	for (const { matched, runner, price, fills } of bets) {
		if (matched === 0) continue;
		if (lineRange) for (const fill of fills ?? [{ price }]) met.add(fill.price / HUNDREDTHS);
		else met.add(lines?.[runner] ?? 0);
	}
	return [...met].sort((one, other) => one - other);
}

/** Below, on and above each line: every number pays as one of these. */
function* numbersAround(lines: readonly number[]): Generator<PlayResult | 'MORE', undefined> {
	const numbers = new Set(
		(lines.length === 0 ? [0] : lines).flatMap((line) => [Math.ceil(line) - 1, Math.ceil(line), Math.floor(line) + 1]),
	);
	let count = 0;
	for (const value of [...numbers].sort((one, other) => one - other)) {
		if (value < 0) continue;
		if (count++ === MOST) return yield 'MORE';
		yield { value };
	}
}

/** The whole numbers around a level: two away nothing changes any more. */
function* goalsAround(level: number, as: 'value' | 'margin'): Generator<PlayResult, undefined> {
	for (let number = Math.floor(level) - 1; number <= Math.ceil(level) + 1; number++)
		if (as === 'margin' || number >= 0) yield { [as]: number };
}

/** Each choice of `size` winners. */
function* combinations(from: readonly number[], size: number): Generator<PlayResult | 'MORE', undefined> {
	let count = 0;
	for (const winners of chosen(from, size)) {
		if (count++ === MOST) return yield 'MORE';
		yield { winners };
	}
}

function* chosen(from: readonly number[], size: number): Generator<number[], undefined> {
	if (size === 0) yield [];
	else
		for (const [at, first] of from.entries())
			for (const rest of chosen(from.slice(at + 1), size - 1)) yield [first, ...rest];
}
