/** Keeps how far a shared round has come, for a process that has to end it after this one. */
import type { Logger } from 'pino';
import type { RoundRecords } from '#server/money/casino/tables/round-records.ts';

export class TickWriter {
	readonly #round: number;
	readonly #records: RoundRecords;
	readonly #log: Logger;
	#writing: Promise<void> | null = null;
	/** The furthest tick that was reached, written or not; milliseconds since the round began to be played. */
	lastMs = 0;

	constructor(round: number, records: RoundRecords, log: Logger) {
		this.#round = round;
		this.#records = records;
		this.#log = log;
	}

	/** Writes one tick at a time: those that are reached while one is in flight are not written. */
	write(ms: number): void {
		this.lastMs = Math.max(this.lastMs, ms);
		this.#writing ??= this.#records
			.tick(this.#round, ms)
			.catch((error: unknown) => this.#log.warn({ err: error }, 'a tick was not written'))
			.finally(() => {
				this.#writing = null;
			});
	}

	/** Resolves when no tick is in flight. */
	async written(): Promise<void> {
		await this.#writing;
	}
}
