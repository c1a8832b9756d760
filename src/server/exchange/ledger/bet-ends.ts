/**
 * When bets of players ended. A bet's own row says it as well, but in no index: an index of what changes would make each bet
 * that ends five new entries. A settlement adds a row for each of its players, however many bets they have.
 */
import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

interface BetEnd {
	walletId: WalletId;
	/** Milliseconds since 1970. */
	endedAtMs: number;
	marketId: MarketId;
}

/**
 * SQL: ended bets of players, to be found by `wallet_id` and `ended_at`. A row of `bet_end` stays when its bets are
 * reopened or detached, and then joins none.
 */
export const ENDED_BETS = 'bet_end join bet using (wallet_id, ended_at, market_id)';

/** The ends in a batch, each once. */
export function betEnds({ bets }: Pick<BatchRows, 'bets'>): BetEnd[] {
	const ends = new Map<string, BetEnd>();
	let last: BetEnd | undefined;
	for (const { walletId, endedAtMs, marketId } of bets) {
		if (endedAtMs === null || walletId < FIRST_PLAYER_ID) continue;
		// A settlement ends a wallet's bets one after the other.
		if (last?.walletId === walletId && last.endedAtMs === endedAtMs && last.marketId === marketId) continue;
		last = { walletId, endedAtMs, marketId };
		ends.set(`${walletId} ${endedAtMs} ${marketId}`, last);
	}
	return [...ends.values()];
}
