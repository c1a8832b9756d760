/** Runs tasks about one subject one after the other, so that what a task read still holds when it acts. */
export class Turns<Subject = string> {
	/** The latest task of each subject, while one is running. */
	readonly #last = new Map<Subject, Promise<unknown>>();

	/** Runs the task when the earlier ones about the same subject have ended, whether they succeeded or not. */
	async take<Result>(subject: Subject, task: () => Promise<Result>): Promise<Result> {
		const turn = (this.#last.get(subject) ?? Promise.resolve()).then(task, task);
		this.#last.set(subject, turn);
		try {
			return await turn;
		} finally {
			if (this.#last.get(subject) === turn) this.#last.delete(subject);
		}
	}
}
