/** What Linux counts of a process, in its own words. */
import { readFileSync } from 'node:fs';

/** Linux counts CPU time for user space in hundredths of a second on every architecture. */
const MS_A_TICK = 10;

interface ProcessStat {
	/** A letter: R runs, S sleeps, Z has ended and is not collected yet. */
	state: string;
	parent: number;
	/** User and system time of the process and its threads. */
	cpuMs: number;
	/** The same of its children that have ended. */
	endedCpuMs: number;
}

/** Null when there is no process of that number. */
export function processStat(pid: number): ProcessStat | null {
	let text: string;
	try {
		text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	} catch {
		return null;
	}
	// The command, in parentheses, may have spaces and brackets itself.
	const [state = '', ...counts] = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [0, 10, 11, 12, 13].map((at) =>
		Number(counts[at] ?? 0),
	);
	return { state, parent, cpuMs: (user + system) * MS_A_TICK, endedCpuMs: (endedUser + endedSystem) * MS_A_TICK };
}
