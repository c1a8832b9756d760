/** The files of `deploy/`: their names, their commands, and a server started as the unit says. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Difference } from '#server/exchange/standby/follower.ts';
import { readConfig } from '#server/process/config.ts';
import { SETTING_NAMES } from '#server/process/settings.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { canSandbox, type Serving, serve } from '../../tools/sandbox.ts';
import { startNatsServer } from '../hub/nats-server.ts';
import { freshDatabase } from '../support/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const INSTALLED = '/opt/backlay';
const UNITS = readdirSync(join(ROOT, 'deploy', 'systemd'));
const EXAMPLES = readdirSync(join(ROOT, 'deploy')).filter((name) => name.endsWith('.env.example'));
/** Of 100: what systemd itself calls well protected is below 20 to 30. */
const MOST_EXPOSED = 20;

const folder = mkdtempSync(join(tmpdir(), 'backlay-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const unit = (name: string): string => read(`deploy/systemd/${name}`);

/** The values of a directive that may stand several times. */
const directives = (text: string, name: string): string[] =>
	[...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** The variables of a file of assignments. */
const assignments = (text: string): [string, string][] =>
	[...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);

const key = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');

/** What a process of that unit has in its environment, with keys where the example leaves them out. */
function environmentOf(text: string): Record<string, string> {
	const [file = ''] = directives(text, 'EnvironmentFile');
	const common = assignments(read(`deploy/${basename(file)}.example`)).map(([name, value]) => [
		name,
		value === '' && name !== 'DATA_KEYS' ? key() : value,
	]);
	const own = directives(text, 'Environment').map((line) => line.replaceAll('%i', 'east').split('=', 2));
	return Object.fromEntries([...common, ...own]) as Record<string, string>;
}

/** What starts the process: a program, its own flags, a file, and the file's arguments. */
interface Start {
	program: string;
	flags: string[];
	file: string;
	args: string[];
}

function startOf([program = '', ...words]: string[]): Start {
	const at = words.findIndex((word) => !word.startsWith('-'));
	return { program, flags: words.slice(0, at), file: words[at] ?? '', args: words.slice(at + 1) };
}

const unitStart = (text: string): Start => startOf((directives(text, 'ExecStart')[0] ?? '').split(' '));
const containerStart = (): Start => {
	const line = /^ENTRYPOINT (.*)$/m.exec(read('deploy/Containerfile'))?.[1] ?? expect.unreachable();
	return startOf(JSON.parse(line) as string[]);
};

it('gives the JavaScript engine the same flags wherever the server starts', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const starts = [
		...['start', 'gateway', 'standby'].map((name) => startOf((scripts[name] ?? '').split(' '))),
		...UNITS.map((name) => unitStart(unit(name))),
		containerStart(),
	];
	for (const { flags } of starts) expect(flags).toEqual(starts[0]?.flags);
	expect(starts[0]?.flags).not.toEqual([]);
});

it('names only variables that the server reads and the documents explain', () => {
	const containerfile = [...read('deploy/Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
		line
			.split(' ')
			.map((pair) => pair.split('=')[0] ?? '')
			// Of the system, for commands that are run beside the server.
			.filter((name) => name !== 'PATH'),
	);
	const names = [
		...EXAMPLES.flatMap((name) => assignments(read(`deploy/${name}`)).map(([variable]) => variable)),
		...UNITS.flatMap((name) => directives(unit(name), 'Environment').map((line) => line.split('=')[0] ?? '')),
		...containerfile,
	];
	expect(names.length).toBeGreaterThan(10);
	expect(names.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
	const documents = read('docs/SETTINGS.md') + read('docs/RUNBOOK.md');
	expect(names.filter((name) => !documents.includes(`\`${name}`) && !documents.includes(`${name}=`))).toEqual([]);
});

describe.each(UNITS)('%s', (name) => {
	it('starts a program and a file that exist, as the process it is named after', () => {
		const text = unit(name);
		const { program, file, args } = unitStart(text);
		expect(existsSync(program.replace(INSTALLED, ROOT))).toBe(true);
		expect(existsSync(join(ROOT, file))).toBe(true);
		const config = readConfig(args, environmentOf(text), folder);
		expect(config.production).toBe(true);
		expect(config.metrics?.host).toBe('127.0.0.1');
		const role = config.gateway ? 'gateway' : config.standby ? 'standby' : 'exchange';
		expect(name).toContain(`backlay-${role}`);
	});

	it('runs without privileges, and with a restart that leaves a successor alone', () => {
		const text = unit(name);
		expect(directives(text, 'User')).toEqual(['backlay']);
		for (const [directive, value] of [
			['NoNewPrivileges', 'yes'],
			['ProtectSystem', 'strict'],
			['CapabilityBoundingSet', ''],
		] as const)
			expect(directives(text, directive)).toEqual([value]);
		// An exchange that exists beside a standby would take the lease back: the two never run on one machine.
		const [conflict] = directives(text, 'Conflicts');
		const other = {
			'backlay-exchange.service': 'backlay-standby.service',
			'backlay-standby.service': 'backlay-exchange.service',
		};
		expect(conflict).toBe(other[name as keyof typeof other]);
		// A standby that differs stays down, as no other process does.
		const ended = name === 'backlay-standby.service' ? [String(Difference.EXIT_CODE)] : [];
		expect(directives(text, 'RestartPreventExitStatus')).toEqual(ended);
		// A process is not given up however often it ends while its database is away.
		expect(directives(text, 'StartLimitIntervalSec')).toEqual(['0']);
		expect(Number.parseInt(directives(text, 'TimeoutStopSec')[0] ?? '', 10)).toBeGreaterThan(10);
	});

	it.skipIf(spawnSync('systemd-analyze', ['--version']).error)(
		'is a unit that systemd accepts and calls protected',
		() => {
			const file = join(folder, name.replace('@.', '@east.'));
			writeFileSync(file, unit(name).replaceAll(INSTALLED, ROOT));
			const verify = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
			expect(verify.stderr.split('\n').filter((line) => line.includes(name.split('.')[0] ?? ''))).toEqual([]);
			expect(verify.status).toBe(0);
			const threshold = `--threshold=${MOST_EXPOSED}`;
			const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', threshold, file]);
			expect(security.status).toBe(0);
		},
	);
});

it('exchange and standby of one machine change places one after the other', () => {
	// Of two units that conflict, systemd ends the one before it begins the other only if they are ordered.
	const after = directives(unit('backlay-exchange.service'), 'After').flatMap((line) => line.split(' '));
	expect(after).toContain('backlay-standby.service');
});

it('the container runs Debian’s packages and the lockfile, as another user than root', () => {
	const lines = read('deploy/Containerfile').replaceAll('\\\n', ' ').split('\n');
	const starting = (word: string) => lines.filter((line) => line.startsWith(`${word} `));
	for (const from of starting('FROM')) expect(from).toMatch(/^FROM debian:stable-slim( AS build)?$/);
	expect(starting('USER')).toEqual(['USER 10001:10001']);
	expect(lines.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
		lines.findIndex((line) => line.startsWith('ENTRYPOINT ')),
	);
	expect(lines.filter((line) => /curl|wget|ADD /.test(line))).toEqual([]);
	const copied = starting('COPY').flatMap((line) => (line.includes('--from=') ? [] : line.split(' ').slice(1, -1)));
	expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
	const { program, file } = containerStart();
	expect([program, file].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe.each(['audit', 'backup'])('the timer of the %s', (job) => {
	const timed = (kind: string): string => read(`deploy/timers/backlay-${job}.${kind}`);

	it('starts a tool that exists, without privileges, and notes that it was done', () => {
		const service = timed('service');
		const [start = ''] = directives(service, 'ExecStart');
		const { program, file } = startOf(start.split(' '));
		expect([program.replace(INSTALLED, ROOT), join(ROOT, file)].filter((path) => !existsSync(path))).toEqual([]);
		expect(directives(service, 'ExecStartPost')[0]).toMatch(new RegExp(` note-drill --drill ${job}$`));
		expect(directives(service, 'ProtectSystem')).toEqual(['strict']);
		const folder = / (\/var\/lib\/backlay-[a-z]+)/.exec(start)?.[1];
		expect(directives(service, 'ReadWritePaths')).toEqual([`-${folder}`]);
		expect(directives(timed('timer'), 'Persistent')).toEqual(['true']);
	});

	it.skipIf(spawnSync('systemd-analyze', ['--version']).error)('is accepted by systemd', () => {
		for (const kind of ['service', 'timer'])
			writeFileSync(join(folder, `backlay-${job}.${kind}`), timed(kind).replaceAll(INSTALLED, ROOT));
		const verify = spawnSync('systemd-analyze', ['verify', join(folder, `backlay-${job}.timer`)], { encoding: 'utf8' });
		expect(verify.stderr.split('\n').filter((line) => line.includes('backlay-'))).toEqual([]);
	});
});

const nats = findNatsServer();

/** Three processes as their units start them: on a read-only system, as another user, with the folders of the unit. */
describe.skipIf(nats === null || !canSandbox())('the units’ processes', () => {
	it('serve, take over and end with 0, and write nothing but the database', { tags: 'thorough' }, async () => {
		await using started = new AsyncDisposableStack();
		const database = await freshDatabase();
		started.defer(() => database.drop());
		const bus = await startNatsServer(nats as string);
		started.defer(() => bus.stop());
		const keys = { TOKEN_KEY: key(), LEDGER_KEY: key() };
		// The standby takes over from an exchange that has stopped, not from one that a busy machine makes wait.
		const shared = { ...keys, NATS_URL: bus.url, PORT: '0', METRICS_PORT: '0', STANDBY_SILENCE_MS: '20000' };
		// What the test run has compiled already, so that a start takes as long as everywhere else in it.
		const compiled = process.env['NODE_COMPILE_CACHE'] ?? expect.unreachable();
		mkdirSync(compiled, { recursive: true });
		const sockets = new URL(database.url).searchParams.get('host') ?? expect.unreachable();
		const states: string[] = [];
		const startUnit = async (name: string): Promise<Serving> => {
			const text = unit(name);
			const state = mkdtempSync(join(folder, 'state-'));
			states.push(state);
			// HOME as from the system’s users.
			const environment = {
				...environmentOf(text),
				...shared,
				DATA_DIR: state,
				HOME: '/nonexistent',
				NODE_COMPILE_CACHE: compiled,
			};
			const [program = '', ...args] = (directives(text, 'ExecStart')[0] ?? '').split(' ');
			const serving = await serve(
				{
					root: '/',
					cwd: ROOT,
					uid: 10_001,
					isOtherUser: false,
					shown: [ROOT, sockets],
					folders: [state, compiled].map((path) => [path, path] as const),
					env: 'DATABASE_URL' in environment ? { ...environment, DATABASE_URL: database.url } : environment,
				},
				[program.replace(INSTALLED, ROOT), ...args],
			);
			started.defer(async () => void (await serving.stop()));
			return serving;
		};
		const ready = async ({ port }: Serving) => (await fetch(`http://127.0.0.1:${port}/ready`)).status;

		const exchange = await startUnit('backlay-exchange.service');
		const [standby, gateway] = await Promise.all(
			['backlay-standby.service', 'backlay-gateway@.service'].map(startUnit),
		);
		if (!standby || !gateway) expect.unreachable();
		expect([await ready(exchange), await ready(standby)]).toEqual([200, 503]);
		await expect.poll(() => ready(gateway)).toBe(200);
		expect(await exchange.stop()).toBe(0);
		await expect.poll(() => ready(standby)).toBe(200);
		await expect.poll(() => ready(gateway)).toBe(200);
		expect(await Promise.all([gateway.stop(), standby.stop()])).toEqual([0, 0]);
		expect(states.flatMap((state) => readdirSync(state))).toEqual([]);
	});
});
