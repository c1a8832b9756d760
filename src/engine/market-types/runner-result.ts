/**
 * How a result settles bets on runners, of which one, several or any number win. The exposure of such bets is in
 * src/values/exposure.ts, because the bet slip shows the same figure.
 */

import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import { eachWayPayable } from '#engine/market-types/each-way-result.ts';
import { isLineResult, lineProfit } from '#engine/market-types/line-result.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import { ANY_NUMBER, RISING } from '#values/figures.ts';
import { lineCount } from '#values/line-range.ts';
import type { AnyMinor } from '#values/money.ts';
import { BACK } from '#values/sides.ts';

/**
 * What a result pays; null when it does not cover every runner, or names more or fewer winners than the market has.
 * More WINs than places are a dead heat of all of them, as results were paid before a tie had to be named.
 */
export function payableOf(
	results: readonly RunnerResult[],
	{ runners, numberOfWinners: winners, eachWayDivisor, ladder }: MarketTerms,
	removed: { has(runner: number): boolean },
): Payable | null {
	if (typeof ladder !== 'string') {
		const isVoid = results.length === lineCount(ladder) && results.every((result) => result === 'VOID');
		return isVoid || isLineResult(ladder, results) ? { results, places: 1, parts: 1, line: ladder } : null;
	}
	if (
		results.length !== runners ||
		results.some((result, runner) => result !== 'LOSE' && result !== 'VOID' && removed.has(runner))
	) {
		return null;
	}
	const count = (wanted: RunnerResult) => results.filter((result) => result === wanted).length;
	const [wins, ties, voids] = [count('WIN'), count('TIE'), count('VOID')];
	const standing = results.filter((result, runner) => result !== 'VOID' && !removed.has(runner)).length;
	if (voids === runners) return { results, places: 1, parts: 1 };
	if (eachWayDivisor > 0) return eachWayPayable(results, winners, eachWayDivisor, removed);
	if (results.includes('PLACED')) return null;
	if (results.some((result) => result === 'HALF_WIN' || result === 'HALF_LOSE')) return halvesOf(results, winners);
	if (winners === RISING) return areRising(results) ? { results, places: 1, parts: 1 } : null;
	if (winners === ANY_NUMBER) return ties === 0 ? { results, places: 1, parts: 1 } : null;
	if (ties > 0)
		return wins < winners && wins + ties > winners ? { results, places: winners - wins, parts: ties } : null;
	if (wins > winners) {
		const tied = results.map((result) => (result === 'WIN' ? 'TIE' : result));
		return { results: tied, places: winners, parts: wins };
	}
	return wins === Math.min(winners, standing) ? { results, places: 1, parts: 1 } : null;
}

/**
 * The same for a market that pays several places.
 * @returns null for a result that the market cannot be settled by
 */
export function payableFor(
	results: readonly RunnerResult[],
	places: number,
	terms: MarketTerms,
	removed: { has(runner: number): boolean },
): Payable | null {
	if (!mayPay(terms, places) || isTieUnnamed(results, places, terms)) return null;
	const payable = payableOf(results, { ...terms, numberOfWinners: places }, removed);
	// The house's legs belong together: all of them are void, or none is.
	const isAllVoid = payable?.results.every((result) => result === 'VOID') ?? false;
	return terms.crossMatching && !isAllVoid && payable?.results.includes('VOID') ? null : payable;
}

/**
 * Winners of one place are all tied for it. With several places it is unknown which of too many winners are tied, so the
 * result has to name them as TIE. Each way, WIN is the first place alone.
 */
const isTieUnnamed = (results: readonly RunnerResult[], places: number, { eachWayDivisor }: MarketTerms): boolean =>
	eachWayDivisor === 0 && places > 1 && results.filter((result) => result === 'WIN').length > places;

/**
 * A place market may pay fewer places than it announced, never more: a layer would lose more than the exposure. With
 * fewer places a backer can, as after a removal, so the exposure of the market may fall short.
 */
const mayPay = ({ numberOfWinners, eachWayDivisor, reducible }: MarketTerms, places: number): boolean =>
	places === numberOfWinners ||
	(reducible && eachWayDivisor === 0 && Number.isInteger(places) && places >= 1 && places < numberOfWinners);

/** A quarter line between two sides: one half of it wins what the other loses. */
function halvesOf(results: readonly RunnerResult[], winners: number): Payable | null {
	const [one, other] = results;
	const opposite = one === 'HALF_WIN' ? other === 'HALF_LOSE' : one === 'HALF_LOSE' && other === 'HALF_WIN';
	return winners === 1 && results.length === 2 && opposite ? { results, places: 1, parts: 2 } : null;
}

/** The lines up to the result win, those above it lose. */
const areRising = (results: readonly RunnerResult[]): boolean =>
	results.every((result, line) => result === 'WIN' || (result === 'LOSE' && results[line + 1] !== 'WIN'));

/** The matched figures of a bet, as its result needs them. */
export type MatchedBet = Pick<RestoredBet, 'side' | 'runner' | 'matched' | 'matchedValue' | 'fills'>;

/** The profit or loss of a bet's matched part, in hundredths of a minor unit times `parts`; null when it is void. */
export function profitExactParts(
	{ side, runner, matched, matchedValue, fills }: MatchedBet,
	{ results, places, parts, eachWay, line }: Payable,
): number | null {
	if (line) return lineProfit(side, fills ?? [], line, results);
	if (results[runner] === 'VOID') return null;
	const share = eachWay?.[runner];
	const asBacker = share
		? matchedValue * share.ofValue + matched * 100 * (share.ofStake - 2 * parts)
		: returnedParts(results[runner], matched, matchedValue, places, parts) - matched * 100 * parts;
	return side === BACK ? asBacker : -asBacker;
}

/** A player's exact result, hundredths of a minor unit × parts, in whole minor units: to the nearest, an exact half towards the house. */
export function netOfParts(exact: bigint, parts: number, step: number): number {
	const whole = 100n * BigInt(parts) * BigInt(step);
	const rest = ((exact % whole) + whole) % whole;
	const floor = (exact - rest) / whole;
	return Number(rest * 2n > whole ? floor + 1n : floor) * step;
}

/** A backer's return, stake included. */
function returnedParts(
	result: RunnerResult | undefined,
	matched: AnyMinor,
	matchedValue: number,
	places: number,
	parts: number,
): number {
	switch (result) {
		case 'WIN':
			return matchedValue * parts;
		case 'TIE':
			return matchedValue * places;
		case 'HALF_WIN':
			return matchedValue + matched * 100;
		case 'HALF_LOSE':
			return matched * 100;
		default:
			return 0;
	}
}
