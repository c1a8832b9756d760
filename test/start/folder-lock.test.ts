/** A data folder has one server at a time; the next one waits a moment, and then says who has it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '#server/platform/postgres/folder-lock.ts';
import { ServerProcess } from '../browser/server-process.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backlay-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is waited for while another server leaves it', async () => {
	const first = await lockFolder(folder);
	const second = lockFolder(folder);
	first.release();
	(await second).release();
});

it('is refused with the process that stays in it', async () => {
	const first = await lockFolder(folder);
	await expect(lockFolder(folder, 0)).rejects.toThrow(
		`Another Backlay (process ${process.pid}) runs on the data folder`,
	);
	first.release();
});

it('is refused where it cannot be made, with what to do', async () => {
	const file = join(folder, 'file');
	writeFileSync(file, '');
	await expect(lockFolder(join(file, 'data'))).rejects.toThrow('or set DATABASE_URL');
});

it('belongs to the next server, with its database, as soon as the previous one has stopped', {
	tags: 'thorough',
	timeout: 180_000,
}, async () => {
	const server = await ServerProcess.create({ embedded: true });
	onTestFinished(() => server.dispose());
	const options = ['--log-level', 'error', '--no-feeds'];
	await server.start(options);
	const stopped = server.stop();
	await server.start(options);
	await stopped;
	expect((await fetch(`${server.url}/healthz`)).ok).toBe(true);
});
