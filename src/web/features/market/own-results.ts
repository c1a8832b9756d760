/** The player's net in a market now, and with the selection being typed. */

import { DECIDED_STATUSES } from '#values/market-statuses.ts';
import { type Minor, minorOf } from '#values/money.ts';
import type { Market, OpenBet } from '#web/api/answers.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { netOfNone, outcomesOf, positionOf, previewBet, runnerAmong } from '#web/betting/position.ts';
import { useOwnBets } from '#web/orders/own-bets.ts';
import { useSlip } from '#web/store/slip.ts';

const NO_BETS: readonly OpenBet[] = [];

/** By runner; of lines, if that one is the last that is reached. */
export interface Nets {
	none: Minor;
	byRunner: ReadonlyMap<string, Minor>;
}

export interface OwnResults {
	/** Null without matched bets. */
	now: Nets | null;
	/** Null without a selection that has a stake. */
	whatIf: Nets | null;
	/** The certain result of a level position, such as after a cash-out: the minimum of its outcomes. */
	level: Minor | null;
	/** Matched and unmatched. */
	bets: readonly OpenBet[];
}

/** Stakes are whole minor units, so the outcomes of a level position may differ by a few; the minimum is certain. */
const LEVEL_MINOR = 10;

function levelOf({ numberOfWinners, lineRange, eachWayDivisor, lines }: Market, now: Nets | null): Minor | null {
	if (!now || numberOfWinners !== 1 || lineRange || eachWayDivisor !== undefined || lines) return null;
	const nets = [...now.byRunner.values()];
	const least = Math.min(...nets);
	return Math.max(...nets) - least <= LEVEL_MINOR ? minorOf(least) : null;
}

/** An exchange market with different outcomes, so that hedging may increase the certain result. */
export function canCashOut({ bettingModel, lineRange, numberOfWinners, status }: Market, { now, level }: OwnResults) {
	const hasEnded = DECIDED_STATUSES.has(status);
	if (!now || level !== null || bettingModel !== 'EXCHANGE' || hasEnded) return false;
	// With one winner some runner always wins; a number may be below all lines, and all backed runners may be unplaced.
	const none = lineRange || numberOfWinners > 1 ? [now.none] : [];
	return new Set([...now.byRunner.values(), ...none]).size > 1;
}

const netsOf = (runnerIds: readonly string[], none: Minor, nets: readonly Minor[]): Nets => ({
	none,
	byRunner: new Map(runnerIds.map((id, at) => [id, nets[at] ?? none])),
});

export function useOwnResults(market: Market): OwnResults {
	const { openBets, profitLoss, isKnown } = useOwnBets();
	const selection = useSlip(({ selections }) =>
		selections.find(({ marketId, phase }) => marketId === market.id && phase.kind === 'editing'),
	);
	const ofMarket = openBets.filter(({ marketId }) => marketId === market.id);
	// The same list while it is empty, so that rows without bets are not rendered again.
	const bets = ofMarket.length === 0 ? NO_BETS : ofMarket;
	const outcomes = outcomesOf(market);
	const { runnerIds } = outcomes;
	const results = profitLoss.find(({ marketId }) => marketId === market.id)?.runners;
	const none = netOfNone(outcomes, bets);
	const nets = runnerIds.map((id) => results?.find(({ runnerId }) => runnerId === id)?.profitLoss ?? none);
	const matched = bets.some(({ matchedStake }) => matchedStake > 0);
	const now = results && matched ? netsOf(runnerIds, none, nets) : null;
	const level = levelOf(market, now);
	const stake = selection ? stakeMinor(selection.stake) : null;
	const runner = selection ? runnerAmong(outcomes, selection.runnerId) : -1;
	if (!selection || !isKnown || stake === null || runner < 0) return { now, whatIf: null, level, bets };
	const draft = { runner, side: selection.side, price: selection.price, stake };
	const { whatIf, whatIfNone } = previewBet(positionOf(outcomes, bets, profitLoss), draft);
	return { now, whatIf: netsOf(runnerIds, whatIfNone, whatIf), level, bets };
}
