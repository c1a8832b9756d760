/** Rows as a file for a spreadsheet. */

/** RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export const csvOf = (heads: readonly string[], rows: readonly (readonly unknown[])[]): string =>
	[heads, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n');

/** Offers a file to the browser. */
export function download(name: string, text: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
