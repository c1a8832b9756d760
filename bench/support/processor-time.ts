/** Processor time of the processes that a bench loads, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MACHINE } from '#server/platform/machine/machine.ts';
import { clusterFolder } from '#server/platform/postgres/embedded-postgres.ts';

const TICKS_A_SECOND = 100;

interface Ticks {
	parent: number;
	/** User and system time of the process itself. */
	own: number;
	/** The same of its children that have ended. */
	ofEnded: number;
}

/** User and system time of a process so far. */
export const processCpuSeconds = (pid: number): number => MACHINE.cpuMs(pid) / 1_000;

/** Of all processes of the embedded PostgreSQL of a data folder so far, those that have ended included. */
export function clusterCpuSeconds(dataDir: string): number {
	const postmaster = Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
	const ticks = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map((name) => ticksIn(Number(name), postmaster));
	return ticks.reduce((sum, of) => sum + of, 0) / TICKS_A_SECOND;
}

function ticksIn(pid: number, postmaster: number): number {
	try {
		const { parent, own, ofEnded } = ticksOf(pid);
		return pid === postmaster ? own + ofEnded : parent === postmaster ? own : 0;
	} catch {
		// It ended meanwhile; the postmaster counts it.
		return 0;
	}
}

function ticksOf(pid: number): Ticks {
	const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The command, in parentheses, may have blanks.
	const words = text
		.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
	const [parent = 0, user = 0, system = 0, usersOfEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map(
		(at) => words[at],
	);
	return { parent, own: user + system, ofEnded: usersOfEnded + systemOfEnded };
}
