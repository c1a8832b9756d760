/**
 * Runs tasks about one subject one at a time, or with a limited concurrency, in order of arrival. State that a
 * single-turn task has read still holds when it acts.
 */
import { Semaphore } from 'async-mutex';

export interface TurnsOptions {
	/** The total weight of concurrent tasks about one subject; no task weighs more. */
	atOnce: number;
	/** Queued tasks about one subject; one more is refused. */
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
	/** Subjects with a running or queued task. */
	readonly #queues = new Map<Subject, Queue>();

	/** By default one at a time, with an unlimited queue. */
	constructor(options: Partial<TurnsOptions> = {}) {
		this.#options = { ...ONE_BY_ONE, ...options };
	}

	/**
	 * Runs the task when earlier ones about the same subject leave room, whether they succeeded or not. @throws the
	 * refusal
	 */
	take<Result>(subject: Subject, task: () => Promise<Result>, weight = 1): Promise<Result> {
		return this.takeAll([subject], task, weight);
	}

	/**
	 * Takes a turn of each subject. All places are taken at the same instant, so two tasks never wait for each other.
	 * @throws the refusal if too many are queued; then no place is taken
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
			// Passes free places to queued tasks, so all places are free only if none is queued.
			release();
			if (queue.places.getValue() === atOnce) this.#queues.delete(subject);
		};
	}
}
