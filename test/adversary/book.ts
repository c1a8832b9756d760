/** The bets of a match as the ledger has them. Amounts are minor units. */
import type pg from 'pg';

interface MatchedBet {
	walletId: number;
	runner: number;
	isBack: boolean;
	/** Stake, and stake times average price. */
	matched: number;
	matchedValue: number;
}

/** What is matched in a match and neither void nor taken back. */
export interface Book {
	bets: readonly MatchedBet[];
}

/** @param marketIds all markets of the match */
export async function bookOf(db: Pick<pg.Pool, 'query'>, marketIds: readonly string[]): Promise<Book> {
	const { rows: bets } = await db.query<MatchedBet>(
		`select wallet_id as "walletId", runner, side = 0 as "isBack", matched, matched_value as "matchedValue"
		 from bet where market_id = any ($1) and matched > 0 and (result is null or result in ('WON', 'LOST'))`,
		[marketIds],
	);
	return { bets };
}
