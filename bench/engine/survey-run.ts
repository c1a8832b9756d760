/**
 * The order book alone on the order flow of a public survey of matching engines: one symbol, orders that rest or are
 * cancelled at once, cancels, and changes that take an order out and put it in again. What happens is reported as the
 * survey asks, in a flat array. All runs share one memory, as on a server; a run frees what it took.
 */
import { BetTable } from '#engine/bets.ts';
import { Expiries } from '#engine/expiries.ts';
import { Kernel, FILL_WIDE as NUMBERS } from '#engine/kernel.ts';
import { FILL_ROW } from '#engine/kernel-layout.ts';
import { VolumeLimits } from '#engine/volume-limits.ts';
import { LoneBets } from './lone-bets.ts';
import { CANCEL, NEW, REPORT, type SurveyFlow } from './survey-flow.ts';

const { makerId: MAKER_ID, stake: FILLED, price: PRICE } = FILL_ROW;
/** The pool of the lowest code. */
const ONE_POOL = 1;
const RUNNERS = 2;
/** A message acknowledges, trades some times, and cancels a rest; few trade more than once. */
const REPORTS_A_MESSAGE = 3;

interface Reported {
	side: number;
	order: number;
	price: number;
	quantity: number;
}

export class SurveyRun {
	/** Six words each, `REPORT`. */
	reports: Int32Array;
	length = 0;
	readonly #flow: SurveyFlow;
	readonly #kernel = new Kernel(false);
	readonly #bets = new BetTable(this.#kernel, new Expiries(), new VolumeLimits());
	readonly #lone = new LoneBets(this.#kernel);
	#market = 0;
	#book = 0;
	/** Rows of the survey's orders; 0 for one that never was here. */
	readonly #rows: Int32Array;

	constructor(flow: SurveyFlow) {
		this.#flow = flow;
		this.reports = new Int32Array(flow.messages * REPORTS_A_MESSAGE * REPORT.WORDS);
		this.#rows = new Int32Array(flow.orders + 1);
	}

	begin(): void {
		this.length = 0;
		this.#rows.fill(0);
		const { call } = this.#kernel;
		this.#market = call.addMarket(0, RUNNERS, 1, RUNNERS, ONE_POOL);
		call.addBooks(this.#market, this.#flow.ticks);
		this.#book = call.firstBookOf(this.#market);
	}

	end(): void {
		this.#kernel.call.endMarket(this.#market);
		this.#kernel.call.forgetMarket(this.#market);
	}

	/** Takes the message with that number. */
	apply(at: number): void {
		const { kinds, sides, orders, prices, quantities, isImmediate } = this.#flow.columns;
		const kind = kinds[at] as number;
		const order = orders[at] as number;
		const side = sides[at] as 0 | 1;
		const price = prices[at] as number;
		if (kind === NEW) {
			const quantity = quantities[at] as number;
			this.#report(REPORT.ORDER_ACK, at, { side, order, price, quantity });
			this.#take(at, isImmediate[at] === 1);
			return;
		}
		const row = this.#rows[order] as number;
		const left = row === 0 ? 0 : this.#bets.remaining(row);
		if (left === 0) {
			this.#report(kind === CANCEL ? REPORT.CANCEL_REJECT : REPORT.MODIFY_REJECT, at, {
				side: 0,
				order,
				price: 0,
				quantity: 0,
			});
			return;
		}
		this.#kernel.call.reduce(this.#book, row, left);
		if (kind === CANCEL) {
			this.#report(REPORT.CANCEL_ACK, at, { side, order, price: this.#bets.price(row), quantity: 0 });
			return;
		}
		this.#report(REPORT.MODIFY_ACK, at, { side, order, price, quantity: quantities[at] as number });
		this.#take(at, false);
	}

	/** Matches an order, and lets the rest of it wait unless it is immediate. Its bet has the message's number. */
	#take(at: number, isImmediate: boolean): void {
		const { sides, orders, prices, quantities } = this.#flow.columns;
		const { call } = this.#kernel;
		// A buyer bids: bids that are higher are met first, as lays are.
		const side = (1 - (sides[at] as number)) as 0 | 1;
		const order = orders[at] as number;
		const price = prices[at] as number;
		const tick = price - this.#flow.lowest;
		const stake = quantities[at] as number;
		const bet = this.#lone.add({ market: this.#market, id: at + 1, runner: 0, side, price, tick, stake });
		this.#rows[order] = bet;
		call.clearReport();
		const fills = call.takeFrom(this.#book, side, bet, stake, tick);
		const { words, wide, firstFill } = this.#kernel;
		for (let fill = firstFill; fill < firstFill + fills * NUMBERS; fill += NUMBERS) {
			const maker = orders[(wide[fill + MAKER_ID] as number) - 1] as number;
			const [traded, quantity] = [words[fill * 2 + PRICE] as number, words[fill * 2 + FILLED] as number];
			this.#report(REPORT.TRADE, at, { side: maker, order, price: traded, quantity });
		}
		if (this.#bets.remaining(bet) === 0) return;
		if (isImmediate) {
			this.#rows[order] = 0;
			this.#report(REPORT.CANCEL_ACK, at, { side: sides[at] as number, order, price, quantity: 0 });
		} else call.rest(this.#book, bet);
	}

	/** @param side of a trade: the maker's order */
	#report(kind: number, at: number, { side, order, price, quantity }: Reported): void {
		const { reports, length } = this;
		reports[length] = kind;
		reports[length + 1] = at;
		reports[length + 2] = side;
		reports[length + 3] = order;
		reports[length + 4] = price;
		reports[length + 5] = quantity;
		this.length = length + REPORT.WORDS;
	}
}
