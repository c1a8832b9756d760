/**
 * Finds the slot of a bet by its id, in tables of numbers: a Map of objects takes six times as much memory, and has to be looked
 * through by every collection of garbage. Many small tables, each of which grows by itself: a large one would keep everything
 * else waiting while it grows.
 */
import type { BetId } from '#values/ids.ts';

const TABLE_BITS = 6;
const TABLES = 1 << TABLE_BITS;
const FIRST_LENGTH = 64;

/** Open addressing: a cell holds a slot plus one, 0 stands for an empty one. */
interface Table {
	cells: Int32Array;
	count: number;
	/** The share of its cells that may be taken; a table grows beyond it, and shrinks below a quarter of it. */
	fullest: number;
}

const hashOf = (betId: BetId): number => Math.imul(betId | 0, 0x9e3779b1);
/** The upper bits of the hash choose the table, the lower ones the cell. */
const cellOf = (hash: number): number => hash ^ (hash >>> 15);

export class BetIds {
	// The hash spreads ids that follow each other evenly: with one limit for all, the tables would grow at the same moment.
	readonly #tables = Array.from(
		{ length: TABLES },
		(_, at): Table => ({ cells: new Int32Array(FIRST_LENGTH), count: 0, fullest: 0.5 + at / TABLES / 4 }),
	);
	readonly #idOf: (slot: number) => BetId;

	/** @param idOf the id of the bet in a slot that was entered */
	constructor(idOf: (slot: number) => BetId) {
		this.#idOf = idOf;
	}

	/** The slot of a bet, or -1. */
	find(betId: BetId): number {
		const hash = hashOf(betId);
		const { cells } = this.#tables[hash >>> (32 - TABLE_BITS)] as Table;
		return (cells[this.#cell(cells, hash, betId)] as number) - 1;
	}

	/** Enters a bet whose id is not there. */
	add(betId: BetId, slot: number): void {
		const hash = hashOf(betId);
		const table = this.#tables[hash >>> (32 - TABLE_BITS)] as Table;
		table.count++;
		if (table.count > table.cells.length * table.fullest) this.#resize(table, table.cells.length * 2);
		table.cells[this.#cell(table.cells, hash, betId)] = slot + 1;
	}

	/** Removes a bet, while its slot still has the id. */
	remove(betId: BetId): void {
		const hash = hashOf(betId);
		const table = this.#tables[hash >>> (32 - TABLE_BITS)] as Table;
		const { cells } = table;
		const mask = cells.length - 1;
		let empty = this.#cell(cells, hash, betId);
		// Bets behind it that could not have their own cell move up.
		for (let at = (empty + 1) & mask; cells[at] !== 0; at = (at + 1) & mask) {
			const home = cellOf(hashOf(this.#idOf((cells[at] as number) - 1))) & mask;
			if (((at - home) & mask) < ((at - empty) & mask)) continue;
			cells[empty] = cells[at] as number;
			empty = at;
		}
		cells[empty] = 0;
		table.count--;
		if (cells.length > FIRST_LENGTH && table.count < (cells.length * table.fullest) / 4)
			this.#resize(table, cells.length / 2);
	}

	/** The cell of a bet, or the empty one in its place. */
	#cell(cells: Int32Array, hash: number, betId: BetId): number {
		const mask = cells.length - 1;
		let at = cellOf(hash) & mask;
		while (cells[at] !== 0 && this.#idOf((cells[at] as number) - 1) !== betId) at = (at + 1) & mask;
		return at;
	}

	#resize(table: Table, length: number): void {
		const before = table.cells;
		table.cells = new Int32Array(length);
		for (const cell of before) {
			if (cell === 0) continue;
			const betId = this.#idOf(cell - 1);
			table.cells[this.#cell(table.cells, hashOf(betId), betId)] = cell;
		}
	}
}
