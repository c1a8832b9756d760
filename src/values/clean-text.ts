/**
 * The sanitiser of the product specification, section 5, for free text: labels, notes, remarks. Names, passwords and
 * codes do not pass through it; they are validated and kept verbatim.
 */

/** Unicode's Default_Ignorable_Code_Point: joiners, fillers, variation selectors and other invisible characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether a text contains an invisible character. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** The content of these elements is not text. */
const SCRIPTS = /<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
/** A tag begins with a letter, a slash, `!` or `?`: "a < b" has none. An unclosed tag extends to the end. */
const TAGS = /<[a-z/!?][^>]*(?:>|$)/gi;

/** Control characters, except line ends and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

const SQL_SIGNS = /['"`;]|--|\/\*|\*\//g;
const SQL_WORDS =
	/\b(?:select|insert|delete|update|drop|union|where|like|exec|cast|declare|from|column|table|database|into|having)\b|\bcount\s*\(\s*\*\s*\)/gi;

/** Repeats until nothing changes, because removing one match may join another. */
function untilStill(text: string, strip: (text: string) => string): string {
	let before = text;
	for (;;) {
		const after = strip(before);
		if (after === before) return after;
		before = after;
	}
}

/**
 * The text without HTML tags, attributes and control characters, trimmed; with `sql` also without tokens that could be
 * read as SQL.
 */
export function cleanText(text: string, options: { sql?: boolean } = {}): string {
	return untilStill(text.toWellFormed(), (dirty) => {
		const plain = dirty.replace(CONTROLS, '').replace(SCRIPTS, '').replace(COMMENTS, '').replace(TAGS, '');
		return options.sql ? plain.replace(SQL_SIGNS, '').replace(SQL_WORDS, '') : plain;
	}).trim();
}
