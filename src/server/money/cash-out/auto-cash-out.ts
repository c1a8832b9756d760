/**
 * Watches cash-out targets. Whenever the durable state of a market with targets changes, it checks whether a target
 * seems to be reached. That is a hint: the engine decides by its own position, and stores and removes targets. After a
 * restart nothing is checked before the first change, because the prices are old.
 */
import type { Logger } from 'pino';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { standing } from '#server/money/cash-out/standing.ts';
import { Listeners } from '#server/platform/bus/listeners.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

export class AutoCashOut {
	/** Reports targets that were reached, when the cash-out is durable. */
	readonly reached = new Listeners<{ walletId: WalletId; marketId: MarketId }>();
	readonly #exchange: Exchange;
	readonly #log: Logger;
	/** Markets to check in this turn of the event loop. */
	readonly #changed = new Set<number>();

	constructor({ exchange, log }: { exchange: Exchange; log: Logger }) {
		this.#exchange = exchange;
		this.#log = log;
	}

	onCommitted({ books, markets, targets }: Committed): void {
		for (const { marketId } of [...books, ...markets, ...targets]) this.#look(marketId);
	}

	/** Many changes in one turn cause one check. */
	#look(marketId: MarketId): void {
		if (this.#changed.has(marketId) || this.#exchange.cashOutTargets(marketId).length === 0) return;
		this.#changed.add(marketId);
		setImmediate(() => {
			this.#changed.delete(marketId);
			for (const { walletId, target } of this.#exchange.cashOutTargets(marketId)) {
				void this.#consider(walletId, marketId, target);
			}
		});
	}

	async #consider(walletId: WalletId, marketId: MarketId, target: AnyMinor): Promise<void> {
		try {
			if (this.#exchange.market(marketId)?.status !== 'OPEN') return;
			const { plan } = standing(this.#exchange, walletId, marketId);
			// A level position needs no target any more; the engine removes it.
			const isTime = typeof plan === 'string' ? plan === 'NOTHING_TO_CASH_OUT' : plan.certain >= target;
			if (!isTime) return;
			await this.#exchange.submit({ kind: 'reach-cash-out-target', walletId, marketId });
			if (typeof plan !== 'string') this.reached.notify({ walletId, marketId });
		} catch (error) {
			// The engine is ahead of the durable state. The target stays, and the next change is checked.
			if (!(error instanceof Refused)) this.#log.error({ err: error, marketId }, 'a cash-out at a target failed');
		}
	}
}
