/** Rows as a CSV file for spreadsheets, by RFC 4180. */

/** A number, also a negative one: no spreadsheet runs it as a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA = /^[=+\-@\t\r]/;

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text =
		value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
	const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvOf = (heads: readonly string[], rows: readonly (readonly unknown[])[]): string =>
	[heads, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n');
