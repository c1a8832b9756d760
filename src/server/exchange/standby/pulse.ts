/**
 * What a process tells the thread that speaks for it: it counts while it comes forward. In shared memory, which neither a long
 * turn of the event loop nor the collection of garbage keeps the thread from.
 */

const COUNT = 0;
const SPEAKS = 1;
const CELLS = 2;

export class Pulse {
	readonly memory: SharedArrayBuffer;
	readonly #cells: Int32Array;

	/** @param memory another thread's pulse; one that is mute by default */
	constructor(memory = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT)) {
		this.memory = memory;
		this.#cells = new Int32Array(memory);
	}

	/** The process holds the lease, and comes forward. */
	beat(): void {
		Atomics.add(this.#cells, COUNT, 1);
		Atomics.store(this.#cells, SPEAKS, 1);
	}

	/** The process can write nothing, so a standby should take over. */
	mute(): void {
		Atomics.store(this.#cells, SPEAKS, 0);
	}

	/** Whether the process wants to be heard. */
	get speaks(): boolean {
		return Atomics.load(this.#cells, SPEAKS) === 1;
	}

	/** Another number after each beat. */
	get count(): number {
		return Atomics.load(this.#cells, COUNT);
	}
}
