/**
 * `npm run smoke-image`: builds the image of `deploy/Containerfile` and runs exchange, standby and gateway from it as
 * its head says: not as root, on a read-only root, without capabilities. It needs root on a Debian system and no
 * daemon: debootstrap makes the base from Debian's packages, buildah the image, bubblewrap runs it. PostgreSQL and NATS
 * run beside it. It leaves no image behind and changes no existing one. `--root FOLDER` uses a previously unpacked
 * image; `--keep FOLDER` unpacks the new one there.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { startNatsServer } from '../test/hub/nats-server.ts';
import { findProgram, installPackages } from './debian-package.ts';
import { findNatsServer } from './nats-server.ts';
import { outcome, type Sandbox, type Serving, serve } from './sandbox.ts';

const PROJECT = join(import.meta.dirname, '..');
const CONTAINERFILE = readFileSync(join(PROJECT, 'deploy', 'Containerfile'), 'utf8');
/** The value of an instruction that occurs once. */
const instruction = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(CONTAINERFILE)?.[1] ?? '';
const USER = Number(instruction('USER').split(':')[0]);
const MAIN: readonly string[] = JSON.parse(instruction('ENTRYPOINT'));
const BASE = 'docker.io/library/debian:stable-slim';
const IMAGE = 'localhost/backlay';
/** The system's trusted certificates, for registries behind a proxy with its own certificate. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

function sh(command: string, args: readonly string[]): string {
	const { status, stdout } = spawnSync(command, args, {
		cwd: PROJECT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 1e9,
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
	const store = ['--root', join(scratch, 'store'), '--runroot', join(scratch, 'store-run'), '--storage-driver', 'vfs'];
	const buildah = (...args: string[]): string => sh('buildah', [...store, ...args]);
	const base = join(scratch, 'base');
	sh('debootstrap', ['--variant=minbase', 'stable', base, 'http://deb.debian.org/debian']);
	sh('chroot', [base, 'apt-get', 'clean']);
	const empty = buildah('from', 'scratch');
	buildah('add', '-q', empty, base, '/');
	buildah('commit', '-q', '--rm', empty, BASE);
	const ways = ['--pull=never', '--isolation=chroot', '--secret', `id=ca,src=${CERTIFICATES}`];
	buildah('bud', ...ways, '-f', 'deploy/Containerfile', '-t', IMAGE, '.');
	sh('cp', ['-a', `${buildah('mount', buildah('from', '--pull=never', IMAGE))}/.`, root]);
	const [size = ''] = sh('du', ['-sm', root]).split('\t');
	console.log(`The image has ${size} MB.`);
}

const statusOf = async (port: number, path: string): Promise<number> =>
	(await fetch(`http://localhost:${port}${path}`)).status;

async function becomes(port: number, path: string, wanted: number): Promise<void> {
	for (const untilMs = Date.now() + 30_000; Date.now() < untilMs; ) {
		if ((await statusOf(port, path).catch(() => 0)) === wanted) return;
		await new Promise((resume) => setTimeout(resume, 100));
	}
	assert.fail(`${path} of port ${port} did not become ${wanted}`);
}

/** The options shared by the processes: the head of the Containerfile, in bubblewrap. */
const CONTAINER: Omit<Sandbox, 'root' | 'folders'> = {
	cwd: '/opt/backlay',
	uid: USER,
	isOtherUser: true,
	shown: [],
	env: Object.fromEntries(
		instruction('ENV')
			.split(' ')
			.map((pair) => pair.split('=') as [string, string]),
	),
};

const withEnv = (sandbox: Sandbox, env: Readonly<Record<string, string>>): Sandbox => ({
	...sandbox,
	env: { ...sandbox.env, ...env },
});

const start = (container: Sandbox, option?: '--standby' | '--gateway'): Promise<Serving> =>
	serve(container, [...MAIN, ...(option ? [option] : [])]);

/** The output lines of an operator's command, run in a container as `docker exec` does. */
async function operator<Line>(container: Sandbox, { port }: Serving, ...args: string[]): Promise<Line[]> {
	const line = ['node', 'src/server/operators/command-line.ts', ...args, '--url', `http://127.0.0.1:${port}`];
	const { code, text } = await outcome(container, line);
	assert.equal(code, 0, text);
	return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
}

/** The result of a player's call. */
async function call<Result>({ port }: Serving, path: string, body: object | null, token = ''): Promise<Result> {
	const response = await fetch(`http://localhost:${port}/${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), Authorization: `Bearer ${token}` },
		body: body ? JSON.stringify(body) : null,
	});
	const { result, error } = (await response.json()) as { result: Result; error: unknown };
	assert.equal(error, null, `${path}: ${JSON.stringify(error)}`);
	return result;
}

interface Market {
	marketId: string;
	status: string;
	inPlay: boolean;
	runners: { id: string }[];
}

/** A market of the simulated sports, as soon as one is open. */
async function openMarket(container: Sandbox, exchange: Serving): Promise<Market> {
	for (const untilMs = Date.now() + 60_000; Date.now() < untilMs; ) {
		const markets = await operator<Market>(container, exchange, 'markets');
		const open = markets.find(({ status, inPlay }) => status === 'OPEN' && !inPlay);
		if (open) return open;
	}
	assert.fail('no market opened');
}

const check = (what: string): void => console.log(`✓ ${what}`);

const FACTS = String.raw`const fs = require('node:fs');
const can = (file) => { try { fs.writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
const { Uid, Gid, CapEff, NoNewPrivs } = Object.fromEntries(
	fs.readFileSync('/proc/1/status', 'utf8').split('\n').map((line) => line.split(/:?\s+/)),
);
console.log(Uid, Gid, Number('0x' + CapEff), NoNewPrivs, ...['/x', '/opt/backlay/x', '/tmp/x'].map(can));`;

/** The rights of a container, and the settings without which it refuses to start. */
async function checkContainer(bare: Sandbox, secrets: Readonly<Record<string, string>>): Promise<void> {
	const { text } = await outcome(bare, ['node', '-e', FACTS]);
	assert.equal(text.trim(), `${USER} ${USER} 0 1 EROFS EROFS written`);
	check('the first process is not root, has no capabilities and gains none, and can write to /tmp alone');
	for (const [given, missing] of [
		[{}, /TOKEN_KEY is required/],
		[{ ...secrets, DATABASE_URL: '' }, /set DATABASE_URL/],
		[{ ...secrets, DATABASE_URL: '', DATA_DIR: '/tmp/data' }, /set DATABASE_URL/],
	] as const) {
		const refused = await outcome(withEnv(bare, given), MAIN);
		assert.equal(refused.code, 1, refused.text);
		assert.match(refused.text, missing);
	}
	check('it does not start without secrets or without a database, and says so');
}

/** The first day of a site on three processes. */
async function checkProcesses(container: Sandbox): Promise<void> {
	const exchange = await start(container);
	assert.deepEqual([await statusOf(exchange.port, '/live'), await statusOf(exchange.port, '/ready')], [200, 200]);
	const [standby, gateway] = await Promise.all([start(container, '--standby'), start(container, '--gateway')]);
	assert.deepEqual([await statusOf(standby.port, '/live'), await statusOf(standby.port, '/ready')], [200, 503]);
	await becomes(gateway.port, '/ready', 200);
	for (const { pid } of [exchange, standby, gateway])
		assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), new RegExp(`^Uid:\\s${USER}\\s`, 'm'));
	check('exchange, standby and gateway run, as that user for the machine, too');

	const staff = async (serving: Serving): Promise<string[]> => {
		const lists = await operator<{ members: { name: string }[] }>(container, serving, 'staff', 'list');
		return lists.flatMap(({ members }) => members.map(({ name }) => name));
	};
	assert.deepEqual(await staff(exchange), []);
	await operator(container, exchange, 'staff', 'add', 'first', '--roles', 'owner');
	await operator(container, exchange, 'brand', 'add', 'localhost');
	check('it has no staff of its own, and the command line makes the first owner and a site');

	const password = randomBytes(12).toString('base64url');
	await operator(container, exchange, 'create-player', 'anna', '--password', password, '--host', 'localhost');
	await operator(container, exchange, 'add-money', 'anna', '5000', '--host', 'localhost');
	const { marketId, runners } = await openMarket(container, exchange);
	assert.equal(await statusOf(gateway.port, '/'), 200);
	const login = { userNameOrEmailAddress: 'anna', password };
	const { accessToken } = await call<{ accessToken: string }>(gateway, 'Account/Authenticate', login);
	const bet = {
		marketId,
		runnerId: runners[0]?.id,
		side: 'BACK',
		price: 900,
		stake: 100,
		clientRequestId: 'smoke-0001',
	};
	await call(gateway, 'Bet/PlaceBetV2', bet, accessToken);
	const exposure = async (serving: Serving): Promise<number> =>
		(await call<{ exposure: number }>(serving, 'Bet/GetUserOpenBets', null, accessToken)).exposure;
	assert.equal(await exposure(gateway), bet.stake);
	check('the gateway serves the site, logs a player in and places a bet');

	assert.equal(await exchange.stop(), 0);
	await becomes(standby.port, '/ready', 200);
	await becomes(gateway.port, '/ready', 200);
	assert.deepEqual([await exposure(standby), await exposure(gateway)], [bet.stake, bet.stake]);
	check('an exchange that is stopped ends with 0, and the standby goes on with its data');
	assert.deepEqual(await Promise.all([gateway.stop(), standby.stop()]), [0, 0]);
	const again = await start(container);
	assert.deepEqual([await exposure(again), await staff(again)], [bet.stake, ['first']]);
	assert.equal(await again.stop(), 0);
	check('all end with 0, and a new start has the data');
}

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
	need({ bwrap: 'bubblewrap', 'nats-server': 'nats-server' });
	const cluster = await startEmbeddedPostgres({ dataDir: join(scratch, 'cluster') });
	const nats = await startNatsServer(findNatsServer() as string);
	try {
		const sockets = new URL(cluster.url('backlay')).searchParams.get('host') as string;
		for (const folder of [join(scratch, 'cluster'), sockets]) chmodSync(folder, 0o755);
		const database = `postgresql://backlay@localhost/backlay?host=${encodeURIComponent('/tmp/database')}`;
		const image: Sandbox = { ...CONTAINER, root, folders: [[sockets, '/tmp/database']] };
		const bare = withEnv(image, { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database });
		const secrets = {
			TOKEN_KEY: randomBytes(32).toString('base64'),
			LEDGER_KEY: randomBytes(32).toString('base64'),
			NATS_URL: nats.url,
			CONSOLE_HOST: 'console.example',
			COMMAND_ROWS: 'on',
			// Longer than a busy machine stalls: the standby takes over from a stopped exchange, not from a slow one.
			STANDBY_SILENCE_MS: '20000',
		};
		await checkContainer(bare, secrets);
		await checkProcesses(withEnv(bare, secrets));
	} finally {
		await nats.stop();
		await cluster.stop();
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
