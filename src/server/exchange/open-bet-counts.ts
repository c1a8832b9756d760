/** How many bets each wallet has in the engine, matched or not, as ordered so far. */
import type { WalletId } from '#values/ids.ts';

export class OpenBetCounts {
	readonly #counts = new Map<number, number>();

	of(walletId: WalletId): number {
		return this.#counts.get(walletId) ?? 0;
	}

	add(walletId: WalletId): void {
		this.#counts.set(walletId, this.of(walletId) + 1);
	}

	remove(walletId: WalletId): void {
		const left = this.of(walletId) - 1;
		if (left > 0) this.#counts.set(walletId, left);
		else this.#counts.delete(walletId);
	}
}
