/**
 * Compares the files of the release with those at the start of the process, so that a changed one is noticed: GLI-19,
 * 2.3.2. The digest of the list can be computed without this program, as RUNBOOK says: GLI-19, 2.3.3.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { failing, type HealthCheck, ok } from '#server/process/health/check.ts';

/** The source that Node runs, and the pages that the build made of it. */
const FOLDERS = ['src', 'dist', 'dist-console'];
/** Differences that are named; the others are counted. */
const NAMED = 5;

/** SHA-256 in hexadecimal digits by path from the root, in the order of the paths' bytes. */
type Hashes = ReadonlyMap<string, string>;

export class ReleaseFiles {
	readonly #root: string;
	#atStart: Promise<Hashes> | null = null;
	#running: Promise<HealthCheck> | null = null;
	#last: { atMs: number; check: HealthCheck } | null = null;

	/** @param root the folder of the release */
	constructor(root: string) {
		this.#root = root;
	}

	/** Reads the files with which later ones are compared, at the first call alone; none is kept open. */
	start(): Promise<Hashes> {
		this.#atStart ??= hashesIn(this.#root);
		// A failure is told by each comparison.
		this.#atStart.catch(() => undefined);
		return this.#atStart;
	}

	/**
	 * The last comparison if it is no older than `maxAgeMs`, and else a new one; a running one is joined.
	 * @param nowMs when it is asked for
	 */
	async check(maxAgeMs: number, nowMs: number): Promise<HealthCheck> {
		if (this.#last !== null && Math.abs(nowMs - this.#last.atMs) < maxAgeMs) return this.#last.check;
		this.#running ??= this.#compare().finally(() => {
			this.#running = null;
		});
		const check = await this.#running;
		this.#last = { atMs: nowMs, check };
		return check;
	}

	async #compare(): Promise<HealthCheck> {
		const before = await this.start();
		const now = await hashesIn(this.#root);
		const differing = [...new Set([...before.keys(), ...now.keys()])].filter(
			(path) => before.get(path) !== now.get(path),
		);
		if (differing.length === 0)
			return ok('files', `${now.size} files are those of the start; SHA-256 of their list: ${digestOf(now)}.`);
		const named = differing.slice(0, NAMED).join(', ');
		const more = differing.length > NAMED ? ` and ${differing.length - NAMED} more` : '';
		return failing(
			'files',
			`${differing.length} files differ from those of the start: ${named}${more}.`,
			'If a release was installed, hand over to it. Otherwise find out who changed them.',
		);
	}
}

async function hashesIn(root: string): Promise<Hashes> {
	const paths: string[] = [];
	for (const folder of FOLDERS) paths.push(...(await filesBelow(root, folder)));
	const hashes = new Map<string, string>();
	for (const path of paths.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))) {
		hashes.set(
			path,
			createHash('sha256')
				.update(await readFile(join(root, path)))
				.digest('hex'),
		);
	}
	return hashes;
}

/** A folder that is not there has no files: a server without a site serves calls alone. */
async function filesBelow(root: string, folder: string): Promise<string[]> {
	try {
		const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
		return entries
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) =>
				join(parentPath, name)
					.slice(root.length + 1)
					.split(sep)
					.join('/'),
			);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
}

/** Of the lines that `sha256sum` writes for the files, in the order of the paths' bytes. */
function digestOf(hashes: Hashes): string {
	const lines = [...hashes].map(([path, hash]) => `${hash}  ${path}\n`);
	return createHash('sha256').update(lines.join('')).digest('hex');
}
