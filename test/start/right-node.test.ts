/** What starts Node for us says which one it needs, when it finds one that cannot read TypeScript. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const SCRIPTS = Object.entries((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);
const UNITS = readdirSync(join(ROOT, 'deploy', 'systemd'));

/** The words after the program's name, wherever a command of ours starts Node. */
const STARTS: [by: string, words: string[]][] = [
	...SCRIPTS.filter(([, command]) => command.startsWith('node ')).map(([name, command]): [string, string[]] => [
		`npm run ${name}`,
		command.split(' ').slice(1),
	]),
	...UNITS.map((name): [string, string[]] => [
		name,
		(/^ExecStart=\S+ (.*)$/m.exec(read(`deploy/systemd/${name}`))?.[1] ?? '').split(' '),
	]),
	[
		'the container',
		(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(read('deploy/Containerfile'))?.[1] ?? '[]') as string[]).slice(1),
	],
];

/** The options of Node before the program. */
const optionsOf = (words: string[]): string =>
	words
		.slice(
			0,
			words.findIndex((word) => !word.startsWith('-')),
		)
		.join(' ');

/** An old Node ends at its options, before it looks for the program: one command stands for all that have the same. */
const ONCE = [...new Map(STARTS.map((start) => [optionsOf(start[1]), start])).values()];

/** A Node on PATH that is too old and can preload a module; null when this machine has none. */
function oldNode(): string | null {
	const programs = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
	const isOld = (program: string): boolean => {
		const major = Number(/^v(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1]);
		return major >= 20 && major < 24;
	};
	return programs.find((program) => existsSync(program) && isOld(program)) ?? null;
}

const old = oldNode();
if (old === null) console.warn('There is no Node 20 to 23 on PATH: what it is told is not tested.');

it('finds the commands that start Node', () => {
	expect(STARTS.length).toBeGreaterThan(20);
	expect(SCRIPTS.filter(([, command]) => /&& node |npx node/.test(command))).toEqual([]);
});

describe.skipIf(old === null)('an old Node', () => {
	it.each(ONCE)('by %s says which one is needed, and ends with 1', (_, words) => {
		const { status, stdout, stderr } = spawnSync(old as string, words, { cwd: ROOT, encoding: 'utf8' });
		expect(stderr).toMatch(/^Backlay runs on Node 24; this is v2[0-3]\.\S+\. On Linux x64 npm ci brings one: .*\n$/);
		expect([status, stdout]).toEqual([1, '']);
	});
});
