/**
 * Removes a runner from a market, corrects its factor, or returns it. Its bets are void, and in racing the prices of the
 * others are reduced: see runner-bets.ts. Markets without reductions (a match, an outright) keep the others' bets as they are.
 * Source: exchange rules, "Removal, dead heat, voiding".
 */
import { changeBets } from '#engine/change-bets.ts';
import type { CorrectReduction, RemoveRunner, ReturnRunner } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import { WHOLE_BP } from '#engine/market-types/reduced-price.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { lapseTriggers } from '#engine/triggers/end-triggers.ts';
import { ON_A_LINE, RISING } from '#values/figures.ts';

export function changeRunner(
	state: EngineState,
	command: RemoveRunner | CorrectReduction | ReturnRunner,
	effects: Effects,
): Outcome {
	switch (command.kind) {
		case 'remove-runner':
			return removeRunner(state, command, effects);
		case 'correct-reduction':
			return correctReduction(state, command, effects);
		case 'return-runner':
			return returnRunner(state, command, effects);
	}
}

function removeRunner(state: EngineState, command: RemoveRunner, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	const { runner, reductionBp } = command;
	if (!Number.isInteger(runner) || runner < 0 || runner >= market.terms.runners) return refuse('UNKNOWN_RUNNER');
	if (market.removed.has(runner)) return refuse('RUNNER_REMOVED');
	if (!mayBeTakenOut(market.terms, reductionBp)) return refuse('INVALID_REDUCTION');

	lapseTriggers(state, market, { reason: 'RUNNER_REMOVED' }, effects);
	// Without a voided hedge the exposure can exceed what the player has.
	if (!market.terms.reducible) market.mayBeShort = true;
	market.takeOut(runner, reductionBp);
	const cuts = reductionBp >= market.terms.lapseReductionBp;
	const change = { kind: 'RUNNER' as const, runner, reductionBp, voids: true, cuts };
	changeBets(state, market, { change, inSteps: command.inSteps }, effects);
	return changed(state, market, effects);
}

/** The runner is out, its removal reduces prices, and the factor is one. */
export const mayCorrect = (
	{ removed, terms }: Market,
	{ runner, reductionBp }: Pick<CorrectReduction, 'runner' | 'reductionBp'>,
): boolean => removed.has(runner) && terms.reducible && mayBeTakenOut(terms, reductionBp);

export function correctReduction(state: EngineState, command: CorrectReduction, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	if (market.paid) return refuse('MARKET_CLOSED');
	const { runner, reductionBp } = command;
	const before = market.removed.get(runner);
	if (before === undefined) return refuse('UNKNOWN_RUNNER');
	if (!mayCorrect(market, command)) return refuse('INVALID_REDUCTION');
	const { lapseReductionBp } = market.terms;
	lapseTriggers(state, market, { reason: 'RUNNER_REMOVED' }, effects);

	market.correct(runner, reductionBp);
	// Lays that wait were asked under the factor of before: they are cut once, when it becomes large enough.
	const cuts = before < lapseReductionBp && reductionBp >= lapseReductionBp;
	const change = { kind: 'RUNNER' as const, runner, reductionBp, voids: false, cuts };
	changeBets(state, market, { change, inSteps: command.inSteps }, effects);
	return changed(state, market, effects);
}

function changed(state: EngineState, market: Market, effects: Effects): Outcome {
	market.version++;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
	return DONE;
}

/**
 * Without reductions a runner can leave any market whose runners are independent. Lines depend on one another, and so
 * do the legs of virtual prices: voiding one would uncover the others.
 */
function mayBeTakenOut({ reducible, crossMatching, numberOfWinners }: MarketTerms, reductionBp: number): boolean {
	if (reducible) return Number.isInteger(reductionBp) && reductionBp >= 0 && reductionBp < WHOLE_BP;
	return reductionBp === 0 && !crossMatching && numberOfWinners !== RISING && numberOfWinners !== ON_A_LINE;
}

function returnRunner(state: EngineState, command: ReturnRunner, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (!market.removed.has(command.runner)) return refuse('UNKNOWN_RUNNER');
	lapseTriggers(state, market, { reason: 'RUNNER_REMOVED' }, effects);
	market.putBack(command.runner);
	// Outcomes that were impossible are possible again, and may raise the exposure.
	market.mayBeShort = true;
	const change = { kind: 'RUNNER' as const, runner: command.runner, reductionBp: 0, voids: false, cuts: false };
	changeBets(state, market, { change, inSteps: command.inSteps }, effects);
	return changed(state, market, effects);
}
