/** Strings, and the punctuation that says which of them are names. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Parses JSON in which no object has a name twice: readers differ in which of the two they take, so that one of them checks
 * what another one carries out.
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
			// Escapes are read, because "a" and "\u0061" are one name.
			const name = JSON.parse(latest) as string;
			if (names?.has(name)) return true;
			names?.add(name);
		} else latest = token;
	}
	return false;
}
