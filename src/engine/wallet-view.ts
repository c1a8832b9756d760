/** A wallet as it is read from outside the engine. */
import type { WalletView } from '#engine/engine.ts';
import { NONE } from '#engine/rows.ts';
import type { WalletTable } from '#engine/wallets.ts';
import type { WalletId } from '#values/ids.ts';

/** See `Engine.wallet`. */
export function walletView(wallets: WalletTable, walletId: WalletId): WalletView | null {
	const row = wallets.find(walletId);
	if (row === NONE) return null;
	return {
		walletId,
		pool: wallets.pool(row),
		cash: wallets.cash(row),
		exposure: wallets.exposure(row),
		hold: wallets.balance(row, 'hold'),
		bonus: wallets.balance(row, 'bonus'),
		version: wallets.version(row),
		commissionBp: wallets.commissionBp(row),
		limits: wallets.limits(row),
		selfMatch: wallets.selfMatch(row),
		quotes: wallets.isQuoting(row),
	};
}
