/**
 * Deadlines are instants of the monotonic clock, `performance.now()`, so setting the wall clock moves none of them.
 * Infinity means no deadline.
 */
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

/**
 * Settles like the promise, or rejects with the code when the deadline passes first.
 * @throws Refused
 */
export const before = <T>(promise: Promise<T>, untilMs: number, code: ErrorCode): Promise<T> =>
	new Deadlines(code).before(promise, untilMs);

interface Moment {
	timer: NodeJS.Timeout;
	/** Called when it comes. */
	pass: Set<() => void>;
}

/**
 * The same for the promises of one owner, of which every bet has one: those whose deadlines are in one millisecond share
 * a timer, which costs more than all else here.
 */
export class Deadlines {
	readonly #code: ErrorCode;
	/** By the millisecond in which they come. */
	readonly #moments = new Map<number, Moment>();

	constructor(code: ErrorCode) {
		this.#code = code;
	}

	/** As `before`. */
	before<T>(promise: Promise<T>, untilMs: number): Promise<T> {
		if (untilMs === Number.POSITIVE_INFINITY) return promise;
		return new Promise<T>((resolve, reject) => {
			const atMs = Math.ceil(untilMs);
			const moment = this.#moment(atMs);
			const pass = (): void => reject(new Refused(this.#code));
			moment.pass.add(pass);
			const settle = <Outcome>(settled: (outcome: Outcome) => void, outcome: Outcome): void => {
				moment.pass.delete(pass);
				if (moment.pass.size === 0) this.#end(atMs, moment);
				settled(outcome);
			};
			promise.then(
				(value) => settle(resolve, value),
				(error: Error) => settle(reject, error),
			);
		});
	}

	#moment(atMs: number): Moment {
		let moment = this.#moments.get(atMs);
		if (!moment) {
			const timer = setTimeout(() => this.#passed(atMs), Math.max(0, Math.ceil(atMs - performance.now())));
			this.#moments.set(atMs, (moment = { timer, pass: new Set() }));
		}
		return moment;
	}

	#passed(atMs: number): void {
		const moment = this.#moments.get(atMs);
		this.#moments.delete(atMs);
		for (const pass of moment?.pass ?? []) pass();
	}

	/** It may have come before, and another may be in its place. */
	#end(atMs: number, moment: Moment): void {
		clearTimeout(moment.timer);
		if (this.#moments.get(atMs) === moment) this.#moments.delete(atMs);
	}
}
