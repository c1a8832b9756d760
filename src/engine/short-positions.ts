/**
 * Short positions: those for which less is held than their bets may lose. A removed runner, a void match or a reversed settlement
 * leaves them so, where the money was elsewhere. Once it is free again it is not spent: not withdrawn, not staked in the casino,
 * and not held for bets in other markets. What a position lacks is worked out when it is asked for, so a recovered engine says the
 * same; only where to look is remembered.
 */
import type { Kernel } from '#engine/kernel.ts';
import type { Market, MarketIndex } from '#engine/market.ts';
import type { PositionTable } from '#engine/positions.ts';
import { NONE } from '#engine/rows.ts';
import type { WalletTable } from '#engine/wallets.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** What they are worked out from. */
interface Tables {
	kernel: Kernel;
	wallets: WalletTable;
	markets: MarketIndex;
	positions: PositionTable;
}

export class ShortPositions {
	readonly #tables: Tables;
	/** By the row of each wallet that is SHORT: the markets in which its position may lack money. */
	readonly #markets = new Map<number, Set<MarketId>>();

	constructor(tables: Tables) {
		this.#tables = tables;
	}

	/** A position may hold less than its exposure. */
	note(position: number): void {
		const { wallets, positions } = this.#tables;
		const wallet = positions.walletOf(position);
		const { marketId } = positions.marketOf(position);
		const markets = this.#markets.get(wallet);
		if (markets) markets.add(marketId);
		else this.#markets.set(wallet, new Set([marketId]));
		wallets.setShort(wallet, true);
	}

	/**
	 * What the positions of a wallet lack, minor units.
	 * @param wallet its row
	 * @param but the row of a market that is left out
	 */
	lackedBy(wallet: number, but: number = NONE): AnyMinor {
		const markets = this.#markets.get(wallet);
		if (!markets) return 0;
		let lacking = 0;
		for (const marketId of markets) {
			const market = this.#tables.markets.get(marketId);
			if (market?.row === but) continue;
			const here = market ? this.lackedIn(market, wallet) : 0;
			lacking += here ?? 0;
			if (here === 0) markets.delete(marketId);
		}
		if (markets.size === 0) {
			this.#markets.delete(wallet);
			this.#tables.wallets.setShort(wallet, false);
		}
		return lacking;
	}

	/** What the position of a wallet in a market lacks, minor units; null while a walk through the market leaves it unknown. */
	lackedIn(market: Market, wallet: number): AnyMinor | null {
		const { kernel, wallets, positions } = this.#tables;
		if (!isKnown(market, wallets.id(wallet))) return null;
		const position = positions.find(market, wallet);
		return position === NONE ? 0 : Math.max(0, kernel.call.exposureOf(position) - positions.held(position));
	}
}

/**
 * Whether what is held for a wallet and the bets that it is held for stand together. Between the steps of a settlement, or of its
 * reversal, some of its bets are settled, or back, and its money is not.
 */
function isKnown({ status, results, reversing, decided }: Market, walletId: WalletId): boolean {
	// A market that is being voided gives back all that is held.
	return status !== 'SETTLING' || (results !== null && reversing === null && !decided.has(walletId));
}
