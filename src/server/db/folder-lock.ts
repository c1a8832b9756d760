/**
 * One server a data folder. The embedded PostgreSQL is stopped by the server that started it, so a second one on the same
 * folder would lose its database in the middle of its start. A server that comes while another still stops waits for it.
 *
 * The lock is a socket in the kernel's own namespace: it is taken by one process at a time, and gone with it, however
 * that ends. Who asks is told the holder's process.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A stopping server cuts itself short after ten seconds. */
const TIMEOUT_MS = 12_000;
const LOOK_EVERY_MS = 50;

export interface FolderLock {
	release(): void;
}

/**
 * Takes the folder, waiting for whoever is leaving it.
 * @throws Error with a sentence for the operator when the other stays longer than `timeoutMs`
 */
export async function lockFolder(dataDir: string, timeoutMs = TIMEOUT_MS): Promise<FolderLock> {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	const name = `\0backlay-${createHash('sha256').update(realpathSync(dataDir)).digest('hex')}`;
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

/** Null when another process has that name. */
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
