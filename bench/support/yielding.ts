/**
 * Processes that leave the cores to a measured browser: a player's device shares none with the server. Linux shares the
 * cores between sessions before it does between processes, so the session yields, and `nice` would change nothing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder } from '#server/platform/postgres/embedded-postgres.ts';

/** As of `nice`: a tenth of what another session gets, so that it answers nevertheless where others compute. */
const LEAST = '10';
const YIELDING = `echo ${LEAST} > /proc/self/autogroup; exec "$@"`;

/** Words before a command that start it in a session of its own, which yields. What begins a further session does not. */
export const inYieldingSession: readonly string[] = ['setsid', '--wait', 'sh', '-c', YIELDING, 'sh'];

/** Lets the embedded PostgreSQL of a data folder yield, which has a session of its own. */
export function yieldCluster(dataDir: string): void {
	const [postmaster = ''] = readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n');
	const share = `/proc/${postmaster}/autogroup`;
	if (existsSync(share)) writeFileSync(share, LEAST);
}
