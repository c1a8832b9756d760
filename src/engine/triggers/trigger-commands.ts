/** The commands on triggers. */
import type { TriggerTerms } from '#engine/triggers/trigger.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** Places a bet when a price is reached; its money is held from now on. */
export interface PlaceTrigger extends TriggerTerms {
	kind: 'place-trigger';
	/** Hundredths, on the ladder: the price at which it is reached; null for a trailing one. */
	at: AnyPrice | null;
}

export interface CancelTrigger {
	kind: 'cancel-trigger';
	triggerId: BetId;
	/** The player who asks; left out by an operator. */
	walletId?: WalletId;
}

/** A market in which prices may have changed. */
export interface LookedAtMarket {
	marketId: MarketId;
	/** Those whose prices may have changed; null for all. */
	runners: readonly number[] | null;
	/** Best prices are left out: quotes of market makers are missing, and come back. */
	withoutBest?: true;
}

/** Looks which triggers the prices of these markets reached; the server asks at the end of each batch that changed them. */
export interface LookAtTriggers {
	kind: 'look-at-triggers';
	markets: readonly LookedAtMarket[];
}

/** Places the bets of triggers whose price was reached; the server sends it first in the batch after. */
export interface FireTriggers {
	kind: 'fire-triggers';
	/** Id of the first bet, assigned by the sequencer; the ids of the others follow. */
	betId: BetId;
}
