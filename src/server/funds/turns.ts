/** Runs tasks about one subject one after the other, so that what a task read still holds when it acts. */
export class Turns {
	/** The latest task of each subject, while one is running. */
	readonly #last = new Map<string, Promise<unknown>>();

	/** Runs the task when the earlier ones about the same subject have ended, whether they succeeded or not. */
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
