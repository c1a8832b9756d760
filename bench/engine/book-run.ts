/** The order book alone on the workload: resting, crossing and cancelling, without players, money or commands. */
import { BetTable } from '#engine/bets.ts';
import { cross } from '#engine/matching.ts';
import { OrderBooks } from '#engine/order-book.ts';
import { LADDERS, priceAt } from '#values/price-ladder.ts';
import { FillLog, operationAt, type Workload } from './workload.ts';

export class BookRun {
	readonly fills: FillLog;
	readonly #workload: Workload;
	readonly #bets = new BetTable(false, 1 << 20);
	readonly #books = new OrderBooks(this.#bets);
	/** Rows by order number. */
	readonly #rows: Int32Array;

	constructor(workload: Workload) {
		this.#workload = workload;
		this.fills = new FillLog(workload);
		this.#books.add(workload.markets * workload.runners, LADDERS.CLASSIC);
		this.#rows = new Int32Array(workload.orders + 1).fill(-1);
	}

	apply(op: number): void {
		const { cancel, order, market, runner, side, tick, stake } = operationAt(this.#workload, op);
		const book = market * this.#workload.runners + runner;
		if (cancel) {
			const bet = this.#rows[order] as number;
			const left = bet < 0 ? 0 : this.#bets.remaining(bet);
			if (left > 0) this.#books.reduce(book, bet, left);
			return;
		}
		const bet = this.#bets.add(order, 0, runner, side, priceAt(tick), tick, stake, false);
		this.#rows[order] = bet;
		cross(this.#bets, this.#books, book, bet, this, stake, tick);
		if (this.#bets.remaining(bet) > 0) this.#books.rest(book, bet);
	}

	filled(taker: number, maker: number, stake: number): void {
		this.fills.add(this.#bets.id(taker), this.#bets.id(maker), this.#bets.rung(maker), stake);
	}
}
