/** Offers a file to the browser. */
export function download(name: string, text: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
	const link = document.createElement('a');
	link.href = address;
	link.download = name;
	link.click();
	URL.revokeObjectURL(address);
}
