/** Lists in the environment. */

/** Splits at commas. */
export const listed = (text: string): string[] =>
	text
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);
