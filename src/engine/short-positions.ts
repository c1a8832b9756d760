/**
 * Short positions: those for which less is held than their bets may lose. A removed runner, a void match or a reversed settlement
 * leaves them so, where the money was elsewhere. Once it is free again it is not spent: not withdrawn, not staked in the casino,
 * and not held for bets in other markets. While a walk changes the bets of a market, what it is about to leave short counts from its
 * beginning on, as where one command changes them. What a position lacks is worked out when it is asked for, so a recovered engine says the
 * same; only where to look is remembered.
 */
import type { BetTable } from '#engine/bets.ts';
import { exposureAfterChange } from '#engine/exposure-after-change.ts';
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
	bets: BetTable;
	positions: PositionTable;
	/** Those whose bets are being changed, some wallets a step. */
	changing: ReadonlySet<Market>;
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

	/** The positions of a wallet that walks through changes have not reached yet: the changes may leave them short. */
	noteUnchanged(wallet: number): void {
		const { wallets, positions, changing } = this.#tables;
		for (const market of changing) {
			if (!isUnchanged(market, wallets.id(wallet))) continue;
			const position = positions.find(market, wallet);
			if (position !== NONE) this.note(position);
		}
	}

	/**
	 * What the positions of a wallet lack, minor units.
	 * @param wallet its row
	 * @param but the row of a market that is left out
	 */
	lackedBy(wallet: number, but: number = NONE): AnyMinor {
		if (this.#tables.changing.size > 0) this.noteUnchanged(wallet);
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
		const walletId = wallets.id(wallet);
		if (!isKnown(market, walletId)) return null;
		const position = positions.find(market, wallet);
		if (position === NONE) return 0;
		const exposure = isUnchanged(market, walletId)
			? exposureAfterChange(this.#tables, market, position)
			: kernel.call.exposureOf(position);
		return Math.max(0, exposure - positions.held(position));
	}
}

/**
 * Whether what is held for a wallet and the bets that it is held for stand together. Between the steps of a settlement, or of its
 * reversal, some bets of a large wallet are settled, or back, and its money is not.
 */
function isKnown({ status, results, reversing, decided }: Market, walletId: WalletId): boolean {
	if (status !== 'SETTLING') return true;
	// In a market that is being voided the bets lose nothing, and nothing but its voiding follows: what they lacked is free from its
	// beginning on, as after a voiding by one command. A market whose reversal is under way may lose again what is back.
	return !decided.has(walletId) && (results !== null || reversing !== null);
}

/** Whether a walk that removes a runner, returns it or corrects its factor has still to change the bets of a wallet. */
const isUnchanged = ({ changing }: Market, walletId: WalletId): boolean =>
	changing?.change.kind === 'RUNNER' && walletId > changing.doneWallet && walletId !== changing.part?.walletId;
