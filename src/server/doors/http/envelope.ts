/** The outer shape of every answer. */
import type { Envelope } from '#contract/call.ts';
import { ERRORS, type ErrorCode, Refused } from '#values/error-catalogue.ts';

export interface Answer {
	status: number;
	body: Envelope;
	headers: Record<string, string>;
}

export const succeeded = (result: unknown): Envelope => ({
	success: true,
	result,
	error: null,
	unAuthorizedRequest: false,
});

/** The same as text, for a result that is already JSON. */
export const succeededWith = (result: string): string =>
	`{"success":true,"result":${result},"error":null,"unAuthorizedRequest":false}`;

/** A body or query that does not match its schema: which field, and why. */
export class Invalid extends Error {
	readonly validationErrors: { member: string; message: string }[];
	constructor(validationErrors: { member: string; message: string }[]) {
		super('validation failed');
		this.validationErrors = validationErrors;
	}
}

/** How long a caller should wait, unless the refusal names a time. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, string>> = {
	THROTTLED: '60',
	TOO_MANY_BETS: '1',
	STARTING: '1',
	DRAINING: '2',
	OVERLOADED: '1',
	DEADLINE_PASSED: '1',
	OUTCOME_UNKNOWN: '1',
};

/** The answer to a thrown refusal; null for a fault. */
export function refused(error: unknown): Answer | null {
	if (error instanceof Invalid) return answerOf('VALIDATION_FAILED', undefined, {}, error.validationErrors);
	if (error instanceof Refused) return answerOf(error.code, error.message, error.details);
	return null;
}

export function answerOf(
	code: ErrorCode,
	message: string = ERRORS[code].message,
	details: Record<string, unknown> = {},
	validationErrors: { member: string; message: string }[] = [],
): Answer {
	const { status } = ERRORS[code];
	const retryAfter = String(details['retryAfterSeconds'] ?? RETRY_AFTER_SECONDS[code] ?? '');
	return {
		status,
		headers: retryAfter ? { 'Retry-After': retryAfter } : {},
		body: {
			success: false,
			result: null,
			error: { code, message, details, validationErrors },
			unAuthorizedRequest: status === 401,
		},
	};
}
