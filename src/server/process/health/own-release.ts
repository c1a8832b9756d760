/**
 * The release that a process runs, as the process found it. Its files are read once: for the signatures, for the record of
 * the start, and for later comparisons.
 */
import type { Logger } from 'pino';
import { type Approver, releaseOf, signedReleaseIn, signersOf } from '#server/process/health/release-approval.ts';
import { type Hashes, hashesIn } from '#server/process/health/release-files.ts';

interface OwnReleaseOptions {
	root: string;
	approvers: readonly Approver[];
	log: Pick<Logger, 'info' | 'warn'>;
}

interface FoundRelease {
	version: string;
	digest: string;
	hashes: Hashes;
	/** The approvers that signed it; null where RELEASE_KEYS names none, so that nothing was compared. */
	signers: readonly string[] | null;
}

export class OwnRelease {
	readonly #options: OwnReleaseOptions;
	#found: Promise<FoundRelease> | null = null;

	constructor(options: OwnReleaseOptions) {
		this.#options = options;
	}

	/**
	 * Reads the files at the first call, for about a second; later calls have what was read then.
	 * @throws Error as signersOf does, where RELEASE_KEYS names approvers
	 */
	found(): Promise<FoundRelease> {
		this.#found ??= this.#read();
		// Each caller is told of a failure; nothing has to wait for this one.
		this.#found.catch(() => undefined);
		return this.#found;
	}

	async #read(): Promise<FoundRelease> {
		const { root, approvers, log } = this.#options;
		const hashes = await hashesIn(root);
		const release = await releaseOf(root, hashes);
		if (approvers.length === 0) {
			log.warn(release, 'the release is not signed');
			return { ...release, hashes, signers: null };
		}
		const signers = signersOf(release, await signedReleaseIn(root), approvers);
		log.info({ ...release, signers }, 'the release is signed');
		return { ...release, hashes, signers };
	}
}

/**
 * The release of a process that starts: an approved one if RELEASE_KEYS names approvers. Otherwise nothing waits for its
 * files. Null while it is developed, when its files change all the time.
 * @throws Error as signersOf does, where RELEASE_KEYS names approvers
 */
export async function openRelease(
	config: { production: boolean; releaseRoot: string; approvers: readonly Approver[] },
	log: OwnReleaseOptions['log'],
): Promise<OwnRelease | null> {
	const { production, releaseRoot: root, approvers } = config;
	if (!production && approvers.length === 0) return null;
	const release = new OwnRelease({ root, approvers, log });
	if (approvers.length > 0) await release.found();
	return release;
}
