/** The order book alone on the workload: resting, crossing and cancelling, without players, money or commands. */
import { BetTable } from '#engine/bets.ts';
import { OrderBooks, TAKING } from '#engine/order-book.ts';
import { LADDERS, priceAt } from '#values/price-ladder.ts';
import { CANCEL, FillLog, OPERATION, type Workload } from './workload.ts';

const { FILL } = TAKING;
const { WORDS, KIND, ORDER, MARKET, RUNNER, SIDE, TICK, STAKE } = OPERATION;

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
		const { words, runners } = this.#workload;
		const at = op * WORDS;
		const order = words[at + ORDER] as number;
		const runner = words[at + RUNNER] as number;
		const book = (words[at + MARKET] as number) * runners + runner;
		if (words[at + KIND] === CANCEL) {
			const bet = this.#rows[order] as number;
			const left = bet < 0 ? 0 : this.#bets.remaining(bet);
			if (left > 0) this.#books.reduce(book, bet, left);
			return;
		}
		const side = words[at + SIDE] as 0 | 1;
		const tick = words[at + TICK] as number;
		const stake = words[at + STAKE] as number;
		const bet = this.#bets.add(order, 0, runner, side, priceAt(tick), tick, stake, false);
		this.#rows[order] = bet;
		const length = this.#books.take(book, side, bet, stake, tick);
		const { fills } = this.#books;
		for (let at = 0; at < length; at += FILL) this.#filled(order, fills[at] as number, fills[at + 1] as number);
		if (this.#bets.remaining(bet) > 0) this.#books.rest(book, bet);
	}

	#filled(taker: number, maker: number, stake: number): void {
		this.fills.add(taker, this.#bets.id(maker), this.#bets.rung(maker), stake);
	}
}
