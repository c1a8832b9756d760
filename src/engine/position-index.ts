/**
 * Finds a market's positions by the row of their wallet. A table each market keeps what is asked for together together;
 * open addressing, a wallet and its position side by side.
 */
import { NONE } from '#engine/rows.ts';

const NO_PAIRS = new Int32Array(2).fill(NONE);

function mixed(wallet: number): number {
	const hash = Math.imul(wallet, 0x9e3779b1);
	return (hash ^ (hash >>> 15)) >>> 0;
}

export class PositionIndex {
	#pairs = NO_PAIRS;
	#count = 0;

	find(wallet: number): number {
		const pairs = this.#pairs;
		const mask = pairs.length / 2 - 1;
		for (let at = mixed(wallet) & mask; ; at = (at + 1) & mask) {
			const found = pairs[at * 2] as number;
			if (found === wallet) return pairs[at * 2 + 1] as number;
			if (found === NONE) return NONE;
		}
	}

	/** Enters a wallet that is not there yet. */
	add(wallet: number, position: number): void {
		if ((this.#count + 1) * 3 > this.#pairs.length) this.#grow();
		this.#enter(wallet, position);
		this.#count++;
	}

	clear(): void {
		this.#pairs = NO_PAIRS;
		this.#count = 0;
	}

	#enter(wallet: number, position: number): void {
		const mask = this.#pairs.length / 2 - 1;
		let at = mixed(wallet) & mask;
		while (this.#pairs[at * 2] !== NONE) at = (at + 1) & mask;
		this.#pairs[at * 2] = wallet;
		this.#pairs[at * 2 + 1] = position;
	}

	#grow(): void {
		const old = this.#pairs;
		this.#pairs = new Int32Array(Math.max(16, old.length * 2)).fill(NONE);
		for (let at = 0; at < old.length; at += 2) {
			if (old[at] !== NONE) this.#enter(old[at] as number, old[at + 1] as number);
		}
	}
}
