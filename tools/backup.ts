/**
 * `npm run backup -- --into FOLDER [--keep N]`: a base backup of the embedded database, which may be in use. With
 * `--keep` only the newest N backups are kept; older ones are removed, with the WAL in WAL_ARCHIVE that only they need.
 * Prints one JSON line.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backupsIn, forgetBackups, takeBackup } from '../src/server/platform/postgres/base-backup.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { clusterFolder } from '../src/server/platform/postgres/embedded-postgres.ts';
import { failureOf, ownDatabase } from './own-database.ts';

async function backUp(dataDir: string, into: string): Promise<void> {
	const embedded = await ownDatabase(dataDir);
	try {
		const { folder, manifest } = await takeBackup({
			url: embedded.url('backlay'),
			cluster: clusterFolder(dataDir),
			into,
		});
		const { batch, firstWal, files } = manifest;
		console.log(JSON.stringify({ backup: folder, batch, firstWal, files: Object.keys(files).length }));
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
	await backUp(resolve(values['data-dir'] ?? (env['DATA_DIR'] || defaultDataDir(env))), into);
	if (keep !== null) await forgetBackups({ folder: into, keep, archive });
	console.log(JSON.stringify({ kept: (await backupsIn(into)).length }));
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
}
