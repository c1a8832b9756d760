/**
 * What the checks of a process leave in the journal: alarms, jumps of the clock, comparisons of files. A row that the
 * journal does not take is written at a later look, in its order, with the time at which it was found; it may be there
 * twice if the connection was lost while it was written.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { inTime } from '#server/platform/pacing/in-time.ts';
import type { Act } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';

/** While the database is away for long, the oldest of what no look could write gives way. */
const MOST_WAITING = 1_000;
/** A stop waits for no frozen database. */
const LONGEST_WRITE_MS = 3_000;

type Found = 'alarm-began' | 'alarm-ended' | 'clock-jumped' | 'clock-measured' | 'files-compared' | 'release-started';

interface RecordsOptions {
	db: Pick<pg.Pool, 'query'>;
	journal: { write(act: Act): Promise<void> };
	/** Names this process. */
	process: string;
	log: Pick<Logger, 'error'>;
}

export class Records {
	readonly #options: RecordsOptions;
	#waiting: Act[] = [];
	#writing: Promise<void> | null = null;

	constructor(options: RecordsOptions) {
		this.#options = options;
	}

	/** @param subject what was looked at, such as `check disk` */
	add(act: Found, subject: string, details: object): void {
		const foundAt = new Date().toISOString();
		const row = { actor: this.#options.process, address: null, act, subject, details: { ...details, foundAt } };
		this.#waiting = [...this.#waiting, row].slice(-MOST_WAITING);
	}

	/** When each alarm of this process began that has not ended, by the check's name. */
	async unended(): Promise<Map<string, number>> {
		const { db, process } = this.#options;
		const { rows } = await db.query<{ name: string; foundAt: string; hasEnded: boolean }>(
			`select distinct on (subject) substring(subject from '^check (.*)$') as name, details ->> 'foundAt' as "foundAt",
			   act = 'alarm-ended' as "hasEnded"
			 from journal where actor = $1 and act in ('alarm-began', 'alarm-ended') order by subject, seq desc`,
			[process],
		);
		return new Map(rows.filter(({ hasEnded }) => !hasEnded).map(({ name, foundAt }) => [name, Date.parse(foundAt)]));
	}

	/** Writes what waits; it resolves when the journal has it, or refuses it. */
	write(): Promise<void> {
		this.#writing ??= this.#writeAll().finally(() => {
			this.#writing = null;
		});
		return this.#writing;
	}

	async #writeAll(): Promise<void> {
		try {
			for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
				await inTime(this.#options.journal.write(next), LONGEST_WRITE_MS, 'the database takes too long');
				this.#waiting = this.#waiting.filter((row) => row !== next);
			}
		} catch (error) {
			// Another process leads: it finds what there is to find by itself.
			if (error instanceof Refused && error.code === 'DRAINING') return;
			this.#options.log.error({ reason: (error as Error).message }, 'the journal took no finding; it is written later');
		}
	}
}
