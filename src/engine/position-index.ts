/**
 * Finds positions by market and wallet. Each market has a table of its own, so that what is asked for together stands
 * together; all tables stand in one block of memory. Open addressing, a wallet and its position side by side.
 */
import * as rows from '#engine/rows.ts';

// Constants of its own, which a file reads faster than imported ones: see ARCHITECTURE, "What is hot".
const { NONE, widened } = rows;

/** In numbers, two a pair; a table begins with so many and doubles. */
const FIRST_TABLE = 16;
const FIRST_CAPACITY = 1 << 12;

function mixed(wallet: number): number {
	const hash = Math.imul(wallet, 0x9e3779b1);
	return (hash ^ (hash >>> 15)) >>> 0;
}

/** Where a market's table is; `length` 0 while it has none. */
export interface PositionSlots {
	slotsAt: number;
	slotsLength: number;
	slotsUsed: number;
}

export class PositionIndex {
	#pairs = new Int32Array(FIRST_CAPACITY);
	#used = 0;
	/** Where tables were given back, by their length. */
	readonly #spare = new Map<number, number[]>();

	find({ slotsAt, slotsLength }: PositionSlots, wallet: number): number {
		if (slotsLength === 0) return NONE;
		const pairs = this.#pairs;
		const mask = slotsLength / 2 - 1;
		for (let slot = mixed(wallet) & mask; ; slot = (slot + 1) & mask) {
			const at = slotsAt + slot * 2;
			const found = pairs[at] as number;
			if (found === wallet) return pairs[at + 1] as number;
			if (found === NONE) return NONE;
		}
	}

	/** Enters a wallet that is not there yet. */
	add(slots: PositionSlots, wallet: number, position: number): void {
		if ((slots.slotsUsed + 1) * 3 > slots.slotsLength) this.#widen(slots);
		this.#enter(slots, wallet, position);
		slots.slotsUsed++;
	}

	clear(slots: PositionSlots): void {
		this.#give(slots.slotsAt, slots.slotsLength);
		slots.slotsLength = 0;
		slots.slotsUsed = 0;
	}

	#enter({ slotsAt, slotsLength }: PositionSlots, wallet: number, position: number): void {
		const mask = slotsLength / 2 - 1;
		let slot = mixed(wallet) & mask;
		while (this.#pairs[slotsAt + slot * 2] !== NONE) slot = (slot + 1) & mask;
		this.#pairs[slotsAt + slot * 2] = wallet;
		this.#pairs[slotsAt + slot * 2 + 1] = position;
	}

	#widen(slots: PositionSlots): void {
		const { slotsAt: old, slotsLength: length } = slots;
		slots.slotsLength = Math.max(FIRST_TABLE, length * 2);
		slots.slotsAt = this.#take(slots.slotsLength);
		for (let at = old; at < old + length; at += 2) {
			if (this.#pairs[at] !== NONE) this.#enter(slots, this.#pairs[at] as number, this.#pairs[at + 1] as number);
		}
		this.#give(old, length);
	}

	/** An empty table. */
	#take(length: number): number {
		const spare = this.#spare.size === 0 ? undefined : this.#spare.get(length)?.pop();
		const at = spare ?? this.#used;
		if (at === this.#used) {
			this.#used += length;
			if (this.#used > this.#pairs.length) {
				this.#pairs = widened(this.#pairs, Math.max(this.#pairs.length * 2, this.#used));
			}
		}
		this.#pairs.fill(NONE, at, at + length);
		return at;
	}

	#give(at: number, length: number): void {
		if (length === 0) return;
		const spare = this.#spare.get(length);
		if (spare) spare.push(at);
		else this.#spare.set(length, [at]);
	}
}
