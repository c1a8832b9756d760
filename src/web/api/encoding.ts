/**
 * The encoding mode of the wire contract (X-Enc: 1): JSON as base64url of its UTF-8 bytes. It is the specification's
 * transform, not a security measure; the domain setting `encodeRequests` switches it on.
 */

export function encodePayload(value: unknown): string {
	let binary = '';
	for (const byte of new TextEncoder().encode(JSON.stringify(value))) binary += String.fromCharCode(byte);
	return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws when the text is not base64url of JSON. */
export function decodePayload(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
	const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
	const bytes = Uint8Array.from(binary, (char) => char.codePointAt(0) ?? 0);
	return JSON.parse(new TextDecoder().decode(bytes), revive);
}
