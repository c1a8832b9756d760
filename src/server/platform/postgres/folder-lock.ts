/**
 * Allows one server for each data folder. A server stops the embedded PostgreSQL at its end, so a second server on the
 * same folder would lose its database while it starts. A server that starts while another is still stopping waits for it.
 *
 * The lock is a socket in the kernel's abstract namespace: one process at a time can hold it, and it disappears when
 * the process ends for any reason. The holder answers connections with its process id.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A stopping server gives up after ten seconds. */
const TIMEOUT_MS = 12_000;
const LOOK_EVERY_MS = 50;

interface FolderLock {
	release(): void;
}

/**
 * Locks the folder, after waiting for a server that is stopping.
 * @throws Error with a sentence for the operator when the folder cannot be made, or the other server keeps the lock
 *   longer than `timeoutMs`
 */
export async function lockFolder(dataDir: string, timeoutMs = TIMEOUT_MS): Promise<FolderLock> {
	try {
		mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	} catch (cause) {
		const message = `The data folder ${dataDir} cannot be made: name another with DATA_DIR, or set DATABASE_URL.`;
		throw new Error(message, { cause });
	}
	const name = lockOf(dataDir);
	const giveUpAt = Date.now() + timeoutMs;
	for (;;) {
		const server = await listenOn(name);
		if (server) return { release: () => server.close() };
		if (Date.now() >= giveUpAt) {
			throw new Error(
				`Another Backlay${await holderOf(name)} runs on the data folder ${dataDir}. ` +
					'Stop it, or name another folder with DATA_DIR.',
			);
		}
		await delay(LOOK_EVERY_MS);
	}
}

/** Locks the folder, which exists. Null when another process holds the lock. */
export async function lockIfFree(folder: string): Promise<FolderLock | null> {
	const server = await listenOn(lockOf(folder));
	return server && { release: () => server.close() };
}

const lockOf = (folder: string): string =>
	`\0backlay-${createHash('sha256').update(realpathSync(folder)).digest('hex')}`;

/** Null when another process holds that name. */
async function listenOn(name: string): Promise<Server | null> {
	const server = createServer((asking) => asking.on('error', () => {}).end(` (process ${process.pid})`));
	server.listen(name);
	try {
		await once(server, 'listening');
		return server.unref();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
		throw error;
	}
}

async function holderOf(name: string): Promise<string> {
	try {
		return await text(connect(name));
	} catch {
		return '';
	}
}
