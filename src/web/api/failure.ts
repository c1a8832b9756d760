import type { WireError } from '#contract/call.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { TEXTS } from '#web/texts.ts';

/**
 * NETWORK: no answer · ABORTED: the page no longer needs it · TIMEOUT: the page gave up waiting · HTTP: an answer
 * without one of our codes.
 */
type FailureCode = ErrorCode | 'NETWORK' | 'ABORTED' | 'TIMEOUT' | 'HTTP';

/** Why a call was rejected. `message` is for the player; `status` is 0 without an answer. */
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

/** Whether the request may have taken effect without an answer; a retry must carry the same request id. */
export const isOutcomeUnknown = (failure: unknown): boolean =>
	failure instanceof CallFailure && (failure.status === 0 || failure.status >= 500);

/** Whether the server knows nothing by that name. */
export const isNotFound = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 404;

/**
 * The sentence for the server's code, in the language of the page. Null if the server's own sentence is to be shown: in
 * English, for codes of a newer server, and before the texts are loaded.
 */
export const refusalText = (code: string): string | null =>
	(globalThis.siteTexts?.REFUSALS as Readonly<Record<string, string>> | null | undefined)?.[code] ?? null;

/** The sentence for any thrown value. */
export const messageOf = (failure: unknown): string =>
	failure instanceof Error ? failure.message : TEXTS.failures.server;
