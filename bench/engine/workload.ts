/** The parts of the engine's benchmark. This file reads the stream: eight little-endian 32-bit numbers an operation. */
const WORDS = 8;
/** The fields of an operation, at these indexes of `words` from `op * WORDS` on. */
export const OPERATION = {
	WORDS,
	KIND: 0,
	ORDER: 1,
	MARKET: 2,
	RUNNER: 3,
	SIDE: 4,
	TICK: 5,
	STAKE: 6,
	USER: 7,
} as const;
/** The kind of an operation that cancels; every other kind places. */
export const CANCEL = 1;

export interface Workload {
	ops: number;
	words: Int32Array;
	markets: number;
	runners: number;
	users: number;
	orders: number;
}

export function readWorkload(file: Buffer): Workload {
	if (file.length % (WORDS * 4) !== 0) throw new Error('not a workload: its length is no multiple of 32 bytes');
	const words = new Int32Array(file.length / 4);
	for (let at = 0; at < words.length; at++) words[at] = file.readInt32LE(at * 4);
	const ops = words.length / WORDS;
	const highest = (word: number): number => {
		let most = 0;
		for (let op = 0; op < ops; op++) most = Math.max(most, words[op * WORDS + word] as number);
		return most;
	};
	return {
		ops,
		words,
		orders: highest(OPERATION.ORDER),
		markets: highest(OPERATION.MARKET) + 1,
		runners: highest(OPERATION.RUNNER) + 1,
		users: highest(OPERATION.USER) + 1,
	};
}

/** Fills in a flat array, four words each: taker, maker, tick, stake. */
export class FillLog {
	readonly words: Int32Array;
	length = 0;

	constructor(workload: Workload) {
		// Every order can end one resting order and be ended once.
		this.words = new Int32Array(workload.orders * 2 * 4);
	}

	add(taker: number, maker: number, tick: number, stake: number): void {
		const { words, length } = this;
		words[length] = taker;
		words[length + 1] = maker;
		words[length + 2] = tick;
		words[length + 3] = stake;
		this.length = length + 4;
	}
}
