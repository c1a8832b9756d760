/** Rows as a file for a spreadsheet, as RFC 4180 has it. */

/** A number, also a negative one: no spreadsheet runs it as a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA = /^[=+\-@\t\r]/;

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text =
		value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
	const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvOf = (heads: readonly string[], rows: readonly (readonly unknown[])[]): string =>
	[heads, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n');
