/** The commands on triggers. */
import type { TriggerTerms } from '#engine/triggers/trigger.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
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
	/** Of an iceberg, a part of what is unmatched; everything when it is left out. */
	size?: AnyMinor;
}

/** Looks which triggers the prices reached that changed since the last look, and lapses the bets whose volume was reached; the server asks at the end of each batch. */
export interface LookAtTriggers {
	kind: 'look-at-triggers';
	/**
	 * Markets whose best prices do not count yet, or 'ALL': quotes of market makers are missing there, and come back. They
	 * count at the first look that does not name their market.
	 */
	withoutBest: readonly MarketId[] | 'ALL';
}

/** Places the bets of triggers whose price was reached, and of plans that go on; the server sends it first in the batch after. */
export interface FireTriggers {
	kind: 'fire-triggers';
	/** Id of the first bet, assigned by the sequencer; the ids of the others follow, after those that the house takes in between. */
	betId: BetId;
}
