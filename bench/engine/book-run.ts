/**
 * The order book alone on the workload: resting, matching and cancelling, without players, money or commands. All runs
 * share one memory, as on a server; a run frees what it took.
 */
import { BetTable } from '#engine/bets.ts';
import { Expiries } from '#engine/expiries.ts';
import { Kernel, FILL_WIDE as NUMBERS } from '#engine/kernel.ts';
import { FILL_ROW } from '#engine/kernel-layout.ts';
import { OrderBooks } from '#engine/order-book.ts';
import { VolumeLimits } from '#engine/volume-limits.ts';
import { LADDERS, priceAt, tickOf } from '#values/price-ladder.ts';
import { LoneBets } from './lone-bets.ts';
import { CANCEL, FillLog, OPERATION, type Workload } from './workload.ts';

const { makerId: MAKER_ID, stake: FILLED, price: PRICE } = FILL_ROW;
/** The pool of the lowest code. */
const ONE_POOL = 1;
const { WORDS, KIND, ORDER, MARKET, RUNNER, SIDE, TICK, STAKE } = OPERATION;

export class BookRun {
	fills: FillLog;
	readonly #workload: Workload;
	readonly #kernel = new Kernel(false);
	readonly #bets = new BetTable(this.#kernel, new Expiries(), new VolumeLimits());
	readonly #lone = new LoneBets(this.#kernel);
	readonly #books = new OrderBooks(this.#kernel, this.#bets);
	/** By market: its row, and its first book. */
	readonly #markets: Int32Array;
	readonly #firstBooks: Int32Array;
	/** Rows by order number. */
	readonly #rows: Int32Array;

	constructor(workload: Workload) {
		this.#workload = workload;
		this.fills = new FillLog(workload);
		this.#markets = new Int32Array(workload.markets);
		this.#firstBooks = new Int32Array(workload.markets);
		this.#rows = new Int32Array(workload.orders + 1);
	}

	begin(): void {
		const { markets, runners } = this.#workload;
		this.fills = new FillLog(this.#workload);
		for (let market = 0; market < markets; market++) {
			const row = this.#kernel.call.addMarket(market, runners, 1, runners, ONE_POOL);
			this.#markets[market] = row;
			this.#books.add(row, LADDERS.CLASSIC);
			this.#firstBooks[market] = this.#kernel.call.firstBookOf(row);
		}
		this.#rows.fill(0);
	}

	end(): void {
		const { markets } = this.#workload;
		for (let market = 0; market < markets; market++) {
			this.#kernel.call.endMarket(this.#markets[market] as number);
			this.#kernel.call.forgetMarket(this.#markets[market] as number);
		}
	}

	apply(op: number): void {
		const { words } = this.#workload;
		const at = op * WORDS;
		const order = words[at + ORDER] as number;
		const runner = words[at + RUNNER] as number;
		const market = words[at + MARKET] as number;
		const book = (this.#firstBooks[market] as number) + runner;
		if (words[at + KIND] === CANCEL) {
			const bet = this.#rows[order] as number;
			const left = bet === 0 ? 0 : this.#bets.remaining(bet);
			if (left > 0) this.#kernel.call.reduce(book, bet, left);
			return;
		}
		const side = words[at + SIDE] as 0 | 1;
		const tick = words[at + TICK] as number;
		const stake = words[at + STAKE] as number;
		const { call } = this.#kernel;
		const bet = this.#lone.add({
			market: this.#markets[market] as number,
			id: order,
			runner,
			side,
			price: priceAt(tick),
			tick,
			stake,
		});
		this.#rows[order] = bet;
		call.clearReport();
		const fills = call.takeFrom(book, side, bet, stake, tick);
		const { words: rows, wide, firstFill } = this.#kernel;
		for (let fill = firstFill; fill < firstFill + fills * NUMBERS; fill += NUMBERS) {
			const price = rows[fill * 2 + PRICE] as number;
			this.fills.add(order, wide[fill + MAKER_ID] as number, tickOf(price), rows[fill * 2 + FILLED] as number);
		}
		if (this.#bets.remaining(bet) > 0) call.rest(book, bet);
	}
}
