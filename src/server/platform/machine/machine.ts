/**
 * Operating system services: data about a process, and running a process as PostgreSQL requires. Linux and macOS have
 * separate implementations; no other code of the server depends on the system.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { processStat } from '#server/platform/machine/process-stat.ts';

interface Machine {
	/** The command line of a process; empty when there is none of that number. */
	commandOf(pid: number): string;
	/** The memory that a process holds; 0 when there is none of that number. */
	residentBytes(pid: number): number;
	/** The CPU time that a process and its threads have used, ms; 0 when there is none of that number. */
	cpuMs(pid: number): number;
	/** The threads of this process that have a name, as `os.setPriority` names them; none where a thread has no number. */
	threadsNamed(name: string): number[];
	/**
	 * The command for a program that refuses to run as root, so that it sees itself as another user.
	 * @throws Error if the system has no such way
	 */
	notAsRoot(program: string, args: readonly string[]): [program: string, args: readonly string[]];
	/**
	 * The command that syncs a folder's whole file system to the disk: faster than a flush of each of a thousand files.
	 */
	flushing(folder: string): [program: string, args: readonly string[]];
	/** The longest path of a Unix socket, bytes. */
	longestSocketPath: number;
}

const KIB = 1024;

/** A line of /proc; empty when there is no such process. */
function procFile(pid: number, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		return '';
	}
}

export const LINUX: Machine = {
	commandOf: (pid) => procFile(pid, 'cmdline').replaceAll('\0', ' ').trim(),
	// In kB on every architecture; `statm` counts pages, whose size differs.
	residentBytes: (pid) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(procFile(pid, 'status'))?.[1] ?? 0) * KIB,
	cpuMs: (pid) => processStat(pid)?.cpuMs ?? 0,
	threadsNamed: (name) =>
		readdirSync('/proc/self/task')
			.map(Number)
			.filter((thread) => procFile(process.pid, `task/${thread}/comm`).trim() === name),
	// A user namespace makes root's files look like another user's.
	notAsRoot: (program, args) => ['unshare', ['--user', '--map-user=65534', '--map-group=65534', program, ...args]],
	flushing: (folder) => ['sync', ['--file-system', folder]],
	longestSocketPath: 107,
};

/** The output of `ps` about a process, with POSIX options; empty if there is none. */
const askPs = (pid: number, field: string): string =>
	spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';

export const MACOS: Machine = {
	commandOf: (pid) => askPs(pid, 'args'),
	residentBytes: (pid) => Number(askPs(pid, 'rss')) * KIB,
	// As `12:34.56`, minutes first.
	cpuMs: (pid) =>
		askPs(pid, 'time')
			.split(':')
			.reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000,
	threadsNamed: () => [],
	notAsRoot: () => {
		throw new Error('PostgreSQL does not run as root on macOS: start Backlay as another user, or set DATABASE_URL.');
	},
	flushing: () => ['sync', []],
	longestSocketPath: 103,
};

export const MACHINE: Machine = process.platform === 'darwin' ? MACOS : LINUX;
