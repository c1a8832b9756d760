/**
 * Compares the files of the release with those at the start of the process, so that a changed one is noticed: GLI-19,
 * 2.3.2. The digest of the list can be computed without this program, as RUNBOOK says: GLI-19, 2.3.3.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { failing, type HealthCheck, ok } from '#server/process/health/check.ts';

/** The source that Node runs, the pages that the build made of it, the schema, and what is installed. */
const PARTS = ['src', 'dist', 'dist-console', 'db/migrations', 'package.json', 'package-lock.json'];
/** Differences that are named; the others are counted. */
const NAMED = 5;

/** SHA-256 in hexadecimal digits by path from the root, in the order of the paths' bytes. */
export type Hashes = ReadonlyMap<string, string>;

interface ReleaseFilesOptions {
	/** The folder of the release. */
	root: string;
	/** What the process found when it started. */
	atStart: () => Promise<Hashes>;
	/** The digest that was published with the release; null without one. */
	published: string | null;
	/** Is told of each comparison. */
	onCompared: (comparison: Comparison) => void;
}

/** The digest is that of the files as they are now. */
interface Comparison {
	digest: string;
	files: number;
	/** Paths that differ from the start; empty when all is well. */
	differing: readonly string[];
}

export class ReleaseFiles {
	readonly #options: ReleaseFilesOptions;
	#running: Promise<HealthCheck> | null = null;
	#last: { atMs: number; check: HealthCheck; digest: string } | null = null;

	constructor(options: ReleaseFilesOptions) {
		this.#options = options;
	}

	/** What the last comparison found; null before the first. */
	get standing(): { state: HealthCheck['state']; digest: string; comparedAt: string } | null {
		if (this.#last === null) return null;
		const { atMs, check, digest } = this.#last;
		return { state: check.state, digest, comparedAt: new Date(atMs).toISOString() };
	}

	/**
	 * The last comparison if it is no older than `maxAgeMs`, and else a new one; a running one is joined.
	 * @param nowMs when it is asked for
	 */
	async check(maxAgeMs: number, nowMs: number): Promise<HealthCheck> {
		if (this.#last !== null && Math.abs(nowMs - this.#last.atMs) < maxAgeMs) return this.#last.check;
		this.#running ??= this.#compare(nowMs).finally(() => {
			this.#running = null;
		});
		return await this.#running;
	}

	async #compare(atMs: number): Promise<HealthCheck> {
		const { root, atStart, published, onCompared } = this.#options;
		const before = await atStart();
		const now = await hashesIn(root);
		const differing = [...new Set([...before.keys(), ...now.keys()])].filter(
			(path) => before.get(path) !== now.get(path),
		);
		const digest = digestOf(now);
		const check = checkOf({ digest, files: now.size, differing }, published);
		this.#last = { atMs, check, digest };
		onCompared({ digest, files: now.size, differing });
		return check;
	}
}

function checkOf({ digest, files, differing }: Comparison, published: string | null): HealthCheck {
	if (differing.length > 0) {
		const named = differing.slice(0, NAMED).join(', ');
		const more = differing.length > NAMED ? ` and ${differing.length - NAMED} more` : '';
		return failing(
			'files',
			`${differing.length} files differ from those of the start: ${named}${more}.`,
			'If a release was installed, hand over to it. Otherwise find out who changed them.',
		);
	}
	const words = `${files} files are those of the start; SHA-256 of their list: ${digest}.`;
	return published === null || published === digest
		? ok('files', words)
		: failing(
				'files',
				`${words} RELEASE_DIGEST is another one.`,
				'Install the release again, or set RELEASE_DIGEST to the digest that was published with it.',
			);
}

/** Of a release below `root`. */
export async function hashesIn(root: string): Promise<Hashes> {
	const paths: string[] = [];
	for (const part of PARTS) paths.push(...(await filesBelow(root, part)));
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

/** @param part a folder or a file; one that is not there has none: a server without a site serves calls alone */
async function filesBelow(root: string, part: string): Promise<string[]> {
	try {
		if ((await stat(join(root, part))).isFile()) return [part];
		const entries = await readdir(join(root, part), { recursive: true, withFileTypes: true });
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
export function digestOf(hashes: Hashes): string {
	const lines = [...hashes].map(([path, hash]) => `${hash}  ${path}\n`);
	return createHash('sha256').update(lines.join('')).digest('hex');
}
