/**
 * Which WAL of an archive the backups of each folder need. Each folder notes it in the archive, so that a backup into one
 * folder removes nothing that another one needs, also while the disk of that one is away.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NOTE = /^needed-by-[0-9a-f]{16}\.json$/;

interface Need {
	/** Of backups. */
	folder: string;
	/** The first segment that a restore of one of its backups reads; empty while it is not known: then all are needed. */
	firstWal: string;
}

const noteOf = (archive: string, folder: string): string =>
	join(archive, `needed-by-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.json`);

/** By folder, with the file of the note. @throws Error when a note cannot be read */
export async function archiveNeeds(archive: string): Promise<(Need & { file: string })[]> {
	const files = (await readdir(archive)).filter((name) => NOTE.test(name)).map((name) => join(archive, name));
	return await Promise.all(
		files.map(async (file) => ({ ...(JSON.parse(await readFile(file, 'utf8')) as Need), file })),
	);
}

/** Replaces what the folder noted before. Nothing is noted in an archive that is away. */
export async function noteNeed(archive: string, need: Need): Promise<void> {
	const note = noteOf(archive, need.folder);
	try {
		await writeFile(`${note}.partial`, JSON.stringify(need), { mode: 0o600, flush: true });
		await rename(`${note}.partial`, note);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
	}
}

/** Before its first backup a folder needs whatever the archive has: which segment is the first is not known yet. */
export async function noteFirstNeed(archive: string, folder: string): Promise<void> {
	const known = await archiveNeeds(archive).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return [];
		throw error;
	});
	if (!known.some((need) => need.folder === folder)) await noteNeed(archive, { folder, firstWal: '' });
}
