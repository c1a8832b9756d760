/**
 * The shared server that a worker holds from file to file (`shared-server.ts`), as the set-up of each file sees it. It
 * knows no part of the server, so that a file without one does not load it.
 */

export interface HeldServer {
	/** What it was started with. */
	key: string;
	/** Where it listens. */
	ports: readonly number[];
	/** What the file changed that other files rely on, in words. */
	faults(): Promise<string[]>;
	dispose(): Promise<void>;
}

const HELD = Symbol.for('backlay.tests.held-server');
/** The server outlives modules that a file loads again. */
const worker = globalThis as { [HELD]?: HeldServer | null };

export const heldServer = (): HeldServer | null => worker[HELD] ?? null;

export function holdServer(server: HeldServer): void {
	worker[HELD] = server;
}

/** Stops it: the next file wants none, or one that is started otherwise. */
export async function releaseServer(): Promise<void> {
	const held = heldServer();
	worker[HELD] = null;
	await held?.dispose();
}
