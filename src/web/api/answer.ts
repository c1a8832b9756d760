/** Reads the server's answer by the specification's error catalogue (section 8). */

import type { Envelope, WireError } from '#contract/call.ts';
import { decodePayload } from '#web/api/encoding.ts';
import { CallFailure, refusalText } from '#web/api/failure.ts';
import { TEXTS } from '#web/texts.ts';

type Body = Partial<Envelope> & { status?: unknown; d?: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parse(text: string, encoded: boolean): Body | null {
	try {
		const outer: unknown = JSON.parse(text, TEXTS.named);
		const body =
			encoded && isObject(outer) && typeof outer['d'] === 'string' ? decodePayload(outer['d'], TEXTS.named) : outer;
		return isObject(body) ? body : null;
	} catch {
		return null;
	}
}

function retryAfter(response: Response): number | null {
	const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
	return Number.isFinite(seconds) ? seconds : null;
}

function textOf(value: unknown): string | null {
	if (typeof value === 'string') return value === '' ? null : value;
	return isObject(value) && typeof value['message'] === 'string' ? value['message'] : null;
}

/** A proxy's HTML page is no message for a player. */
function plainText(text: string): string | null {
	const trimmed = text.trim();
	return trimmed === '' || trimmed.startsWith('<') || trimmed.startsWith('{') ? null : trimmed.slice(0, 300);
}

/** The sentence for an answer without one. */
function unsaid({ ok, status, statusText }: Response): string {
	if (ok) return TEXTS.failures.server;
	return status === 500 ? statusText || TEXTS.failures.server : TEXTS.failures.status(status);
}

function failureOf(response: Response, body: Body | null, text: string): CallFailure {
	const error = body?.error;
	const more = { retryAfterSeconds: retryAfter(response) };
	if (isObject(error)) {
		const wire = error as Partial<WireError>;
		return new CallFailure(
			wire.code ?? 'HTTP',
			response.status,
			refusalText(wire.code ?? '') ?? (wire.message || TEXTS.failures.server),
			{
				...more,
				details: isObject(wire.details) ? wire.details : {},
				validationErrors: Array.isArray(wire.validationErrors) ? wire.validationErrors : [],
			},
		);
	}
	const said = textOf(error) ?? textOf(body?.result) ?? textOf(body) ?? (body ? null : plainText(text));
	return new CallFailure('HTTP', response.status, said ?? unsaid(response), more);
}

/** The call's result, or the failure to throw; `unauthorised` is true if the login has ended. */
type Answer = { result: unknown } | { failure: CallFailure; unauthorised: boolean };

export async function readAnswer(response: Response): Promise<Answer> {
	const text = await response.text();
	const body = parse(text, response.headers.get('X-Enc') === '1');
	const unauthorised = response.status === 401 || body?.status === 401;
	// Only `success: true` is a success, whatever the status is.
	if (response.ok && body?.success === true && !unauthorised) return { result: body.result };
	return { failure: failureOf(response, body, text), unauthorised };
}
