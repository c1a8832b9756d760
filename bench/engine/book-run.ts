/** The order book alone on the workload: resting, crossing and cancelling, without players, money or commands. */
import { Wallet } from '#engine/accounts.ts';
import { Position } from '#engine/market.ts';
import { cross } from '#engine/matching.ts';
import { Bet, OrderBook } from '#engine/order-book.ts';
import { FillLog, operationAt, type Workload } from './workload.ts';

export class BookRun {
	readonly fills: FillLog;
	readonly #workload: Workload;
	readonly #books: OrderBook[];
	readonly #bets: (Bet | undefined)[];
	/** Everybody's: the book asks nothing of it. */
	readonly #position: Position;

	constructor(workload: Workload) {
		this.#workload = workload;
		this.fills = new FillLog(workload);
		this.#books = Array.from({ length: workload.markets * workload.runners }, () => new OrderBook());
		this.#bets = Array.from({ length: workload.orders + 1 }, () => undefined);
		this.#position = new Position(new Wallet(1, 'PLAY', null), 1, workload.runners);
	}

	apply(op: number): void {
		const { cancel, order, market, runner, side, tick, stake } = operationAt(this.#workload, op);
		const book = this.#books[market * this.#workload.runners + runner] as OrderBook;
		if (cancel) {
			const bet = this.#bets[order];
			if (bet && bet.remaining > 0) book.reduce(bet, bet.remaining);
			return;
		}
		const bet = new Bet(order, this.#position, runner, side, tick, stake, false);
		this.#bets[order] = bet;
		cross(book, bet, this);
		if (bet.remaining > 0) book.rest(bet);
	}

	filled(taker: Bet, maker: Bet, stake: number): void {
		this.fills.add(taker.betId, maker.betId, maker.rung, stake);
	}
}
