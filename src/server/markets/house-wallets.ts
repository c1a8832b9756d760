/** Wallets of the house that quote: one of each kind a pool. */
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Pool } from '#values/pools.ts';

/** ₹1,000 crore of play money: enough for every quote. */
const GRANT_PAISE = 1_000_000_000_000;

/**
 * Opens the wallets and grants them play money, once.
 * @param name of the grant's request
 */
export async function openHouseWallets(
	exchange: Exchange,
	pools: readonly Pool[],
	wallets: Record<Pool, number>,
	name: string,
): Promise<void> {
	for (const pool of pools) {
		const walletId = wallets[pool];
		await exchange.submit({ kind: 'open-wallet', walletId, pool, currency: 'INR', commissionBp: 0, quotes: true });
		await exchange.submit(
			{ kind: 'grant-coins', grantId: walletId, walletId, amount: GRANT_PAISE },
			{ walletId, clientRequestId: name, body: name },
		);
	}
}
