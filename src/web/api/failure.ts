import type { WireError } from '#contract/call.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';

export const NETWORK_MESSAGE = 'Please Check Your Network Connection...';
export const SERVER_MESSAGE = 'Internal Server Error';
export const ABORTED_MESSAGE = 'Request aborted';
export const TIMEOUT_MESSAGE = 'timeout exceeded';
export const statusMessage = (status: number): string => `Request failed with status code ${status}`;

/** NETWORK: no answer came · ABORTED: the page does not want it any more · TIMEOUT: it gave up waiting · HTTP: an answer without one of our codes. */
export type FailureCode = ErrorCode | 'NETWORK' | 'ABORTED' | 'TIMEOUT' | 'HTTP';

/** Why a call was rejected. `message` is what a player may read; `status` is 0 when no answer came. */
export class CallFailure extends Error {
	readonly code: FailureCode;
	readonly status: number;
	readonly details: Record<string, unknown>;
	readonly validationErrors: WireError['validationErrors'];
	/** From Retry-After, in seconds; null when the server did not say. */
	readonly retryAfterSeconds: number | null;

	constructor(
		code: FailureCode,
		status: number,
		message: string,
		more: Partial<Pick<WireError, 'details' | 'validationErrors'>> & { retryAfterSeconds?: number | null } = {},
	) {
		super(message);
		this.name = 'CallFailure';
		this.code = code;
		this.status = status;
		this.details = more.details ?? {};
		this.validationErrors = more.validationErrors ?? [];
		this.retryAfterSeconds = more.retryAfterSeconds ?? null;
	}
}

/** Whether the server may have done what was asked although no answer came; a retry must carry the same request id. */
export const isOutcomeUnknown = (failure: unknown): boolean =>
	failure instanceof CallFailure && (failure.status === 0 || failure.status >= 500);

/** The sentence to show for anything that was thrown. */
export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : SERVER_MESSAGE);
