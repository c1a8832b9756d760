/** The listeners of one kind of news within the process, called in the order in which they were added. */
export class Listeners<News> {
	readonly #listeners: ((news: News) => void)[] = [];

	follow(listener: (news: News) => void): void {
		this.#listeners.push(listener);
	}

	readonly notify = (news: News): void => {
		for (const listener of this.#listeners) listener(news);
	};
}
