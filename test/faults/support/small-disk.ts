/** A disk of a few hundred megabytes that a test can fill and free: a tmpfs of its own. Mounting one takes root. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1024);

export class SmallDisk {
	/** Where the disk is mounted. */
	readonly folder: string;
	readonly #ballast: string;
	#mounted = true;
	readonly #unmountAtExit = () => this.dispose();

	private constructor(folder: string) {
		this.folder = folder;
		this.#ballast = join(folder, 'ballast');
		process.once('exit', this.#unmountAtExit);
	}

	/**
	 * A new empty disk. The embedded PostgreSQL takes about 70 MB when it is new and grows with its log of writes, so a
	 * disk under a data folder needs 200 MB or more. A test or a hook mounts it, because those clean up; a file whose tests are
	 * all left out would leave it mounted.
	 * @returns null with a notice where this machine does not let the test mount; the test skips itself then
	 */
	static mount(megabytes: number): SmallDisk | null {
		const folder = mkdtempSync(join(tmpdir(), 'backlay-disk-'));
		const { status, stderr, error } = spawnSync(
			'mount',
			['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder],
			{ encoding: 'utf8' },
		);
		if (status === 0) return new SmallDisk(folder);
		rmdirSync(folder);
		console.warn(`This machine mounts no tmpfs, the test is skipped: ${(error?.message ?? stderr).trim()}`);
		return null;
	}

	get freeBytes(): number {
		const { bavail, bsize } = statfsSync(this.folder);
		return bavail * bsize;
	}

	/**
	 * Takes every free byte. What PostgreSQL has allocated before stays usable to it: commits go on for a little while,
	 * until a table or the write-ahead log needs another page.
	 */
	fill(): void {
		const file = openSync(this.#ballast, 'a');
		try {
			for (let size = CHUNK.length; size > 0; ) {
				try {
					writeSync(file, CHUNK, 0, size);
				} catch (error) {
					if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
					size = Math.floor(size / 2);
				}
			}
		} finally {
			closeSync(file);
		}
	}

	/** Gives back what `fill` took. */
	free(): void {
		rmSync(this.#ballast, { force: true });
	}

	/** Unmounts, even under a process that still holds a file of it. A second call does nothing. */
	dispose(): void {
		if (!this.#mounted) return;
		this.#mounted = false;
		process.off('exit', this.#unmountAtExit);
		spawnSync('umount', ['--lazy', this.folder]);
		rmdirSync(this.folder);
	}
}
