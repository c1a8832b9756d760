/** Where the stream of a match may come from. */
import { isLocalhostName, isLoopback } from '#values/network.ts';

const ADDRESS = /^(https?):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * Whether a page may play a stream from there: over https, or over http from the machine that the browser runs on.
 * Browsers block the rest as mixed content, and an address of another scheme is no stream.
 */
export function isStreamAddress(address: string): boolean {
	const [, scheme = '', host = ''] = ADDRESS.exec(address) ?? [];
	const name = host.replace(/^\[|\]$/g, '');
	return scheme.toLowerCase() === 'https' || (scheme !== '' && (isLocalhostName(name) || isLoopback(name)));
}
