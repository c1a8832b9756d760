/** Url-safe and the player's own, as the contract asks; works on a page served without TLS too. */
export function newRequestId(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
