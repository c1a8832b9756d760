/** A match as the ledger names it, to be voided. */
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

export interface NamedMatch {
	batch: number;
	rowNumber: number;
	takerBetId: BetId;
	makerBetId: BetId;
	price: AnyPrice;
	stake: AnyMinor;
	/** Where fills are kept one by one: the number of the fill of each bet, from 0. */
	takerFill?: number;
	makerFill?: number;
}
