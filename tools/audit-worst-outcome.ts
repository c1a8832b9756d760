/** The largest loss of a player's bets in one market, computed by independent rules for the audit. */

import { type Pool, stepOf } from '../src/values/pools.ts';

/** A bet with its market's terms; decided bets have nothing remaining. */
export interface OpenBet {
	wallet_id: number;
	market_id: number;
	runners: number;
	winners: number;
	/** The divisor of each way; 0 in other markets. */
	divisor: number;
	/** Hundredths, where prices are lines; null in other markets. */
	lines: { min: number; max: number } | null;
	fills: { stake: number; price: number }[] | null;
	/** Removed runners with their factors; one that was returned is marked. */
	removed: [runner: number, reductionBp: number, mark?: 'RETURNED'][];
	/** The hold may be smaller than required: matches were voided, or the market was settled before. */
	voids: boolean;
	runner: number;
	side: number;
	price: number;
	matched: number;
	matched_value: number;
	remaining: number;
}

/** A player's result if a runner wins and if it loses, exact, each unmatched bet counted as its loss. */
export function resultsOn(bets: readonly OpenBet[], runner: number): { wins: bigint; loses: bigint } {
	let [wins, loses] = [0n, 0n];
	for (const bet of bets) {
		if (bet.runner !== runner) continue;
		const gain = BigInt(bet.matched_value) - BigInt(bet.matched) * 100n;
		const stake = BigInt(bet.matched) * 100n;
		if (bet.side === 0) {
			wins += gain;
			loses -= stake + BigInt(bet.remaining) * 100n;
		} else {
			wins -= gain + BigInt(bet.remaining) * BigInt(bet.price - 100);
			loses += stake;
		}
	}
	return { wins, loses };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * What an unmatched bet costs if it is matched; one that would gain is counted as if it stayed unmatched.
 * @param remaining below zero for a bet that a plan's order counts instead of: it takes back what the bet costs
 */
const costOf = (profit: bigint, remaining: number): bigint => (remaining < 0 ? -least(-profit, 0n) : least(profit, 0n));

/** Whether the runner takes no part. */
export const isOut = ({ removed }: Pick<OpenBet, 'removed'>, runner: number): boolean =>
	removed.some(([out, , mark]) => out === runner && mark === undefined);

/** The largest loss of a player in one market: the outcome in which the winners are the most expensive runners. */
export function worstOutcome(bets: readonly OpenBet[], market: OpenBet): bigint {
	const { runners, winners, divisor } = market;
	const standing = Array.from({ length: runners }, (_, runner) => runner).filter((runner) => !isOut(market, runner));
	const results = standing.map((runner) => resultsOn(bets, runner));
	if (market.lines) return worstOfNumbers(bets, market.lines);
	if (divisor > 0) return worstEachWay(bets, standing, market);
	let worst = 0n;
	if (winners === -1) {
		// Lines in rising order: a number reaches the first N of them.
		let reached = results.reduce((sum, { loses }) => sum + loses, 0n);
		worst = least(0n, reached);
		for (const { wins, loses } of results) {
			reached += wins - loses;
			worst = least(worst, reached);
		}
	} else if (winners === 0) for (const { wins, loses } of results) worst += least(least(wins, loses), 0n);
	else {
		const differences = results.map(({ wins, loses }) => wins - loses).sort((one, other) => (one < other ? -1 : 1));
		for (const { loses } of results) worst += loses;
		for (const difference of differences.slice(0, winners)) worst += difference;
	}
	return worst < 0n ? (-worst + 99n) / 100n : 0n;
}

/** An amount of minor units rounded up to whole coins. */
export function upToCoins(minor: bigint, pool: Pool): bigint {
	const coin = BigInt(stepOf(pool));
	return ((minor + coin - 1n) / coin) * coin;
}

/** All possible numbers in order: a buyer (side 1) wins above the line, a seller below. */
function worstOfNumbers(bets: readonly OpenBet[], { min, max }: { min: number; max: number }): bigint {
	let worst = 0n;
	for (let number = Math.floor(min / 100) - 1; number <= max / 100 + 1; number++) {
		let sum = 0n;
		for (const { side, price, remaining, fills } of bets) {
			const above = (line: number) => BigInt(Math.sign(number * 100 - line) * (side === 1 ? 1 : -1));
			for (const fill of fills ?? []) sum += above(fill.price) * BigInt(fill.stake);
			sum += costOf(above(price) * BigInt(remaining), remaining);
		}
		worst = least(worst, sum);
	}
	return -worst;
}

/** Profit of a player's bets if that runner wins and those others are placed; exact, times the divisor. */
function eachWayProfit(
	bets: readonly OpenBet[],
	winner: number,
	placed: readonly number[],
	paysPlaces: boolean,
): bigint {
	let sum = 0n;
	for (const { runner, side, price, matched, matched_value, remaining, divisor } of bets) {
		const [whole, fraction] = [BigInt(divisor), paysPlaces ? 1n : 0n];
		const profitOf = (value: bigint, stake: bigint): bigint => {
			const [gain, loss] = [value - stake * 100n, -stake * 100n];
			const toWin = (runner === winner ? gain : loss) * whole;
			const toBePlaced = (runner === winner || placed.includes(runner) ? gain : loss * whole) * fraction;
			return side === 0 ? toWin + toBePlaced : -toWin - toBePlaced;
		};
		sum += profitOf(BigInt(matched_value), BigInt(matched));
		sum += costOf(profitOf(BigInt(remaining) * BigInt(price), BigInt(remaining)), remaining);
	}
	return sum;
}

/** Each winner, with the most expensive others placed; each adds its own amount, so they are added one by one. */
function worstEachWay(bets: readonly OpenBet[], standing: readonly number[], { winners, divisor }: OpenBet): bigint {
	const paysPlaces = standing.length > winners;
	let worst = 0n;
	for (const winner of standing) {
		const alone = eachWayProfit(bets, winner, [], paysPlaces);
		const added = standing
			.filter((runner) => runner !== winner && paysPlaces)
			.map((runner) => eachWayProfit(bets, winner, [runner], paysPlaces) - alone)
			.sort((one, other) => (one < other ? -1 : 1));
		worst = least(
			worst,
			added.slice(0, winners - 1).reduce((sum, more) => sum + more, alone),
		);
	}
	const unit = 100n * BigInt(divisor);
	return (-worst + unit - 1n) / unit;
}
