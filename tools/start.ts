/** `npm start`: builds the site when its sources changed, then becomes the server. Options are passed on. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../src/server/db/data-folder.ts';
import { certificateLines, streamCertificate } from './stream-certificate.ts';
import { startStudio } from './studio.ts';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist', '.sources');
/** The sources of the built site. */
const SOURCES = [
	'src/values',
	'src/contract',
	'src/ui',
	'src/web',
	'src/console',
	'vite.config.ts',
	'vite.console.config.ts',
	'tools/typeface.ts',
	'package-lock.json',
];

if (Number(process.versions.node.split('.')[0]) < 24) {
	console.error(`Backlay runs on Node 24; this is ${process.version}. Start it with npm start after npm ci.`);
	process.exit(1);
}

/** Changes when the content of any source file changes. */
function digestOf(paths: readonly string[]): string {
	const digest = createHash('sha256');
	const visit = (path: string): void => {
		if (statSync(path).isDirectory()) {
			for (const name of readdirSync(path).sort()) visit(join(path, name));
		} else digest.update(path).update(readFileSync(path));
	};
	for (const path of paths) visit(join(ROOT, path));
	return digest.digest('hex');
}

const digest = digestOf(SOURCES);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== digest) {
	console.log('Building the site …');
	for (const config of ['vite.config.ts', 'vite.console.config.ts']) {
		const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
		const build = spawnSync(process.execPath, [vite, 'build', '--config', config], {
			cwd: ROOT,
			stdio: ['ignore', 'ignore', 'inherit'],
		});
		if (build.status !== 0) process.exit(1);
	}
	writeFileSync(STAMP, digest);
}
const { values } = parseArgs({
	strict: false,
	options: { port: { type: 'string' }, 'data-dir': { type: 'string' } },
});
const port = Number(values.port ?? process.env['PORT'] ?? 3000);
const dataDir = String(values['data-dir'] ?? process.env['DATA_DIR'] ?? defaultDataDir(process.env));
if (process.env['STREAM_TLS'] === 'self') {
	const files = streamCertificate(join(dataDir, 'stream-tls'));
	process.env['STREAM_TLS_CERT'] = files.certificate;
	process.env['STREAM_TLS_KEY'] = files.key;
	for (const line of certificateLines(files)) console.log(line);
}
// In production, and where providers are configured, their own servers have the games.
if (process.env['NODE_ENV'] !== 'production' && !process.env['GAME_PROVIDERS'] && process.env['STUDIO_PORT'] !== '0') {
	const studio = startStudio({
		serverUrl: `http://localhost:${port}`,
		port: Number(process.env['STUDIO_PORT'] ?? port + 100),
		folder: join(dataDir, 'studio'),
	});
	process.env['GAME_PROVIDERS'] = studio.gameProviders;
	process.once('exit', () => studio.process.kill());
}
await import('../src/server/main.ts');
