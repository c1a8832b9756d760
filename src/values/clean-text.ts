/**
 * The sanitiser of the product specification, section 5, for text that people write freely: labels, notes, remarks.
 * Names, passwords and codes are never run through it; they are checked as they are and kept verbatim.
 */

/** Unicode's Default_Ignorable_Code_Point: joiners, fillers, variation selectors and the like, drawn as nothing. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether a text has a character in it that no reader sees. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** What stands between these tags is no text either. */
const SCRIPTS = /<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
/** A tag begins with a letter, a slash, `!` or `?`: "a < b" has none. One that is never closed goes to the end. */
const TAGS = /<[a-z/!?][^>]*(?:>|$)/gi;

/** What no keyboard writes and no database takes; line ends and tabs stay. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

const SQL_SIGNS = /['"`;]|--|\/\*|\*\//g;
const SQL_WORDS =
	/\b(?:select|insert|delete|update|drop|union|where|like|exec|cast|declare|from|column|table|database|into|having)\b|\bcount\s*\(\s*\*\s*\)/gi;

/** Applies it until nothing changes, so that what falls together after one pass does not stay. */
function untilStill(text: string, strip: (text: string) => string): string {
	let before = text;
	for (;;) {
		const after = strip(before);
		if (after === before) return after;
		before = after;
	}
}

/** The text without HTML tags and their attributes and without control characters, trimmed; with `sql` also without what could be read as SQL. */
export function cleanText(text: string, options: { sql?: boolean } = {}): string {
	return untilStill(text.toWellFormed(), (dirty) => {
		const plain = dirty.replace(CONTROLS, '').replace(SCRIPTS, '').replace(COMMENTS, '').replace(TAGS, '');
		return options.sql ? plain.replace(SQL_SIGNS, '').replace(SQL_WORDS, '') : plain;
	}).trim();
}
