/** Hands a text to the browser as a download, byte for byte in UTF-8. */
export function saveFile(name: string, type: string, ...parts: readonly string[]): void {
	const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Hands a table to the browser as a download; the byte order mark makes spreadsheets read it as UTF-8. */
export function saveText(name: string, text: string): void {
	saveFile(name, 'text/csv', '\ufeff', text);
}
