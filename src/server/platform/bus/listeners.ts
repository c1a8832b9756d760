/** The listeners of one kind of news within the process, called in the order in which they were added. */
export class Listeners<News> {
	readonly #listeners: ((news: News) => void)[] = [];

	follow(listener: (news: News) => void): void {
		this.#listeners.push(listener);
	}

	/** Each hears all news, whichever of them fail. @throws the first failure, when all have heard it */
	readonly notify = (news: News): void => {
		const failures: unknown[] = [];
		for (const listener of this.#listeners) {
			try {
				listener(news);
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw failures[0];
	};
}
