/**
 * The engine's memory and what works on it, src/kernel, as WebAssembly: see ARCHITECTURE, "The kernel". Rows are
 * addressed alike on both sides, by the line of 64 bytes that they begin at.
 */
import { KERNEL_CODE } from '#engine/kernel-code.ts';
import { BLOCKS, type KernelFunctions, MARKET_ROW, MARKETS, REPORT, REPORT_ROW } from '#engine/kernel-layout.ts';

/** Four and eight bytes numbers of a line. */
export const BLOCK_WORDS = BLOCKS.BLOCK / 4;
export const BLOCK_WIDE = BLOCKS.BLOCK / 8;

/** As far as it is used here; the engine runs wherever there is WebAssembly, so it knows no platform's types. */
declare const WebAssembly: {
	Module: new (code: Uint8Array) => object;
	Instance: new (module: object, imports: Record<string, object>) => { exports: unknown };
};
declare const atob: (base64: string) => string;

const module = new WebAssembly.Module(Uint8Array.from(atob(KERNEL_CODE), (byte) => byte.charCodeAt(0)));

const {
	fills: FILLS,
	fillRow: FILL_ROW,
	holds: HOLDS,
	holdRow: HOLD_ROW,
	pool: POOL,
	market: MARKET,
	bet: BET,
} = REPORT_ROW;
const { flags: MARKET_FLAGS, id: MARKET_ID } = MARKET_ROW;
/** Numbers of eight bytes that a fill and a hold take in the report: see FILL_ROW and HELD_ROW. */
export const FILL_WIDE = REPORT.FILL / 8;
export const HELD_WIDE = REPORT.HELD / 8;

export class Kernel {
	readonly call: KernelFunctions;
	/** All of the memory, four bytes and eight bytes at a time; others whenever it grew. */
	words = new Int32Array(0);
	wide = new Float64Array(0);

	/** Where the report of the last bet begins in `words`. */
	readonly report: number;

	constructor(keepDigest: boolean) {
		const { exports } = new WebAssembly.Instance(module, {
			env: { abort: (rule: number) => this.#stop(rule) },
			blocks: { grown: () => this.#look() },
		});
		// A copy: functions are found faster on a plain object.
		this.call = { ...(exports as KernelFunctions) };
		this.report = this.call.reportRow() * BLOCK_WORDS;
		this.#look();
		if (keepDigest) this.call.trackDirtyRows();
	}

	/** How many fills the last bet had. */
	get fills(): number {
		return this.words[this.report + FILLS] as number;
	}
	/** Where the first of these begins in `wide`: see FILL_ROW. */
	get firstFill(): number {
		return (this.words[this.report + FILL_ROW] as number) * BLOCK_WIDE;
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
		return this.wide[(this.words[this.report + MARKET] as number) * BLOCK_WIDE + MARKET_ID] as number;
	}
	/** Whether that market remembers more of its bets than their rows say. */
	get marketRemembers(): boolean {
		const flags = this.words[(this.words[this.report + MARKET] as number) * BLOCK_WORDS + MARKET_FLAGS] as number;
		return (flags & MARKETS.REMEMBERS) !== 0;
	}

	/** How often what is held was changed by it. */
	get holds(): number {
		return this.words[this.report + HOLDS] as number;
	}
	/** Where the first of these begins in `wide`: see HELD_ROW. */
	get firstHold(): number {
		return (this.words[this.report + HOLD_ROW] as number) * BLOCK_WIDE;
	}

	/** An assertion of the kernel failed, so its state can no longer be trusted. */
	#stop(rule: number): never {
		throw new Error(`the engine would break a rule of its own: ${this.#textAt(rule)}`);
	}

	/** A text of the kernel, UTF-16: its length in bytes stands before it. */
	#textAt(address: number): string {
		const { buffer } = this.call.memory;
		const [bytes = 0] = new Uint32Array(buffer, address - 4, 1);
		return String.fromCharCode(...new Uint16Array(buffer, address, bytes / 2));
	}

	#look(): void {
		const { buffer } = this.call.memory;
		this.words = new Int32Array(buffer);
		this.wide = new Float64Array(buffer);
	}
}
