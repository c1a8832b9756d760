/**
 * Everything that changes the engine, in one order: commands, and markets that come into memory and leave it. A standby
 * that starts from the same state and takes the same inputs comes to the same state.
 */
import type { Command } from '#engine/command.ts';
import type { BetReferences } from '#server/exchange/exchange.ts';
import type { StoredMarket } from '#server/exchange/recovery/stored-markets.ts';
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
