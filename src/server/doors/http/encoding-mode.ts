/**
 * The encoding mode of the wire contract, `X-Enc: 1`: body `{"d": …}` and query `?d=…`, each base64url of UTF-8 JSON,
 * and the answer in the same form. It is the specification's transform, not a security measure. Only canonical
 * encodings are accepted, and decoded once.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseBytes } from '#server/doors/http/strict-json.ts';
import { Refused } from '#values/error-catalogue.ts';

const HEADER = 'x-enc';
const VERSION = '1';

/** An object from its encoded form. @throws Refused BAD_ENCODING, INVALID_AMOUNT for a number with an exponent */
function decodePayload(encoded: unknown): Record<string, unknown> {
	if (typeof encoded !== 'string' || !/^[\w-]*$/.test(encoded)) throw new Refused('BAD_ENCODING');
	const bytes = Buffer.from(encoded, 'base64url');
	// The last character may have unused bits; only zeros are canonical.
	if (bytes.toString('base64url') !== encoded) throw new Refused('BAD_ENCODING');
	try {
		return parseBytes(bytes);
	} catch (error) {
		if (error instanceof Refused && error.code === 'INVALID_AMOUNT') throw error;
		throw new Refused('BAD_ENCODING');
	}
}

/** A part of a request in encoding mode: empty, or `d` alone. */
function decodedPart(fields: Record<string, unknown>): Record<string, unknown> {
	const names = Object.keys(fields);
	if (names.length === 0) return {};
	if (names.length > 1 || names[0] !== 'd') throw new Refused('BAD_ENCODING');
	return decodePayload(fields['d']);
}

/**
 * The fields of a request in the mode that its header names. In encoding mode both parts are encoded, also the one that
 * the call ignores.
 * @throws Refused BAD_ENCODING for a mixture or another version
 */
export function fieldsOf(request: FastifyRequest, from: 'query' | 'body'): Record<string, unknown> {
	const parts = {
		query: request.query as Record<string, unknown>,
		body: (request.body ?? {}) as Record<string, unknown>,
	};
	const mode = request.headers[HEADER];
	if (mode === undefined) return parts[from];
	if (mode !== VERSION) throw new Refused('BAD_ENCODING');
	const decoded = { query: decodedPart(parts.query), body: decodedPart(parts.body) };
	return decoded[from];
}

/** An encoded request gets an encoded answer, refusals included. */
export function encodedLike(request: FastifyRequest, reply: FastifyReply, answer: string): string {
	if (request.headers[HEADER] !== VERSION) return answer;
	reply.header('X-Enc', VERSION);
	return `{"d":"${Buffer.from(answer).toString('base64url')}"}`;
}
