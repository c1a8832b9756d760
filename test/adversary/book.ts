/** The bets of a match as the ledger has them. Amounts are paise. */
import type pg from 'pg';

interface MatchedBet {
	betId: number;
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
	/** Pairs of wallets that met. */
	met: readonly (readonly [number, number])[];
}

/** @param marketIds all markets of the match */
export async function bookOf(db: Pick<pg.Pool, 'query'>, marketIds: readonly string[]): Promise<Book> {
	const ids = [marketIds];
	const [bets, met] = await Promise.all([
		db.query<MatchedBet>(
			`select bet_id as "betId", wallet_id as "walletId", runner, side = 0 as "isBack", matched,
			   matched_value as "matchedValue"
			 from bet where market_id = any ($1) and matched > 0 and (result is null or result in ('WON', 'LOST'))`,
			ids,
		),
		db.query<{ taker: number; maker: number }>(
			'select taker_bet_id as taker, maker_bet_id as maker from bet_match where market_id = any ($1)',
			ids,
		),
	]);
	const walletOf = new Map(bets.rows.map(({ betId, walletId }) => [betId, walletId]));
	return {
		bets: bets.rows,
		met: met.rows.map(({ taker, maker }) => [walletOf.get(taker) ?? 0, walletOf.get(maker) ?? 0] as const),
	};
}
