/** Processor time of the embedded PostgreSQL of a data folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder } from '#server/platform/postgres/embedded-postgres.ts';

/** Ticks of a second in which Linux counts processor time. */
const TICKS_A_SECOND = 100;

/** Of all its processes so far, those that have ended included. */
export function clusterCpuSeconds(dataDir: string): number {
	const postmaster = Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
	const ticks = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map((name) => ticksOf(Number(name), postmaster));
	return ticks.reduce((sum, of) => sum + of, 0) / TICKS_A_SECOND;
}

function ticksOf(pid: number, postmaster: number): number {
	let text: string;
	try {
		text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch {
		// It ended meanwhile; the postmaster counts it.
		return 0;
	}
	// The command, in parentheses, may have blanks.
	const words = text
		.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
	const [parent = 0, user = 0, system = 0, usersOfEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map(
		(at) => words[at],
	);
	if (pid === postmaster) return user + system + usersOfEnded + systemOfEnded;
	return parent === postmaster ? user + system : 0;
}
