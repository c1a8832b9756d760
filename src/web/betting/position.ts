/**
 * The effect of a bet, calculated in the browser by the engine's own functions, so that the slip shows the amount that
 * will be held. Matched results come from the server's profit and loss, unmatched stakes from the open bets.
 */

import { betRange } from '#values/bet-range.ts';
import { eachWayProfit, eachWayValue } from '#values/each-way.ts';
import {
	addMatched,
	addUnmatched,
	copyOf,
	emptyFigures,
	exposureMinor,
	shownNetIfNone,
	shownNets,
} from '#values/exposure.ts';
import { type Figures, ON_A_LINE, RISING } from '#values/figures.ts';
import { netMinorOfParts } from '#values/liability.ts';
import { type LineRange, linesOf } from '#values/line-range.ts';
import { type Minor, minorOf } from '#values/money.ts';
import { decimalFromPrice, type Price } from '#values/price-ladder.ts';
import { BACK, LAY, type Side, type SideCode, sideCode } from '#values/sides.ts';
import type { Market, OpenBet, ProfitLoss } from '#web/api/answers.ts';

/** A market's outcomes: its runners in order, and the number of winners. */
export interface Outcomes {
	marketId: string;
	runnerIds: readonly string[];
	/** As values/exposure counts: RISING for the lines of a fancy. */
	winners: number;
	/** An each-way market's divisor; 0 or none in others. */
	eachWay?: number | undefined;
	/** Where prices are lines: these are what `runnerIds` names then. */
	line?: LineRange | null;
}

/** All lines of a fancy count, even those that are not shown; the runner of a line has the line as its id. */
export function outcomesOf(market: Market): Outcomes {
	const { id: marketId, runners, lines, lineRange: line, numberOfWinners, eachWayDivisor: eachWay } = market;
	if (line) {
		const runnerIds = linesOf(line).map((price) => String(decimalFromPrice(price)));
		return { marketId, runnerIds, winners: ON_A_LINE, line };
	}
	return lines
		? { marketId, runnerIds: lines.map(String), winners: RISING }
		: { marketId, runnerIds: runners.map((runner) => runner.id), winners: numberOfWinners, eachWay };
}

/** The runner of a bet among the outcomes, -1 for none; where prices are lines there is one. */
export const runnerAmong = ({ runnerIds, line }: Outcomes, runnerId: string): number =>
	line ? 0 : runnerIds.indexOf(runnerId);

/** Matched stakes of a market, lays counted against backs, minor units; of one runner or of all. */
function backedStake(marketId: string, openBets: readonly OpenBet[], runnerId?: string): number {
	return openBets
		.filter((bet) => bet.marketId === marketId && (runnerId === undefined || bet.runnerId === runnerId))
		.reduce((sum, { side, matchedStake }) => sum + (side === 'BACK' ? 1 : -1) * matchedStake, 0);
}

/**
 * The player's net if no runner wins: matched backs lose, matched lays win. Below every line of a line market it is the
 * reverse, because a back sells the line.
 */
export function netOfNone({ marketId, eachWay, line }: Outcomes, openBets: readonly OpenBet[]): Minor {
	const backed = backedStake(marketId, openBets);
	return minorOf(line ? backed : -backed * (eachWay ? 2 : 1) + 0);
}

/** The player's position in one market; runners in the order given. */
export function positionOf(outcomes: Outcomes, openBets: readonly OpenBet[], profitLoss: ProfitLoss): Figures {
	const { marketId, runnerIds, winners, eachWay = 0, line = null } = outcomes;
	const position = emptyFigures(runnerIds.length, winners, { eachWay, line });
	const results = profitLoss.find((entry) => entry.marketId === marketId)?.runners;
	const none = netOfNone(outcomes, openBets);
	// Exact, as the server has it: a rounded net plus another bet would be rounded twice.
	const exactNone = none * 100 * (eachWay || 1);
	const exactOf = (id: string) => results?.find(({ runnerId }) => runnerId === id)?.exact ?? exactNone;
	if (results && line) {
		let before = exactNone;
		linesOf(line).forEach((price, at) => {
			const net = exactOf(runnerIds[at] as string);
			const bought = (net - before) / 200;
			if (bought !== 0) addMatched(position, 0, LAY, price * bought, bought);
			before = net;
		});
	} else if (results && eachWay > 0) {
		const all = backedStake(marketId, openBets);
		runnerIds.forEach((id, runner) => {
			const stake = backedStake(marketId, openBets, id);
			addMatched(position, runner, BACK, eachWayValue(exactOf(id), stake, all, eachWay), stake);
		});
	} else if (results) {
		// A back of stake −none at value 0 represents what all outcomes share.
		addMatched(position, 0, BACK, 0, -none);
		let before = exactNone;
		runnerIds.forEach((id, runner) => {
			const net = exactOf(id);
			addMatched(position, runner, BACK, net - before, 0);
			if (winners === RISING) before = net;
		});
	}
	for (const bet of openBets) {
		const runner = runnerAmong(outcomes, bet.runnerId);
		if (bet.marketId !== marketId || runner < 0 || bet.remainingStake <= 0) continue;
		addUnmatched(position, runner, sideCode(bet.side), bet.price, bet.remainingStake);
	}
	return position;
}

/** A bet that is not placed yet. */
export interface DraftBet {
	runner: number;
	side: Side;
	price: Price;
	stake: Minor;
}

export interface BetPreview {
	/** The largest profit and loss of the bet. */
	profit: Minor;
	liability: Minor;
	/** Each way: its result if its runner is placed, and does not win. */
	ifPlaced?: Minor;
	/** The additional hold until it is matched; negative if the bet frees money. */
	cost: Minor;
	/** Net per runner if all of it is matched at its price; of lines, if that one is the last reached or passed. */
	whatIf: Minor[];
	/** The same if no runner wins: of lines, if none is reached. */
	whatIfNone: Minor;
}

/** Of an each-way bet alone. */
function ifPlaced(eachWay: number, side: SideCode, price: number, stake: number): Pick<BetPreview, 'ifPlaced'> {
	if (eachWay === 0) return {};
	const { placed } = eachWayProfit(side, stake * price, stake, eachWay);
	return { ifPlaced: minorOf(netMinorOfParts(placed, eachWay)) };
}

export function previewBet(position: Figures, { runner, side, price, stake }: DraftBet): BetPreview {
	const code = sideCode(side);
	const waiting = copyOf(position);
	addUnmatched(waiting, runner, code, price, stake);
	const matched = copyOf(position);
	addMatched(matched, runner, code, stake * price, stake);
	const range = betRange(code, stake * price, stake, { eachWay: position.eachWay, lines: position.line !== null });
	return {
		profit: minorOf(range.profit),
		liability: minorOf(range.liability),
		...ifPlaced(position.eachWay, code, price, stake),
		cost: minorOf(exposureMinor(waiting) - exposureMinor(position)),
		whatIf: shownNets(matched).map(minorOf),
		whatIfNone: minorOf(shownNetIfNone(matched)),
	};
}
