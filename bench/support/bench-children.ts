/** The servers that a bench has started as processes of their own, by the data folder that they run on. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server that was told to stop may have bets to write first. */
const STOP_LIMIT_MS = 15_000;

const running = new Map<ChildProcess, string>();

export function noteChild(child: ChildProcess, dataDir: string): void {
	running.set(child, dataDir);
	child.once('exit', () => running.delete(child));
}

/** Stops those that a bench left behind on the folder, because it failed; resolves when they are gone. */
export async function endChildrenOn(dataDir: string): Promise<void> {
	const left = [...running].flatMap(([child, folder]) => (folder === dataDir ? [child] : []));
	await Promise.all(left.map(end));
}

async function end(child: ChildProcess): Promise<void> {
	const exited = once(child, 'exit');
	child.kill('SIGTERM');
	const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
	await exited;
	clearTimeout(late);
}
