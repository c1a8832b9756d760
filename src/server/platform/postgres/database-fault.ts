/** Errors that mean that the database is temporarily unavailable, so the same statement may succeed later. */
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 100;

/**
 * SQLSTATE classes and codes: connection exceptions (08), serialization failure and deadlock, insufficient resources such
 * as a full disk (53), operator intervention (57), system errors (58), lock not available, a database that is read-only
 * while another is promoted, a prepared statement that is missing, because the statement that would have prepared it failed;
 * and the codes of a socket.
 */
const CODES =
	/^((?:08|53|57|58)\w{3}|40001|40P01|55P03|25006|26000|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOSPC)$/;
/** The driver's own errors carry no code. */
const MESSAGES = /Connection terminated|Client has encountered|Client was closed|timeout/;

export function isDatabaseFault(error: unknown): boolean {
	const { code = '' } = error as { code?: string };
	return CODES.test(code) || MESSAGES.test(String(error));
}

/** The driver gave the statement up, with its connection. PostgreSQL may still be doing it. */
export const isUnanswered = (error: unknown): boolean =>
	/Query read timeout/.test(String(error)) ||
	(error instanceof Error && error.cause !== undefined && isUnanswered(error.cause));

/**
 * Repeats a statement while the database is unavailable. The caller bounds the wait with its own deadline, or with a
 * signal, after which the fault is thrown.
 */
export async function retryFaults<T>(lookUp: () => Promise<T>, signal?: AbortSignal): Promise<T> {
	for (;;) {
		try {
			return await lookUp();
		} catch (error) {
			if (!isDatabaseFault(error) || signal?.aborted) throw error;
			await delay(RETRY_MS, undefined, { ref: false });
		}
	}
}
