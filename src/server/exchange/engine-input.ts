/**
 * Everything that changes the engine, in one order: commands, and markets that come into memory and leave it. A standby
 * that starts from the same state and takes the same inputs comes to the same state.
 */
import type { Command } from '#engine/command.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { Batch } from '#server/exchange/batch.ts';
import type { BetReferences } from '#server/exchange/exchange.ts';
import type { StoredMarket } from '#server/exchange/stored-markets.ts';
import type { BetId, MarketId } from '#values/ids.ts';

/** A market was read from its tables, because a command names it. */
interface RecallMarket {
	kind: 'recall-market';
	stored: StoredMarket;
}
/** A settled market left memory. */
interface ForgetMarket {
	kind: 'forget-market';
	marketId: MarketId;
}
/** A bot's names of the bet that the last command placed. */
interface NameBet extends BetReferences {
	kind: 'name-bet';
	betId: BetId;
}

export type EngineInput = Command | RecallMarket | ForgetMarket | NameBet;

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
