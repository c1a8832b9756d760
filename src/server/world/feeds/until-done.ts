/**
 * Retries work of a feed until it succeeds. The log gets one line for the first failure and one for the success after it,
 * and none for the failures in between. An exchange that is unavailable is not a failure of the feed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BackOff } from '#server/platform/pacing/back-off.ts';
import { ERRORS, Refused } from '#values/error-catalogue.ts';

export interface RepeatedWork {
	/** Names the work in the log, such as "the recording of Kites v Bulls". */
	name: string;
	attempt(): Promise<void>;
	/** Runs after each failure, before the back-off. It has to handle its own failures. */
	onFailed?(): Promise<void>;
	/** Ends the attempts. */
	signal: AbortSignal;
	log: Logger;
}

/** The exchange is unavailable and has logged why. Hundreds of fixtures would repeat it. */
const isUnavailable = (error: unknown): boolean => error instanceof Refused && ERRORS[error.code].status === 503;

/** @returns true once the work is done, false if the signal ended it */
export async function untilDone({ name, attempt, onFailed, signal, log }: RepeatedWork): Promise<boolean> {
	const backOff = new BackOff();
	let isLogged = false;
	while (!signal.aborted) {
		try {
			await attempt();
			if (isLogged) log.info({ failures: backOff.failures }, `${name} continues`);
			return true;
		} catch (error) {
			if (signal.aborted) break;
			if (!isLogged && !isUnavailable(error)) {
				log.error({ err: error }, `${name} failed and is retried`);
				isLogged = true;
			}
			const waitMs = backOff.failed();
			await onFailed?.();
			await delay(waitMs, undefined, { signal }).catch(() => undefined);
		}
	}
	return false;
}
