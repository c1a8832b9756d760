/**
 * The engine's memory and the code that works on it, src/kernel, as WebAssembly: see ARCHITECTURE, "The kernel". Both
 * sides address a row by the 64-byte block at which it begins.
 */
import { KERNEL_CODE } from '#engine/kernel-code.ts';
import { BLOCKS, type KernelFunctions, type KernelImports, REPORT, REPORT_ROW } from '#engine/kernel-layout.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { currencyOf, POOLS, poolCode } from '#values/pools.ts';

/** Numbers of four bytes and of eight bytes in a block. */
export const BLOCK_WORDS = BLOCKS.BLOCK / 4;
export const BLOCK_WIDE = BLOCKS.BLOCK / 8;

/** Throws when the engine breaks a rule of its own: its state cannot be trusted any more, and the process stops. */
export function assertRule(holds: boolean, rule: string): asserts holds {
	if (!holds) throw new Error(`the engine would break a rule of its own: ${rule}`);
}

/**
 * The part of the API that is used here. The engine runs wherever there is WebAssembly, so it has no platform's types.
 */
declare const WebAssembly: {
	Module: new (code: Uint8Array) => object;
	Instance: new (module: object, imports: Record<string, object>) => { exports: unknown };
};
declare const atob: (base64: string) => string;

const module = new WebAssembly.Module(Uint8Array.from(atob(KERNEL_CODE), (byte) => byte.charCodeAt(0)));

const { fills: FILLS, fillRow: FILLS_AT, holds: HOLDS, holdRow: HOLDS_AT } = REPORT_ROW;
/** Numbers of eight bytes that a fill and a hold take in the report: see FILL_ROW and HELD_ROW. */
export const FILL_WIDE = REPORT.FILL / 8;
export const HELD_WIDE = REPORT.HELD / 8;

/** The kernel's questions to the engine: what positions are worth, and when bets reached the book; and what it tells it. */
type KernelQuestions = Pick<KernelImports, 'bets' | 'figures' | 'order-book' | 'short-positions'>;

const none = (): never => {
	throw new Error('this kernel knows markets with one winner and bets without a delay only');
};
/** For a kernel that is used without an engine. */
const NO_QUESTIONS: KernelQuestions = {
	bets: { followedBetChanged: none },
	figures: {
		addUnmatched: none,
		addMatched: none,
		exposure: none,
		matchedExposure: none,
		largestFigure: none,
		mostProfit: none,
		profitRatioIsUnfair: none,
		takesTerms: none,
	},
	'order-book': { reachedBook: none },
	'short-positions': { noteShort: none, lackedElsewhere: none },
};

/** No row begins at the first block. */
const { NONE } = BLOCKS;

export class Kernel {
	readonly call: KernelFunctions;
	/** The whole memory as numbers of four and of eight bytes; new views whenever it grows. */
	words = new Int32Array(0);
	wide = new Float64Array(0);
	/** Where the report of the last command begins in `words`, and the request in `wide`. */
	readonly report: number;
	readonly request: number;
	/** Rows by ids of more than 31 bits, for each kind of row. */
	readonly #far = new Map<number, Map<number, number>>();

	constructor(keepDigest: boolean, questions = NO_QUESTIONS) {
		const imports: KernelImports & { env: object } = {
			...questions,
			env: { abort: (rule: number) => this.#stop(rule) },
			blocks: { grown: () => this.#look() },
			'id-index': {
				findFar: (kind, id) => this.#far.get(kind)?.get(id) ?? NONE,
				setFar: (kind, id, row) => {
					if (!this.#far.get(kind)?.set(id, row)) this.#far.set(kind, new Map([[id, row]]));
				},
				removeFar: (kind, id) => void this.#far.get(kind)?.delete(id),
			},
		};
		const { exports } = new WebAssembly.Instance(module, { ...imports });
		// A copy: functions are found faster on a plain object.
		this.call = { ...(exports as KernelFunctions) };
		this.report = this.call.reportRow() * BLOCK_WORDS;
		this.request = this.call.requestRow() * BLOCK_WIDE;
		for (const pool of POOLS) {
			const { step, stakeStep, limits } = CURRENCY_TERMS[currencyOf(pool)];
			this.call.setPool(poolCode(pool), step, stakeStep, limits.times, limits.over);
		}
		this.#look();
		if (keepDigest) this.call.trackDirtyRows();
	}

	/** How many fills are reported. */
	get fillCount(): number {
		return this.words[this.report + FILLS] as number;
	}
	/** Where the first fill begins in `wide`: see FILL_ROW. */
	get firstFill(): number {
		return (this.words[this.report + FILLS_AT] as number) * BLOCK_WIDE;
	}
	/** How many changes of held money are reported. */
	get holdCount(): number {
		return this.words[this.report + HOLDS] as number;
	}
	/** Where the first of them begins in `wide`: see HELD_ROW. */
	get firstHold(): number {
		return (this.words[this.report + HOLDS_AT] as number) * BLOCK_WIDE;
	}

	/** An assertion of the kernel failed. */
	#stop(rule: number): void {
		assertRule(false, this.#textAt(rule));
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
