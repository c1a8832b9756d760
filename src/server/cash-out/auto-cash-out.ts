/**
 * Watches cash-out targets: whenever what is durable of a market with targets changes, it looks whether one of them seems
 * to be reached. That is a hint; the engine decides by its own position, and keeps and forgets the targets. After a
 * restart nothing is looked at before its first change, because the prices are those of before.
 */
import type { Logger } from 'pino';
import { standing } from '#server/cash-out/standing.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

export class AutoCashOut {
	readonly #exchange: Exchange;
	readonly #log: Logger;
	/** Markets to look at again in this turn of the loop. */
	readonly #changed = new Set<number>();

	constructor({ exchange, log }: { exchange: Exchange; log: Logger }) {
		this.#exchange = exchange;
		this.#log = log;
	}

	onCommitted({ books, markets, targets }: Committed): void {
		for (const { marketId } of [...books, ...markets, ...targets]) this.#look(marketId);
	}

	/** Many changes of one turn are one look. */
	#look(marketId: number): void {
		if (this.#changed.has(marketId) || this.#exchange.cashOutTargets(marketId).length === 0) return;
		this.#changed.add(marketId);
		setImmediate(() => {
			this.#changed.delete(marketId);
			for (const { walletId, target } of this.#exchange.cashOutTargets(marketId)) {
				void this.#consider(walletId, marketId, target);
			}
		});
	}

	async #consider(walletId: number, marketId: number, target: number): Promise<void> {
		try {
			if (this.#exchange.market(marketId)?.status !== 'OPEN') return;
			const { plan } = standing(this.#exchange, walletId, marketId);
			// A position that is level needs no target any more; the engine takes it away.
			const isTime = typeof plan === 'string' ? plan === 'NOTHING_TO_CASH_OUT' : plan.certain >= target;
			if (isTime) await this.#exchange.submit({ kind: 'reach-cash-out-target', walletId, marketId });
		} catch (error) {
			// The engine is ahead of what is durable: the target stays, the next change is looked at.
			if (!(error instanceof Refused)) this.#log.error({ err: error, marketId }, 'a cash-out at a target failed');
		}
	}
}
