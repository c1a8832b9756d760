/** Wallets of the house that quote or bet: one of each kind per pool with granted coins. */
import type { Exchange } from '#server/exchange/exchange.ts';
import { housePools } from '#server/world/markets/market-pools.ts';
import { Refused } from '#values/error-catalogue.ts';
import { HOME_POOLS, POOLS, type Pool, poolCode } from '#values/pools.ts';

/** ₹1,000 crore of play money: enough for every quote. */
const GRANT_MINOR = 1_000_000_000_000;

/**
 * The ids of a kind of the house's wallets, by pool: below those of players.
 * @param home the id of the first pool
 * @param further an id below those of further currencies' pools, which have their codes above it
 */
export const houseWalletsFrom = (home: number, further: number): Readonly<Record<Pool, number>> =>
	Object.fromEntries(
		POOLS.map((pool) => [pool, (HOME_POOLS.includes(pool) ? home : further) + poolCode(pool)]),
	) as Record<Pool, number>;

/**
 * Opens the wallets and grants them play money, once.
 * @param name of the grant's request
 * @param quotes whether its bets are quotes, of which the ledger learns when they are matched; otherwise they are bets as any
 */
export async function openHouseWallets(
	exchange: Exchange,
	wallets: Record<Pool, number>,
	name: string,
	{ quotes = true } = {},
): Promise<void> {
	for (const pool of housePools(exchange)) {
		const walletId = wallets[pool];
		await exchange.submit({ kind: 'open-wallet', walletId, pool, commissionBp: 0, ...(quotes ? { quotes } : {}) });
		const grant = { kind: 'grant-coins', grantId: walletId, walletId, amount: GRANT_MINOR } as const;
		// A request is remembered for a limited time, the posting of a grant permanently: a later repetition is refused,
		// and the grant exists already.
		await exchange.submit(grant, { walletId, clientRequestId: name, body: name }).catch((error: unknown) => {
			if (!(error instanceof Refused && error.code === 'REQUEST_ID_REUSED')) throw error;
		});
	}
}
