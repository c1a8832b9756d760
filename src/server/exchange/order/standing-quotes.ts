/**
 * How many unmatched quotes the wallets of the house have in each market. There are far fewer of them than bets, and a
 * takeover, which withdraws them, has no time to look at all bets.
 */
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';

/** The unmatched quotes of a wallet in a market. */
export interface QuotedMarket {
	walletId: WalletId;
	marketId: MarketId;
	quotes: number;
}

type QuoteRow = Pick<BetRow, 'betId' | 'walletId' | 'marketId' | 'quote' | 'remaining' | 'endedAtMs'>;

const stands = ({ quote, remaining, endedAtMs }: QuoteRow): boolean => quote && remaining > 0 && endedAtMs === null;

export class StandingQuotes {
	readonly #ids = new Map<WalletId, Map<MarketId, Set<BetId>>>();

	/** Enters what became of a bet. */
	set(row: QuoteRow): void {
		if (stands(row)) this.#add(row);
		else if (this.#ids.size > 0) this.#remove(row);
	}

	/** @param changed bets that stand otherwise than they were entered */
	markets(changed: Iterable<QuoteRow>): QuotedMarket[] {
		const found = new Map<string, QuotedMarket>();
		const count = ({ walletId, marketId }: Pick<QuoteRow, 'walletId' | 'marketId'>, more: number): void => {
			const key = `${walletId}.${marketId}`;
			const quoted = found.get(key) ?? { walletId, marketId, quotes: 0 };
			quoted.quotes += more;
			found.set(key, quoted);
		};
		for (const [walletId, markets] of this.#ids)
			for (const [marketId, { size }] of markets) count({ walletId, marketId }, size);
		for (const row of changed) {
			const more = Number(stands(row)) - Number(this.#has(row));
			if (more !== 0) count(row, more);
		}
		return [...found.values()].filter(({ quotes }) => quotes > 0);
	}

	#has({ betId, walletId, marketId }: QuoteRow): boolean {
		return this.#ids.get(walletId)?.get(marketId)?.has(betId) ?? false;
	}

	#add({ betId, walletId, marketId }: QuoteRow): void {
		let markets = this.#ids.get(walletId);
		if (!markets) this.#ids.set(walletId, (markets = new Map()));
		const ids = markets.get(marketId);
		if (ids) ids.add(betId);
		else markets.set(marketId, new Set([betId]));
	}

	#remove({ betId, walletId, marketId }: QuoteRow): void {
		const markets = this.#ids.get(walletId);
		const ids = markets?.get(marketId);
		if (!markets || !ids?.delete(betId) || ids.size > 0) return;
		markets.delete(marketId);
		if (markets.size === 0) this.#ids.delete(walletId);
	}
}
