/** The parts of the engine's benchmark. This one reads the stream: eight little-endian 32-bit numbers an operation. */
const WORDS = 8;

export interface Workload {
	ops: number;
	/** `WORDS` numbers an operation: kind, order, market, runner, side, tick, stake, user. */
	words: Int32Array;
	markets: number;
	runners: number;
	users: number;
	orders: number;
}

export interface Operation {
	cancel: boolean;
	order: number;
	market: number;
	runner: number;
	side: 0 | 1;
	tick: number;
	stake: number;
	user: number;
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
	return { ops, words, orders: highest(1), markets: highest(2) + 1, runners: highest(3) + 1, users: highest(7) + 1 };
}

export function operationAt({ words }: Workload, op: number): Operation {
	const at = op * WORDS;
	return {
		cancel: words[at] === 1,
		order: words[at + 1] as number,
		market: words[at + 2] as number,
		runner: words[at + 3] as number,
		side: words[at + 4] as 0 | 1,
		tick: words[at + 5] as number,
		stake: words[at + 6] as number,
		user: words[at + 7] as number,
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
