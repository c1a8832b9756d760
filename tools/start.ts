/** `npm start`: builds the site when its sources changed, then becomes the server. Options are passed on. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { type Config, readConfig } from '../src/server/process/config.ts';
import { freePort, startFailure } from '../src/server/process/start-failure.ts';
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

/** @throws Error if the port is taken: the build takes a minute, and the server would report it only afterwards */
async function buildSite({ port, host }: Config): Promise<void> {
	const digest = digestOf(SOURCES);
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return;
	await freePort(port, host);
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

/** The protocol of the stream, determined before the configuration is read, which names its files. */
function makeCertificate(): void {
	if (process.env['STREAM_TLS'] !== 'self') return;
	const { values } = parseArgs({ strict: false, options: { 'data-dir': { type: 'string' } } });
	const dataDir = String(values['data-dir'] ?? process.env['DATA_DIR'] ?? defaultDataDir(process.env));
	const files = streamCertificate(join(dataDir, 'stream-tls'));
	process.env['STREAM_TLS_CERT'] = files.certificate;
	process.env['STREAM_TLS_KEY'] = files.key;
	for (const line of certificateLines(files)) console.log(line);
}

/** In production, and if providers are configured, their own servers have the games. */
async function openStudio({ port, dataDir }: Config): Promise<void> {
	const { NODE_ENV, GAME_PROVIDERS, STUDIO_PORT } = process.env;
	if (NODE_ENV === 'production' || GAME_PROVIDERS || STUDIO_PORT === '0') return;
	const studio = startStudio({
		serverUrl: `http://localhost:${port}`,
		// Any other port number beside the server's may belong to another server.
		port: await freePort(Number(STUDIO_PORT ?? 0), '127.0.0.1'),
		folder: join(dataDir, 'studio'),
	});
	process.env['GAME_PROVIDERS'] = studio.gameProviders;
	process.once('exit', () => studio.process.kill());
}

function fail(error: unknown, variable: string): never {
	console.error(startFailure(error, variable));
	process.exit(1);
}

try {
	makeCertificate();
	const config = readConfig(process.argv.slice(2), process.env, defaultDataDir(process.env));
	await openStudio(config).catch((error) => fail(error, 'STUDIO_PORT'));
	await buildSite(config);
} catch (error) {
	fail(error, 'PORT');
}
await import('../src/server/main.ts');
