/** What is done about one thing is done one after the other, so that what was read still holds when it is acted on. */
export class Turns {
	/** The last one about each thing, while one is under way. */
	readonly #last = new Map<string, Promise<unknown>>();

	/** Acts when those before it about the same thing have ended, one way or the other. */
	async take<T>(about: string, act: () => Promise<T>): Promise<T> {
		const turn = (this.#last.get(about) ?? Promise.resolve()).then(act, act);
		this.#last.set(about, turn);
		try {
			return await turn;
		} finally {
			if (this.#last.get(about) === turn) this.#last.delete(about);
		}
	}
}
