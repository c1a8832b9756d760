/**
 * Runs tasks about one subject one after the other, or so many at once, in the order in which they came. What a task of a
 * single turn read still holds when it acts.
 */
import { Semaphore } from 'async-mutex';

export interface TurnsOptions {
	/** The weight of the tasks about one subject that run at once; no task weighs more. */
	atOnce: number;
	/** Tasks about one subject that may wait; one more is refused. */
	mostWaiting: number;
	refusal: () => Error;
}

interface Queue {
	places: Semaphore;
	waiting: number;
}

const ONE_BY_ONE: TurnsOptions = {
	atOnce: 1,
	mostWaiting: Number.POSITIVE_INFINITY,
	refusal: () => new Error('too many tasks wait'),
};

export class Turns<Subject = string> {
	readonly #options: TurnsOptions;
	/** Of subjects with a task that runs or waits. */
	readonly #queues = new Map<Subject, Queue>();

	/** Without options one at a time, and any number may wait. */
	constructor(options: Partial<TurnsOptions> = {}) {
		this.#options = { ...ONE_BY_ONE, ...options };
	}

	/** Runs the task when the earlier ones about the same subject leave room, whether they succeeded or not. @throws the refusal */
	take<Result>(subject: Subject, task: () => Promise<Result>, weight = 1): Promise<Result> {
		return this.takeAll([subject], task, weight);
	}

	/**
	 * Takes a turn of each subject. All places are taken in the same instant, so two tasks never wait for each other.
	 * @throws the refusal when too many wait; then no place is taken
	 */
	async takeAll<Result>(subjects: readonly Subject[], task: () => Promise<Result>, weight = 1): Promise<Result> {
		const { mostWaiting, refusal } = this.#options;
		const different = [...new Set(subjects)];
		if (different.some((subject) => (this.#queues.get(subject)?.waiting ?? 0) >= mostWaiting)) throw refusal();
		const leaving = await Promise.all(different.map((subject) => this.#enter(subject, weight)));
		try {
			return await task();
		} finally {
			for (const leave of leaving) leave();
		}
	}

	async #enter(subject: Subject, weight: number): Promise<() => void> {
		const { atOnce } = this.#options;
		const queue = this.#queues.get(subject) ?? { places: new Semaphore(atOnce), waiting: 0 };
		this.#queues.set(subject, queue);
		const waits = queue.waiting > 0 || queue.places.getValue() < weight;
		if (waits) queue.waiting++;
		const [, release] = await queue.places.acquire(weight);
		if (waits) queue.waiting--;
		return () => {
			// Gives the places to those that wait, so all of them are free only when nobody does.
			release();
			if (queue.places.getValue() === atOnce) this.#queues.delete(subject);
		};
	}
}
