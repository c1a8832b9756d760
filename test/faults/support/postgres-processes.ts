/** The processes of the embedded PostgreSQL of one data folder: frozen, thawed and killed as a machine in trouble does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStat } from '#server/platform/machine/process-stat.ts';

export class PostgresProcesses {
	readonly #pidFile: string;

	constructor(dataDir: string) {
		this.#pidFile = join(dataDir, 'postgres', 'postmaster.pid');
	}

	/** The postmaster, or null when none runs on this data folder. */
	get postmaster(): number | null {
		try {
			const pid = Number(readFileSync(this.#pidFile, 'utf8').split('\n')[0]);
			return pid > 0 && isRunning(pid) ? pid : null;
		} catch {
			return null;
		}
	}

	/** The postmaster first, then its children. */
	get pids(): number[] {
		const { postmaster } = this;
		return postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)];
	}

	/** Stops every process where it stands: queries hang, and no connection breaks. */
	freeze(): void {
		this.#signal('SIGSTOP');
	}

	/** Lets frozen processes go on. */
	thaw(): void {
		this.#signal('SIGCONT');
	}

	/** kill -9 of the postmaster; its children end by themselves, and the server starts another. */
	kill(): void {
		const { postmaster } = this;
		if (postmaster !== null) process.kill(postmaster, 'SIGKILL');
	}

	/** kill -9 of all of them, frozen ones too; resolves when none is left. For cleaning up. */
	async end(): Promise<void> {
		const { pids } = this;
		this.#signal('SIGKILL');
		while (pids.some(isRunning)) await delay(15);
	}

	/** The postmaster comes first, so that it starts no other meanwhile. */
	#signal(signal: NodeJS.Signals): void {
		for (const pid of this.pids) {
			try {
				process.kill(pid, signal);
			} catch (error) {
				// It ended between the look and the signal.
				if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
			}
		}
	}
}

/** A zombie is not running: its memory and files are gone. */
function isRunning(pid: number): boolean {
	const state = processStat(pid)?.state;
	return state !== undefined && state !== 'Z';
}

function childrenOf(parent: number): number[] {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	return pids.map(Number).filter((pid) => processStat(pid)?.parent === parent);
}
