/** Applies what changed one engine to another: in a standby, and where the exchange changes its own besides a command. */
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { Batch } from '#server/exchange/order/batch.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';

/**
 * Applies an input. Its effects go to the batch.
 * @returns the outcome of a command; null for the others
 */
export function applyInput(engine: Engine, input: EngineInput, batch: Batch): Outcome | null {
	switch (input.kind) {
		case 'recall-market':
			engine.restoreMarket(input.stored.market, input.stored.traded);
			return null;
		case 'forget-market':
			engine.forgetMarket(input.marketId);
			return null;
		case 'name-bet': {
			const { kind: _, betId, ...references } = input;
			batch.named(betId, references);
			return null;
		}
		default:
			batch.begin(input.atMs);
			return engine.apply(input, batch);
	}
}
