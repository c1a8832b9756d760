/** Base64 of RFC 4648, section 4, in every browser and in Node. */

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** @throws Error if the text is not base64 as `toBase64` writes it */
export function fromBase64(text: string): Uint8Array {
	const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	if (toBase64(bytes) !== text) throw new Error('base64 in another form');
	return bytes;
}
