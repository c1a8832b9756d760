/**
 * What a bet would change, worked out in the browser by the engine's own functions, so that what the slip shows is what
 * will be held. Matched results come from the server's profit and loss, waiting bets from the list of open bets.
 */

import { addMatched, addUnmatched, emptyFigures, exposurePaise, type Figures, netIfWins } from '#values/exposure.ts';
import { liabilityExact, netPaise, paiseToHold, profitExact } from '#values/liability.ts';
import type { Price } from '#values/price-ladder.ts';
import { BACK, type Side, sideCode } from '#values/sides.ts';
import type { OpenBet, ProfitLoss } from '#web/store/queries.ts';

const paise = (major: number): number => Math.round(major * 100);
const hundredths = (decimal: number): number => Math.round(decimal * 100);

/** The player's position in one market; runners in the order given. */
export function positionOf(
	marketId: string,
	runnerIds: readonly string[],
	openBets: readonly OpenBet[],
	profitLoss: ProfitLoss,
): Figures {
	const position = emptyFigures(runnerIds.length);
	const results = profitLoss.find((entry) => entry.marketId === marketId)?.runners ?? [];
	for (const { runnerId, profitLoss: net } of results) {
		const runner = runnerIds.indexOf(runnerId);
		if (runner >= 0) addMatched(position, runner, BACK, paise(net) * 100, 0);
	}
	for (const bet of openBets) {
		const runner = runnerIds.indexOf(bet.runnerId);
		if (bet.marketId !== marketId || runner < 0 || bet.remainingStake <= 0) continue;
		addUnmatched(position, runner, sideCode(bet.side), hundredths(bet.price), paise(bet.remainingStake));
	}
	return position;
}

/** A bet that is not placed yet: price in hundredths, stake in paise. */
export interface DraftBet {
	runner: number;
	side: Side;
	price: Price;
	stake: number;
}

export interface BetPreview {
	/** What the bet wins and loses, paise. */
	profit: number;
	liability: number;
	/** What is taken from the free balance until it is matched; negative when the bet frees money. Paise. */
	cost: number;
	/** Net per runner if all of it is matched at its price, paise. */
	whatIf: number[];
}

const copyOf = (figures: Figures): Figures => ({ ...figures, data: figures.data.slice() });

export function previewBet(position: Figures, { runner, side, price, stake }: DraftBet): BetPreview {
	const code = sideCode(side);
	const waiting = copyOf(position);
	addUnmatched(waiting, runner, code, price, stake);
	const matched = copyOf(position);
	addMatched(matched, runner, code, stake * price, stake);
	return {
		profit: netPaise(profitExact(code, price, stake)),
		liability: paiseToHold(liabilityExact(code, price, stake)),
		cost: exposurePaise(waiting) - exposurePaise(position),
		whatIf: Array.from({ length: matched.runners }, (_, at) => netPaise(netIfWins(matched, at))),
	};
}
