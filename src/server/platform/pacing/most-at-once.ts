/** Runs so many tasks at once; the others wait for their turn, in the order in which they came. */
export class MostAtOnce {
	readonly #most: number;
	#running = 0;
	readonly #waiting: (() => void)[] = [];

	constructor(most: number) {
		this.#most = most;
	}

	/** How many wait for their turn. */
	get waiting(): number {
		return this.#waiting.length;
	}

	async run<Result>(task: () => Promise<Result>): Promise<Result> {
		// Who is woken takes over the place of the one that ended, so nobody who comes in between overtakes.
		if (this.#running >= this.#most) await new Promise<void>((resume) => this.#waiting.push(resume));
		else this.#running++;
		try {
			return await task();
		} finally {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#running--;
		}
	}
}
