/** Orders of house wallets that simulated players place, until they are answered. */
import type { Logger } from 'pino';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import type { Draw } from '#sports/random.ts';
import { Refused } from '#values/error-catalogue.ts';

export class HouseOrders {
	readonly #exchange: Pick<Exchange, 'submit'>;
	readonly #log: Logger;
	/** Written to the log where an order fails and is not refused. */
	readonly #failure: string;
	readonly #unanswered = new Set<Promise<void>>();

	constructor(exchange: Pick<Exchange, 'submit'>, log: Logger, failure: string) {
		this.#exchange = exchange;
		this.#log = log;
		this.#failure = failure;
	}

	/** Refusals are ignored: the market turned, or the exchange is unavailable. */
	submit(order: Request): void {
		const submitted = this.#submit(order);
		this.#unanswered.add(submitted);
		void submitted.finally(() => this.#unanswered.delete(submitted));
	}

	async answered(): Promise<void> {
		await Promise.all(this.#unanswered);
	}

	async #submit(order: Request): Promise<void> {
		try {
			await this.#exchange.submit(order);
		} catch (error) {
			if (!(error instanceof Refused)) this.#log.error({ err: error }, this.#failure);
		}
	}
}

/** A random whole number with that mean, or with the largest mean that is allowed. */
export function randomCount(mean: number, largest: number, draw: Draw): number {
	const limited = Math.min(largest, mean);
	return Math.floor(limited) + (draw() < limited % 1 ? 1 : 0);
}
