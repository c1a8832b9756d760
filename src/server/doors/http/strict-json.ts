/**
 * JSON as requests may use it: one object, each key once, no exponents, and no text that a database cannot store. There
 * are two passes: the first keeps no keys, and finds that nearly all text has nothing to refuse. The second reads the rest
 * token by token, and alone refuses.
 */
import { isUtf8 } from 'node:buffer';
import { hasTooManyValues } from '#server/platform/outside/value-count.ts';
import { Refused } from '#values/error-catalogue.ts';
import { isStorable } from '#values/storable.ts';

/** Limit of nesting. No call's body is nearly as deep. */
const MOST_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [SMALL_E, LARGE_E] = [0x65, 0x45];

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws Refused as `parseObject`; MALFORMED_JSON for bytes that are no UTF-8 */
export function parseBytes(bytes: Buffer): Record<string, unknown> {
	if (!isUtf8(bytes)) throw new Refused('MALFORMED_JSON');
	return parseObject(bytes.toString('utf8'));
}

/** Any value from JSON's bytes, by the same rules. @throws Refused as `parseBytes` */
export function parseJson(bytes: Buffer): unknown {
	if (!isUtf8(bytes)) throw new Refused('MALFORMED_JSON');
	return parseText(bytes.toString('utf8'));
}

/**
 * An object from JSON text.
 * @throws Refused MALFORMED_JSON, INVALID_AMOUNT for a number with an exponent, BODY_TOO_LARGE for too many values
 */
export function parseObject(text: string): Record<string, unknown> {
	const value = parseText(text);
	if (!isObject(value)) throw new Refused('MALFORMED_JSON');
	return value;
}

function parseText(text: string): unknown {
	if (hasTooManyValues(text)) throw new Refused('BODY_TOO_LARGE');
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Refused('MALFORMED_JSON');
	}
	if (!isPlain(text, value)) checkTokens(text);
	return value;
}

/** Whether the letter of an exponent is there; outside strings, no other letter follows a digit. */
function isExponent(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return (code === SMALL_E || code === LARGE_E) && isDigit(text.charCodeAt(at - 1));
}

/**
 * Whether `checkTokens` has nothing to refuse: no string with an escape, no exponent, no deep nesting, and as many keys in
 * the value as in the text. Of equal keys JSON.parse keeps one, so a value with a duplicate has fewer.
 */
function isPlain(text: string, value: unknown): boolean {
	// Without a backslash, every quote begins or ends a string.
	if (text.includes('\\')) return false;
	let isInString = false;
	let depth = 0;
	let keys = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) isInString = !isInString;
		else if (isInString) continue;
		else if (code === COLON) keys++;
		else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
		else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
		else if (isExponent(text, at)) return false;
		if (depth > MOST_DEPTH) return false;
	}
	return keysIn(value) === keys;
}

/** How many keys all objects in the value have. It is no deeper than `MOST_DEPTH`. */
function keysIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const held: unknown[] = Array.isArray(value) ? value : Object.values(value);
	let count = Array.isArray(value) ? 0 : held.length;
	for (const each of held) count += keysIn(each);
	return count;
}

/** The index after the closing quote of the string that starts here. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	for (;;) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) return at + 1;
		at += code === BACKSLASH ? 2 : 1;
	}
}

/** The decoded string, so that "\u0061" and "a" are the same key. */
function meaning(literal: string): string {
	if (!literal.includes('\\')) return literal.slice(1, -1);
	const text = JSON.parse(literal) as string;
	if (!isStorable(text)) throw new Refused('MALFORMED_JSON');
	return text;
}

function isKey(text: string, after: number): boolean {
	let at = after;
	while (isSpace(text.charCodeAt(at))) at++;
	return text.charCodeAt(at) === COLON;
}

/**
 * Rejects JSON that JSON.parse accepts. Of a duplicate key it keeps the last, where a proxy or a log may have read the
 * first. It reads 1e400 as infinity and 1e2 as 100; amounts are not written with exponents.
 */
function checkTokens(text: string): void {
	/** The keys seen in each open object; null for an open array. */
	const open: (Set<string> | null)[] = [];
	let at = 0;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			const end = endOfString(text, at);
			const string = meaning(text.slice(at, end));
			const keys = open.at(-1);
			if (keys && isKey(text, end)) {
				if (keys.has(string)) throw new Refused('MALFORMED_JSON');
				keys.add(string);
			}
			at = end;
			continue;
		}
		if (code === OPEN_OBJECT) open.push(new Set());
		else if (code === OPEN_ARRAY) open.push(null);
		else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open.pop();
		else if (isExponent(text, at)) throw new Refused('INVALID_AMOUNT');
		if (open.length > MOST_DEPTH) throw new Refused('MALFORMED_JSON');
		at++;
	}
}
