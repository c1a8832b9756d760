/** Reads what a request carries: JSON without exponents, plain or in the encoding mode. */
import { Refused } from '#values/error-catalogue.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object from JSON text. @throws Refused MALFORMED_JSON, INVALID_AMOUNT for a number with an exponent */
export function parseObject(text: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Refused('MALFORMED_JSON');
	}
	if (!isObject(value)) throw new Refused('MALFORMED_JSON');
	// 1e400 would be read as infinity and 1e2 as 100: neither is how an amount is written.
	if (/\d[eE]/.test(text) && /\d[eE]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) {
		throw new Refused('INVALID_AMOUNT');
	}
	return value;
}

/**
 * The transform contract of the encoding mode: base64url of UTF-8 JSON, canonical only, decoded once.
 * @throws Refused BAD_ENCODING
 */
export function decodePayload(encoded: unknown): Record<string, unknown> {
	if (typeof encoded !== 'string' || !/^[\w-]*$/.test(encoded)) throw new Refused('BAD_ENCODING');
	const bytes = Buffer.from(encoded, 'base64url');
	if (bytes.toString('base64url') !== encoded) throw new Refused('BAD_ENCODING');
	const text = bytes.toString('utf8');
	if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Refused('BAD_ENCODING');
	try {
		return parseObject(text);
	} catch (error) {
		if (error instanceof Refused && error.code === 'INVALID_AMOUNT') throw error;
		throw new Refused('BAD_ENCODING');
	}
}

export const encodePayload = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The fields of a request in the mode its header names. @throws Refused BAD_ENCODING for a mixture or another version */
export function fieldsOf(fields: Record<string, unknown>, mode: string | undefined): Record<string, unknown> {
	if (mode === undefined) return fields;
	const names = Object.keys(fields);
	if (mode !== '1') throw new Refused('BAD_ENCODING');
	if (names.length === 0) return {};
	if (names.length > 1 || names[0] !== 'd') throw new Refused('BAD_ENCODING');
	return decodePayload(fields['d']);
}
