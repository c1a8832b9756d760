/** The allowed addresses of a match's stream. */
import { isLocalhostName, isLoopback } from '#values/network.ts';

const ADDRESS = /^(https?):\/\/(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i;

/**
 * Whether a page may play a stream from there: over https, or over http from the browser's own machine. Browsers block
 * the rest as mixed content, and other schemes are no streams.
 */
export function isStreamAddress(address: string): boolean {
	const [, scheme = '', host = ''] = ADDRESS.exec(address) ?? [];
	const name = host.replace(/^\[|\]$/g, '');
	return scheme.toLowerCase() === 'https' || (scheme !== '' && (isLocalhostName(name) || isLoopback(name)));
}
