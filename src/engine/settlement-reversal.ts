/** The settlement of a market that is being taken back, wallet by wallet: see reversal-walk.ts. */
import type { SettledBy } from '#engine/market-types/settled-by.ts';
import type { NamedMatch } from '#engine/named-match.ts';

/** A reversal under way. The market's row keeps it, and its result until all bets are back. */
export interface SettlementReversal {
	/** How many bets are not back yet. */
	betsLeft: number;
	/** Null leaves the market CLOSED. */
	next: SettledBy | null;
	/** Another factor of a removed runner, at which the bets come back. */
	correction: { runner: number; reductionBp: number } | null;
	/** Those that are void when all bets are back, in the order of the ledger. The last ones are voided first. */
	matches: readonly NamedMatch[];
}
