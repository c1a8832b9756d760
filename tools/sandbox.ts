/**
 * Runs a program in bubblewrap as deployments run it: only the named folders are writable, there are no capabilities,
 * and it is the first process of its own namespace, as in a container.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { findProgram, installPackages } from './debian-package.ts';

export interface Sandbox {
	/** The program's `/`. */
	root: string;
	cwd: string;
	/** The user id inside. */
	uid: number;
	/** Runs it under another user than the starting one; requires root. */
	isOtherUser: boolean;
	/** Folders of the machine, and their paths inside. They are writable. */
	folders: readonly (readonly [from: string, to: string])[];
	/** Folders that are visible although they lie in /tmp, which is a new one. */
	shown: readonly string[];
	/** The whole environment. */
	env: Readonly<Record<string, string>>;
}

/** A process that has reported its address. */
export interface Serving {
	/** Its process id outside. */
	pid: number;
	port: number;
	/**
	 * Stops it as a supervisor does. @returns its exit code; a process that exceeds its time limit is killed, and has
	 * another than 0
	 */
	stop(): Promise<number>;
}

/** The limits of the unit files, and of the head of the Containerfile: a drain takes ten seconds at most. */
const STOP_LIMIT_MS = 15_000;

/** Installs bubblewrap if there is none and that is allowed. */
export function ensureSandbox(): void {
	if (findProgram(['bwrap']) !== null) return;
	console.error('bubblewrap is not installed; installing it from the system’s packages …');
	if (!installPackages(['bubblewrap']))
		console.error('The test of the units’ processes is skipped: install bubblewrap.');
}

/** Whether bubblewrap is available and may create namespaces. */
export function canSandbox(): boolean {
	return spawnSync('bwrap', ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true']).status === 0;
}

/** Starts a command. It reports its process id on file descriptor 3. */
function start({ root, cwd, uid, isOtherUser, folders, shown, env }: Sandbox, command: readonly string[]) {
	const alone = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--as-pid-1', '--die-with-parent'];
	const user = ['--uid', String(uid), '--gid', String(uid), '--cap-drop', 'ALL', '--json-status-fd', '3'];
	const seen = ['--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--chdir', cwd];
	const added = [
		...shown.flatMap((folder) => ['--ro-bind', folder, folder]),
		...folders.flatMap(([from, to]) => ['--bind', from, to]),
		...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
	];
	const bwrap = ['bwrap', ...alone, ...user, ...seen, '--clearenv', ...added, ...command];
	const other = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'];
	const [program = '', ...args] = isOtherUser ? [...other, ...bwrap] : bwrap;
	return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
}

/** The output of a command, and its exit. */
export async function outcome(sandbox: Sandbox, command: readonly string[]): Promise<{ code: number; text: string }> {
	const child = start(sandbox, command);
	let text = '';
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part));
	const [code] = await once(child, 'close');
	return { code, text };
}

/** The process inside. */
async function innerPid(child: ChildProcess): Promise<number> {
	for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
		const { 'child-pid': pid } = JSON.parse(line) as { 'child-pid'?: number };
		if (pid) return pid;
	}
	throw new Error('bubblewrap started nothing.');
}

/** Starts one of the processes. @throws Error with its output if it ends before it listens */
export async function serve(sandbox: Sandbox, command: readonly string[]): Promise<Serving> {
	const child = start(sandbox, command);
	const closed = once(child, 'close').then(([code]) => code as number);
	let text = '';
	const listening = new Promise<number>((resolve) => {
		for (const stream of [child.stdout, child.stderr] as Readable[])
			createInterface({ input: stream }).on('line', (line) => {
				text += `${line}\n`;
				const port = /(?:ready|health is) on http:\/\/\S+:(\d+)/.exec(line)?.[1];
				if (port) resolve(Number(port));
			});
	});
	const ended = closed.then((code) => Promise.reject(new Error(`It ended with ${code}:\n${text}`)));
	const [pid, port] = await Promise.race([Promise.all([innerPid(child), listening]), ended]);
	const stop = async (): Promise<number> => {
		if (child.exitCode === null) process.kill(pid, 'SIGTERM');
		const killer = setTimeout(() => process.kill(pid, 'SIGKILL'), STOP_LIMIT_MS);
		const code = await closed;
		clearTimeout(killer);
		return code;
	};
	return { pid, port, stop };
}
