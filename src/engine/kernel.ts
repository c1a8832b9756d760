/**
 * The engine's memory and what works on it, src/kernel, as WebAssembly: see ARCHITECTURE, "What is hot". Rows are
 * addressed alike on both sides, by the line of 64 bytes that they begin at.
 */
import { KERNEL_CODE } from '#engine/kernel-code.ts';

/** Four and eight bytes numbers of a line. */
export const LINE_WORDS = 16;
export const LINE_WIDE = 8;

/** What src/kernel exports; each function is described there. Rows, runners, rungs, prices and stakes are whole numbers of 31 bits. */
export interface KernelFunctions {
	readonly memory: { readonly buffer: ArrayBuffer };

	addBet(
		market: number,
		id: number,
		position: number,
		runner: number,
		side: number,
		price: number,
		rung: number,
		stake: number,
		persist: number,
	): number;
	removeBet(market: number, bet: number): void;
	touchBet(bet: number): void;

	findId(kind: number, id: number): number;
	setId(kind: number, id: number, row: number): void;
	removeId(kind: number, id: number): void;

	addMarket(
		id: number,
		index: number,
		flags: number,
		runners: number,
		lines: number,
		minStake: number,
		maxStake: number,
		maxProfit: number,
		maxExposure: number,
	): number;
	nameMarket(id: number, market: number): void;
	setState(market: number, takesBets: number, oneOfAllWins: number): void;
	endMarket(market: number): void;
	forgetMarket(market: number, id: number): void;
	moveMarket(market: number, index: number): void;
	addSide(market: number, pool: number, firstBook: number): void;

	addBooks(market: number, runners: number, rungs: number): number;
	closeBook(book: number): void;
	giveBooks(first: number, runners: number): void;
	rest(book: number, bet: number): void;
	restBehind(book: number, bet: number, older: number): void;
	reduce(book: number, bet: number, stake: number): void;
	takeFrom(book: number, side: number, taker: number, wanted: number, limit: number): number;
	traded(book: number, price: number, stake: number): void;
	bestFor(book: number, side: number): number;
	nextFor(book: number, side: number, rung: number): number;
	oldestFor(book: number, side: number, rung: number): number;
	newestOf(book: number, side: number, rung: number): number;
	sizeFor(book: number, side: number, rung: number): number;

	placeBet(
		marketId: number,
		walletId: number,
		id: number,
		runner: number,
		side: number,
		price: number,
		rung: number,
		stake: number,
		persist: number,
	): number;
	cancelBet(id: number, walletId: number, size: number): number;
	reportRow(): number;

	findPosition(market: number, wallet: number): number;
	addPosition(market: number, pool: number, wallet: number): number;
	clearPositions(market: number, pool: number): void;
	touchPosition(position: number): void;
	link(position: number, bet: number): void;
	unlink(position: number, bet: number): void;
	hold(position: number, exposure: number): number;

	addWallet(id: number, pool: number, commissionBp: number): number;
	touchWallet(wallet: number): void;

	keepTouched(): void;
	touchedCount(): number;
	touchedList(): number;
	forgetTouched(): void;
}

/** As far as it is used here; the engine runs wherever there is WebAssembly, so it knows no platform's types. */
declare const WebAssembly: {
	Module: new (code: Uint8Array) => object;
	Instance: new (module: object, imports: Record<string, Record<string, () => void>>) => { exports: unknown };
};
declare const atob: (base64: string) => string;

const module = new WebAssembly.Module(Uint8Array.from(atob(KERNEL_CODE), (byte) => byte.charCodeAt(0)));

/** Where a report keeps what. */
const FILLS = 0;
const FILL_ROW = 1;
const HOLDS = 3;
const HOLD_ROW = 4;
const POOL = 6;
const MARKET = 7;
const BET = 8;
/** And where a market's row keeps its flags and, as eight bytes, its id. */
const MARKET_FLAGS = 0;
const MARKET_ID = 10;

/** What a market may be for ever, see src/kernel/markets.ts. */
export const MARKET_FLAG = { REFUSES_OWN: 2, FAIR_PROFITS: 4, REMEMBERS: 32 } as const;

/** A fill: the id of the resting bet, and of four bytes each its row, the stake and the price. */
export const FILL = { NUMBERS: 3, MAKER_ID: 0, MAKER: 2, STAKE: 3, PRICE: 4 } as const;

/** A change of what is held: the wallet's id, what was moved into its exposure account, below zero out of it, its cash then. A change of 0 is one to be reckoned outside. */
export const HELD = { NUMBERS: 3, WALLET_ID: 0, CHANGE: 1, CASH: 2 } as const;

export class Kernel {
	readonly call: KernelFunctions;
	/** All of the memory, four bytes and eight bytes at a time; others whenever it grew. */
	words = new Int32Array(0);
	wide = new Float64Array(0);

	/** Where the report of the last bet begins in `words`. */
	readonly report: number;

	constructor(keepDigest: boolean) {
		const { exports } = new WebAssembly.Instance(module, {
			env: { abort: brokenRule },
			lines: { grown: () => this.#look() },
		});
		// A copy: functions are found faster on a plain object.
		this.call = { ...(exports as KernelFunctions) };
		this.report = this.call.reportRow() * LINE_WORDS;
		this.#look();
		if (keepDigest) this.call.keepTouched();
	}

	/** How many fills the last bet had. */
	get fills(): number {
		return this.words[this.report + FILLS] as number;
	}
	/** Where the first of these begins in `wide`: see FILL. */
	get firstFill(): number {
		return (this.words[this.report + FILL_ROW] as number) * LINE_WIDE;
	}

	/** The code of the pool that the last bet is in. */
	get pool(): number {
		return this.words[this.report + POOL] as number;
	}

	/** The row of the bet that was taken back last; good until the next is placed. */
	get cancelled(): number {
		return this.words[this.report + BET] as number;
	}
	/** The id of the market that it is in. */
	get marketId(): number {
		return this.wide[(this.words[this.report + MARKET] as number) * LINE_WIDE + MARKET_ID] as number;
	}
	/** Whether that market remembers more of its bets than their rows say. */
	get marketRemembers(): boolean {
		const flags = this.words[(this.words[this.report + MARKET] as number) * LINE_WORDS + MARKET_FLAGS] as number;
		return (flags & MARKET_FLAG.REMEMBERS) !== 0;
	}

	/** How often what is held was changed by it. */
	get holds(): number {
		return this.words[this.report + HOLDS] as number;
	}
	/** Where the first of these begins in `wide`: see HELD. */
	get firstHold(): number {
		return (this.words[this.report + HOLD_ROW] as number) * LINE_WIDE;
	}

	#look(): void {
		const { buffer } = this.call.memory;
		this.words = new Int32Array(buffer);
		this.wide = new Float64Array(buffer);
	}
}

function brokenRule(): never {
	throw new Error('the engine would break a rule of its own: an account below zero, or no memory left');
}
