/**
 * Finds the row of an id. Those of 31 bits, which are given one after the other, stand in the kernel, see
 * src/kernel/id-index.ts; larger ones in a map.
 */
import type { Kernel } from '#engine/kernel.ts';
import { NONE } from '#engine/rows.ts';

/** Whole numbers of 31 bits. */
export const isQuick = (id: number): boolean => (id | 0) === id && id >= 0;

export class IdIndex {
	readonly #kernel: Kernel;
	readonly #kind: number;
	readonly #far = new Map<number, number>();

	/** @param kind of the rows, bets or wallets; a kernel has one index of each */
	constructor(kernel: Kernel, kind: number) {
		this.#kernel = kernel;
		this.#kind = kind;
	}

	/** The row of an id, or NONE. */
	find(id: number): number {
		return isQuick(id) ? this.#kernel.call.findId(this.#kind, id) : (this.#far.get(id) ?? NONE);
	}

	/** Enters an id that is not there yet. */
	set(id: number, row: number): void {
		if (isQuick(id)) this.#kernel.call.setId(this.#kind, id, row);
		else this.#far.set(id, row);
	}

	/** Takes an id out that is there. */
	remove(id: number): void {
		if (isQuick(id)) this.#kernel.call.removeId(this.#kind, id);
		else this.#far.delete(id);
	}
}
