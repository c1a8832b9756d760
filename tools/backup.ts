/**
 * `npm run backup -- --into FOLDER [--keep N]`: a base backup of the embedded database, which may be in use. With
 * `--keep` only the newest N backups are kept; older ones are removed once the new one is verified, with the WAL in
 * WAL_ARCHIVE that no backup needs, of this folder or another one. Prints JSON lines.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { archiveNeeds, noteFirstNeed, noteNeed } from '../src/server/platform/postgres/archive-needs.ts';
import {
	type Backup,
	backupsIn,
	firstWalOf,
	forgetBackups,
	forgetWal,
	removePartial,
	takeBackup,
} from '../src/server/platform/postgres/base-backup.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { clusterFolder } from '../src/server/platform/postgres/embedded-postgres.ts';
import { lockIfFree } from '../src/server/platform/postgres/folder-lock.ts';
import { failureOf, ownDatabase } from './own-database.ts';

async function backUp(dataDir: string, into: string): Promise<Backup> {
	const embedded = await ownDatabase(dataDir);
	try {
		const backup = await takeBackup({ url: embedded.url('backlay'), cluster: clusterFolder(dataDir), into });
		const { batch, firstWal, files } = backup.manifest;
		console.log(JSON.stringify({ backup: backup.folder, batch, firstWal, files: Object.keys(files).length }));
		return backup;
	} finally {
		await embedded.stop();
	}
}

const { values } = parseArgs({
	options: { 'data-dir': { type: 'string' }, into: { type: 'string' }, keep: { type: 'string' } },
});
const { env } = process;
const keep = values.keep === undefined ? null : Number(values.keep);
try {
	if (values.into === undefined) throw new Error('npm run backup -- --into FOLDER [--keep N]');
	if (keep !== null && !(Number.isInteger(keep) && keep > 0)) throw new Error('--keep must be a whole number above 0.');
	if (env['DATABASE_URL']) throw new Error('This backs up the embedded database; DATABASE_URL names another one.');
	const into = resolve(values.into);
	const archive = env['WAL_ARCHIVE'] ? resolve(env['WAL_ARCHIVE']) : null;
	await mkdir(into, { recursive: true, mode: 0o700 });
	// It ends with the process.
	if (!(await lockIfFree(into))) throw new Error(`Another backup into ${into} is in progress.`);
	await removePartial(into);
	if (archive) await noteFirstNeed(archive, into);
	const newest = await backUp(resolve(values['data-dir'] ?? (env['DATA_DIR'] || defaultDataDir(env))), into);
	if (keep !== null) await forgetBackups({ folder: into, newest, keep });
	const { backups, broken } = await backupsIn(into);
	if (archive) await noteNeed(archive, { folder: into, firstWal: firstWalOf(backups) });
	if (archive && keep !== null) {
		await forgetWal(archive);
		for (const { folder, file } of await archiveNeeds(archive))
			if (!existsSync(folder)) console.error(`${folder} is away: WAL is kept for it. If it is gone, remove ${file}.`);
	}
	for (const name of broken) console.error(`${name} in ${into} is no backup: look at it, and remove it.`);
	console.log(JSON.stringify({ kept: backups.length }));
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
}
