/** Tools and starts that lack something end with 1 and a sentence that says what to do, and make nothing. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mainlyEach } from '../support/main-rows.ts';
import { runTool } from '../support/run-tool.ts';

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
/** Nothing of this machine's settings but the folder of compiled code, without which each start compiles its tool. */
const BARE = { PATH, HOME, NODE_COMPILE_CACHE, NODE_ENV: 'development' };

function scratch(): string {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-refused-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** What a refused run printed: one paragraph, without the lines of a stack. */
async function refusal(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
	const { code, stdout, stderr } = await runTool(script, args, { ...BARE, ...environment });
	expect(code).toBe(1);
	expect(stderr).not.toMatch(/^\s+at /m);
	expect(stdout).toBe('');
	return stderr;
}

mainlyEach<[string, string, string[], string]>(
	[
		['months', 'tools/months.ts', [], 'There is no database in'],
		[
			'months of another database',
			'tools/months.ts',
			['--database-url', 'postgres://localhost:1/x'],
			'The database does not answer: ',
		],
		['a backup', 'tools/backup.ts', ['--into', '/nonexistent/backups'], 'There is no database in'],
		['an audit', 'tools/audit.ts', [], 'There is no token.key in'],
		['a restore drill', 'tools/restore.ts', ['--from', '/nonexistent', '--drill'], 'There is no token.key in'],
		[
			'a reconciliation',
			'src/server/operators/command-line.ts',
			['reconcile', 'PLAY', '/nonexistent.csv', '--from', '2026-01-01', '--to', '2026-01-02'],
			'The file /nonexistent.csv cannot be read: ',
		],
	],
	([what]) => ['months', 'a restore drill'].includes(what),
)('%s without what it needs makes nothing', async (_, script, args, sentence) => {
	const folder = scratch();
	const dataDir = join(folder, 'data');
	expect(await refusal(script, args, { DATA_DIR: dataDir })).toContain(sentence);
	expect(readdirSync(folder)).toEqual([]);
});

it('a restore drill says that its key is missing before it reads the backup', async () => {
	expect(await refusal('tools/restore.ts', ['--from', '/nonexistent', '--drill'], {})).toContain('Set LEDGER_KEY');
});

mainlyEach(
	[
		['the server', 'src/server/main.ts'],
		['months', 'tools/months.ts'],
	],
	([what]) => what === 'months',
)('%s says that DATA_DIR is a file', async (_, script) => {
	const file = join(scratch(), 'a-file');
	writeFileSync(file, '');
	expect(await refusal(script, [], { DATA_DIR: file, PORT: '0' })).toContain(file);
});

mainlyEach([['PORT'], ['STUDIO_PORT']], ([name]) => name === 'PORT')(
	'npm start finds that %s is taken before it builds the site',
	async (name) => {
		const other = createServer().listen(0, '127.0.0.1');
		await once(other, 'listening');
		onTestFinished(() => void other.close());
		const { port } = other.address() as { port: number };
		// A copy of the project whose site is not built.
		const root = scratch();
		mkdirSync(join(root, 'tools'));
		for (const tool of ['start.ts', 'stream-certificate.ts', 'studio.ts', 'typeface.ts'])
			copyFileSync(join('tools', tool), join(root, 'tools', tool));
		const linked = [
			'src',
			'node_modules',
			'package.json',
			'package-lock.json',
			'vite.config.ts',
			'vite.console.config.ts',
		];
		for (const path of linked) symlinkSync(join(process.cwd(), path), join(root, path));
		const environment = { DATA_DIR: join(root, 'data'), HOST: '127.0.0.1', PORT: '0', [name]: String(port) };
		const said = await refusal(join(root, 'tools', 'start.ts'), [], environment);
		expect(said).toBe(`Port ${port} is taken. Stop what listens there, or name another with ${name}.\n`);
	},
);
