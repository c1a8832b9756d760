/**
 * Watches cash-out targets. Whenever the durable state of a market with targets changes, it checks whether a target
 * seems to be reached. That is a hint: the engine decides by its own position, and stores and removes targets. After a
 * restart nothing is checked before the first change, because the prices are old.
 *
 * A market may have thousands of targets, so a turn of the event loop looks at some, and bets are taken in between. Markets
 * take turns. What changes during a look at a market is followed by one more whole look.
 */
import type { Logger } from 'pino';
import type { Committed } from '#server/exchange/committed.ts';
import type { CashOutTarget, Exchange } from '#server/exchange/exchange.ts';
import { standing } from '#server/money/cash-out/standing.ts';
import { Listeners } from '#server/platform/bus/listeners.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** Of all markets, in a turn of the event loop: about a millisecond of work. */
export const TARGETS_A_TURN = 32;

/** A look at the targets of a market. */
interface Look {
	/** Null until it begins. */
	left: Iterator<CashOutTarget> | null;
	/** The market changed since. */
	isOutdated: boolean;
}

export class AutoCashOut {
	/** Reports targets that were reached, when the cash-out is durable. */
	readonly reached = new Listeners<{ walletId: WalletId; marketId: MarketId }>();
	readonly #exchange: Exchange;
	readonly #log: Logger;
	/** By market, the next one first. */
	readonly #looks = new Map<MarketId, Look>();
	#isTurnComing = false;

	constructor({ exchange, log }: { exchange: Exchange; log: Logger }) {
		this.#exchange = exchange;
		this.#log = log;
	}

	onCommitted({ books, markets, targets }: Committed): void {
		for (const { marketId } of [...books, ...markets, ...targets]) this.#look(marketId);
	}

	/** Many changes before a look begins cause one, and so do many changes during a look. */
	#look(marketId: MarketId): void {
		const look = this.#looks.get(marketId);
		if (look) look.isOutdated = look.left !== null;
		else if (this.#exchange.hasCashOutTargets(marketId)) {
			this.#looks.set(marketId, { left: null, isOutdated: false });
			this.#askForTurn();
		}
	}

	#askForTurn(): void {
		if (this.#isTurnComing || this.#looks.size === 0) return;
		this.#isTurnComing = true;
		setImmediate(() => {
			this.#isTurnComing = false;
			this.#takeTurn();
			this.#askForTurn();
		});
	}

	#takeTurn(): void {
		for (let looked = 0; looked < TARGETS_A_TURN; ) {
			const [next] = this.#looks;
			if (!next) return;
			const [marketId, look] = next;
			look.left ??= this.#exchange.cashOutTargets(marketId)[Symbol.iterator]();
			const { value, done } = look.left.next();
			if (!done) {
				void this.#consider(value.walletId, marketId, value.target);
				looked++;
				continue;
			}
			this.#looks.delete(marketId);
			if (look.isOutdated) this.#look(marketId);
		}
		this.#letOthersBeNext();
	}

	#letOthersBeNext(): void {
		const [first] = this.#looks;
		if (!first) return;
		const [marketId, look] = first;
		this.#looks.delete(marketId);
		this.#looks.set(marketId, look);
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
