/** SHA-256 in the server's process, where many are computed. */
import { hash } from 'node:crypto';

/** Node takes a third of the time for the digest's characters that it takes for a buffer of it. */
export const sha256 = (content: string | Uint8Array): Buffer =>
	Buffer.from(hash('sha256', content, 'binary'), 'binary');
