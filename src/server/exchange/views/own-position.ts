/** A player's profit and loss in a market, computed from the player's bets. */
import type { TriggerView } from '#engine/effect.ts';
import type { MarketView } from '#engine/engine.ts';
import { otherSide } from '#engine/triggers/plan.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { addMatched, addUnmatched, emptyFigures } from '#values/exposure.ts';
import type { Figures } from '#values/figures.ts';
import { lineCount } from '#values/line-range.ts';
import { type Pool, stepOf } from '#values/pools.ts';

/**
 * @param bets the player's bets in that market; their remaining stake counts unless it is left out
 * @param triggers the player's triggers in it, whose bets are held for
 */
export function positionOf(
	market: MarketView,
	bets: readonly BetRecord[],
	triggers: readonly TriggerView[] = [],
): Figures {
	const position = emptyPosition(market, bets[0]?.pool ?? triggers[0]?.pool);
	for (const bet of bets) {
		addUnmatched(position, bet.runner, bet.side, bet.price, bet.remaining);
		addMatchedOf(position, bet);
	}
	for (const trigger of triggers) addTrigger(position, trigger, bets);
	return position;
}

/** The position of what is matched of the bets. */
export function matchedPositionOf(market: MarketView, bets: readonly BetRecord[]): Figures {
	const position = emptyPosition(market, bets[0]?.pool);
	for (const bet of bets) addMatchedOf(position, bet);
	return position;
}

function emptyPosition(market: MarketView, pool: Pool | undefined): Figures {
	const line = typeof market.ladder === 'string' ? null : market.ladder;
	return emptyFigures(line ? lineCount(line) : market.runners, market.numberOfWinners, {
		eachWay: market.eachWayDivisor,
		line,
		step: pool === undefined ? 1 : stepOf(pool),
		out: new Map(market.removed),
	});
}

function addMatchedOf(position: Figures, { runner, side, matched, matchedValue, fills }: BetRecord): void {
	if (!position.line) addMatched(position, runner, side, matchedValue, matched);
	else for (const fill of fills ?? []) addMatched(position, runner, side, fill.stake * fill.price, fill.stake);
}

/** Adds what a trigger holds for; a peg and a bracket hold for that instead of for the bets that follow it. */
function addTrigger(position: Figures, trigger: TriggerView, bets: readonly BetRecord[]): void {
	const { runner, price, stake, plan, betId, exitId, at } = trigger;
	const isClosing = plan?.kind === 'BRACKET' && betId !== null && at !== null;
	const side = isClosing ? otherSide(trigger.side) : trigger.side;
	addUnmatched(position, runner, side, isClosing ? at : price, stake);
	if (plan?.kind !== 'PEG' && !isClosing) return;
	for (const bet of bets) {
		if (bet.betId === betId || bet.betId === exitId) addUnmatched(position, runner, side, bet.price, -bet.remaining);
	}
}
