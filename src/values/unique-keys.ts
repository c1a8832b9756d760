/** Strings of JSON, and the punctuation that marks names. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Parses JSON in which no object has a duplicate name: parsers differ in the value that they keep, so one could check a
 * value and another act on a different one.
 * @returns null for any other text
 */
export function parseUnique(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return null;
	}
	return hasRepeatedName(text) ? null : value;
}

/** @param text valid JSON */
function hasRepeatedName(text: string): boolean {
	/** The names of each open object; null for an array. */
	const open: (Set<string> | null)[] = [];
	let latest = '';
	for (const [token] of text.matchAll(TOKEN)) {
		if (token === '{') open.push(new Set());
		else if (token === '[') open.push(null);
		else if (token === '}' || token === ']') open.pop();
		else if (token === ':') {
			const names = open.at(-1);
			// Escapes are decoded, because "a" and "\u0061" are one name.
			const name = JSON.parse(latest) as string;
			if (names?.has(name)) return true;
			names?.add(name);
		} else latest = token;
	}
	return false;
}
