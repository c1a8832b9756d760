/** Plans by a number, such as the price of their stop: those between two numbers are found without a look at the others. */
import type { Trigger } from '#engine/triggers/trigger.ts';

export class SortedPlans {
	/** Rising; each has plans. */
	readonly #numbers: number[] = [];
	readonly #plans = new Map<number, Set<Trigger>>();

	add(number: number, plan: Trigger): void {
		const known = this.#plans.get(number);
		if (known) {
			known.add(plan);
			return;
		}
		this.#plans.set(number, new Set([plan]));
		this.#numbers.splice(this.#placeAfter(number), 0, number);
	}

	remove(number: number, plan: Trigger): void {
		const plans = this.#plans.get(number);
		plans?.delete(plan);
		if (plans?.size !== 0) return;
		this.#plans.delete(number);
		this.#numbers.splice(this.#placeAfter(number) - 1, 1);
	}

	/** The lowest number above one; Infinity for none. */
	next(after: number): number {
		return this.#numbers[this.#placeAfter(after)] ?? Number.POSITIVE_INFINITY;
	}

	/** The plans of numbers above one, up to another. */
	*between(after: number, upTo: number): Generator<Trigger> {
		for (let at = this.#placeAfter(after); at < this.#numbers.length; at++) {
			const number = this.#numbers[at] as number;
			if (number > upTo) return;
			yield* this.#plans.get(number) ?? [];
		}
	}

	/** Where the numbers above one begin. */
	#placeAfter(number: number): number {
		let [from, to] = [0, this.#numbers.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.#numbers[middle] as number) <= number) from = middle + 1;
			else to = middle;
		}
		return from;
	}
}
