/** Files of tools that have to be on the disk, and to be what a manifest names. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** Makes a file or the entries of a folder durable. */
export async function synced(path: string): Promise<void> {
	const handle = await open(path);
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** SHA-256 in hexadecimal digits. */
export async function digestOf(path: string): Promise<string> {
	const digest = createHash('sha256');
	for await (const part of createReadStream(path)) digest.update(part as Buffer);
	return digest.digest('hex');
}
