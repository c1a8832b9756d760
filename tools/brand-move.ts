/**
 * `npm run brand -- export HOST --to FOLDER`: writes a brand with its ledger to a new folder, from one snapshot of the
 * database of a running or stopped server. `npm run brand -- import FOLDER` takes it into an empty database, or into a new
 * data folder, whole or not at all. Both need the server's keys in the environment. Each prints a JSON line; a refusal says
 * what is in the way, and exits with 1.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import type { BrandManifest } from './brand-move/brand-folder.ts';
import { readBrand } from './brand-move/read-brand.ts';
import { type ServerKeys, serverKeys } from './brand-move/server-keys.ts';
import { writeBrand } from './brand-move/write-brand.ts';
import { archiveSettings, failureOf, ownDatabase } from './own-database.ts';

const USAGE = 'npm run brand -- (export HOST --to FOLDER | import FOLDER)';

const { values, positionals } = parseArgs({
	options: { 'database-url': { type: 'string' }, 'data-dir': { type: 'string' }, to: { type: 'string' } },
	allowPositionals: true,
});
const { env } = process;
const [verb = '', about = '', ...more] = positionals;
const isExport = verb === 'export';

async function exported(db: pg.Pool, to: string, keys: ServerKeys): Promise<BrandManifest> {
	const client = await db.connect();
	try {
		return await writeBrand(client, about, to, keys);
	} finally {
		client.release(true);
	}
}

const given = values['database-url'] ?? (env['DATABASE_URL'] || null);
const dataDir = resolve(values['data-dir'] ?? (env['DATA_DIR'] || defaultDataDir(env)));
let embedded: EmbeddedPostgres | null = null;
try {
	const { to } = values;
	if (about === '' || more.length > 0 || !(isExport ? to !== undefined : verb === 'import' && to === undefined))
		throw new Error(USAGE);
	const keys = serverKeys(env, given === null && isExport ? dataDir : null);
	if (given === null)
		embedded = await (isExport
			? ownDatabase(dataDir)
			: startEmbeddedPostgres({ dataDir, settings: archiveSettings(), isGuest: true }));
	const db = connect(given ?? (embedded as EmbeddedPostgres).url('backlay'), { max: 1 });
	try {
		const manifest = await (isExport ? exported(db, resolve(to ?? ''), keys) : readBrand(db, resolve(about), keys));
		const { host, batch, isRehearsal, files } = manifest;
		const rows = Object.values(files).reduce((sum, file) => sum + file.rows, 0);
		console.log(JSON.stringify({ [`${verb}ed`]: host, batch, rows, isRehearsal }));
	} finally {
		await db.end();
	}
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
} finally {
	await embedded?.stop();
}
