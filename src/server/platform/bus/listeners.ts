/** What follows one kind of news within the process: each listener is called in the order in which it began to follow. */
export class Listeners<News> {
	readonly #listeners: ((news: News) => void)[] = [];

	follow(listener: (news: News) => void): void {
		this.#listeners.push(listener);
	}

	readonly notify = (news: News): void => {
		for (const listener of this.#listeners) listener(news);
	};
}
