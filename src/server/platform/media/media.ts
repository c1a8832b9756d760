/**
 * Untrusted bytes: pictures that players and operators send. They are decoded in separate processes, which may be killed; the
 * server's threads look only at the first bytes and the size. Two processes, so that no picture waits for OCR, which
 * takes ten times as long.
 */
import * as v from 'valibot';
import { type JobFailure, type JobLimits, JobProcess } from '#server/platform/media/job-process.ts';
import { CleanAnswer, type CleanPicture, ReadAnswer } from '#server/platform/media/protocol.ts';
import { longestSideOf } from '#server/platform/media/webp-size.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import {
	formatOf,
	LARGEST_PICTURE_BYTES,
	LEAST_READABLE_SIDE,
	LONGEST_PICTURE_SIDE,
	LONGEST_READING_MS,
} from '#values/picture.ts';
import type { TextLine } from '#values/receipt-text.ts';

const MOST_BYTES = 700 * 1024 * 1024;
const CLEANING: JobLimits = { longestMs: 5_000, mostBytes: MOST_BYTES, longestQueue: 50 };
const READING: JobLimits = { longestMs: LONGEST_READING_MS, mostBytes: MOST_BYTES, longestQueue: 50 };

/** The recognized text of a picture. Only a READ picture can have missing fields. */
export type Reading = { state: 'READ'; lines: TextLine[] } | { state: 'NOT_READ_YET' } | { state: 'TOO_SLOW' };

const REFUSALS: Readonly<Record<JobFailure, ErrorCode>> = {
	full: 'OVERLOADED',
	waited: 'DEADLINE_PASSED',
	slow: 'DEADLINE_PASSED',
	heavy: 'IMAGE_TOO_LARGE',
	died: 'IMAGE_NOT_READABLE',
	stopped: 'DRAINING',
};

export interface MediaLimits {
	cleaning?: Partial<JobLimits>;
	reading?: Partial<JobLimits>;
}

export class Media {
	readonly #cleaning: JobProcess;
	readonly #reading: JobProcess;
	readonly #readingMs: number;

	constructor({ cleaning, reading }: MediaLimits = {}) {
		this.#cleaning = new JobProcess({ ...CLEANING, ...cleaning });
		const limits = { ...READING, ...reading };
		this.#reading = new JobProcess(limits);
		this.#readingMs = limits.longestMs;
	}

	/** The running processes. */
	get pids(): { cleaning: number | null; reading: number | null } {
		return { cleaning: this.#cleaning.pid, reading: this.#reading.pid };
	}

	/**
	 * A picture from a player or an operator, reduced to its pixels.
	 * @param untilMs of the monotonic clock
	 * @param longestSide in pixels; a larger picture is made smaller
	 * @throws Refused IMAGE_TOO_LARGE, IMAGE_NOT_READABLE; OVERLOADED, DEADLINE_PASSED, DRAINING, which imply nothing
	 *   about it
	 */
	async clean(bytes: Buffer, untilMs: number, longestSide = LONGEST_PICTURE_SIDE): Promise<CleanPicture> {
		if (bytes.length > LARGEST_PICTURE_BYTES) throw new Refused('IMAGE_TOO_LARGE');
		if (formatOf(bytes) === null) throw new Refused('IMAGE_NOT_READABLE');
		const outcome = await this.#cleaning.run({ kind: 'clean', bytes, longestSide }, untilMs);
		if ('failure' in outcome) throw new Refused(REFUSALS[outcome.failure]);
		const answer = v.safeParse(CleanAnswer, outcome.answer);
		if (!answer.success) throw new Refused('IMAGE_NOT_READABLE');
		if ('fault' in answer.output) throw new Refused(answer.output.fault);
		return answer.output;
	}

	/**
	 * The text on a cleaned picture. None is looked for where it has no room.
	 * @param untilMs of the monotonic clock
	 * @throws Refused DRAINING if the server stops meanwhile
	 */
	async read(picture: Buffer, untilMs: number): Promise<Reading> {
		if (longestSideOf(picture) < LEAST_READABLE_SIDE) return { state: 'READ', lines: [] };
		const outcome = await this.#reading.run({ kind: 'read', bytes: picture, withinMs: this.#readingMs }, untilMs);
		if ('answer' in outcome) {
			const answer = v.safeParse(ReadAnswer, outcome.answer);
			return answer.success && answer.output ? { state: 'READ', lines: answer.output } : { state: 'TOO_SLOW' };
		}
		if (outcome.failure === 'stopped') throw new Refused('DRAINING');
		const hasBegun = outcome.failure !== 'full' && outcome.failure !== 'waited';
		return { state: hasBegun ? 'TOO_SLOW' : 'NOT_READ_YET' };
	}

	/** Ends running and queued jobs, and the processes. */
	async stop(): Promise<void> {
		await Promise.all([this.#cleaning.stop(), this.#reading.stop()]);
	}
}
