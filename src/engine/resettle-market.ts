/**
 * Pays another result for a market that was paid: what was moved is reversed, and the market is settled again or voided,
 * within one command. A factor that was wrong at the settlement is corrected in between.
 * Source: exchange rules, "Removal, dead heat, voiding" and "Settlement".
 */
import type { ResettleMarket } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { isRepriceable } from '#engine/market-types/reduced-price.ts';
import { payableFor } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { correctReduction, mayCorrect } from '#engine/remove-runner.ts';
import { mayReopen, reverseSettlement } from '#engine/reopen-market.ts';
import { refuse } from '#engine/requests.ts';
import { settleMarket, voidMarket } from '#engine/settle-market.ts';

export function resettleMarket(state: EngineState, command: ResettleMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.status === 'SETTLING') return refuse('MARKET_SETTLING');
	if (!mayReopen(market, command)) return refuse('WRONG_MARKET_STATE');
	const { marketId, results, places, correction } = command;
	const { terms, removed } = market;
	if (results && !payableFor(results, places ?? terms.numberOfWinners, terms, removed))
		return refuse('INCOMPLETE_RESULT');
	if (correction && !mayCorrect(market, correction)) return refuse('INVALID_REDUCTION');
	if (correction && !command.bets.every(isRepriceable)) return refuse('WRONG_MARKET_STATE');

	reverseSettlement(state, market, command, effects);
	if (correction) assertDone(correctReduction(state, { kind: 'correct-reduction', marketId, ...correction }, effects));
	const ofPlaces = places === undefined ? {} : { places };
	assertDone(
		results
			? settleMarket(state, { kind: 'settle-market', marketId, results, ...ofPlaces }, effects)
			: voidMarket(state, { kind: 'void-market', marketId }, effects),
	);
	return DONE;
}

/** Everything was checked before anything was reversed. */
function assertDone(outcome: Outcome): void {
	if (!outcome.ok) throw new Error(`a market whose settlement was reversed is not settled anew: ${outcome.code}`);
}
