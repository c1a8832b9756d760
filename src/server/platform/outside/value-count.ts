/** How many values JSON from outside has, told before it is parsed: parsing hundreds of thousands holds up all other calls. */

/** Many times what the largest call has. */
const MOST_VALUES = 50_000;

const [QUOTE, BACKSLASH, COMMA, OPEN_OBJECT, OPEN_ARRAY] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/**
 * Each list and object counts, and each value in them; an empty one counts twice.
 * @param text any text; what is no JSON is refused by its parser
 */
export function hasTooManyValues(text: string): boolean {
	let count = 1;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = closingQuote(text, at);
		else if (code === COMMA || code === OPEN_OBJECT || code === OPEN_ARRAY) count++;
		if (count > MOST_VALUES) return true;
	}
	return false;
}

/** Of the string that opens there; the text's end if nothing closes it. */
function closingQuote(text: string, open: number): number {
	let at = open + 1;
	for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
		at += code === BACKSLASH ? 2 : 1;
	return at;
}
