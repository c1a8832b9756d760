/**
 * Retries work of a feed until it succeeds. The log gets one line for the first failure and one for the success after it,
 * and none for the failures in between.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BackOff } from '#server/back-off.ts';

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

/** @returns true once the work is done, false when the signal ended it */
export async function untilDone({ name, attempt, onFailed, signal, log }: RepeatedWork): Promise<boolean> {
	const backOff = new BackOff();
	while (!signal.aborted) {
		try {
			await attempt();
			if (backOff.failures > 0) log.info({ failures: backOff.failures }, `${name} continues`);
			return true;
		} catch (error) {
			if (signal.aborted) break;
			if (backOff.failures === 0) log.error({ err: error }, `${name} failed and is retried`);
			const waitMs = backOff.failed();
			await onFailed?.();
			await delay(waitMs, undefined, { signal }).catch(() => undefined);
		}
	}
	return false;
}
