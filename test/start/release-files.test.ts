/** The files of a release are compared with those at the start of its process. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { Journal } from '#server/platform/postgres/journal.ts';
import type { HealthCheck } from '#server/process/health/check.ts';
import { Records } from '#server/process/health/records.ts';
import { hashesIn, ReleaseFiles } from '#server/process/health/release-files.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { plainRequest } from '../support/plain-request.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

/** A release of a few files, whose names sort by their bytes otherwise than by letters. */
function release() {
	const root = mkdtempSync(join(tmpdir(), 'backlay-release-'));
	onTestFinished(() => rmSync(root, { recursive: true, force: true }));
	const write = (path: string, text: string) => {
		mkdirSync(join(root, path, '..'), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	for (const path of [
		'package.json',
		'db/migrations/0001-a.sql',
		'src/b.ts',
		'src/B.ts',
		'src/a-b.ts',
		'src/a/é.ts',
		'dist/index.html',
	])
		write(path, path);
	return { root, write };
}

function filesOf(root: string, published: string | null = null, onCompared: (found: object) => void = () => {}) {
	let found: ReturnType<typeof hashesIn> | null = null;
	const atStart = () => {
		found ??= hashesIn(root);
		return found;
	};
	return new ReleaseFiles({ root, atStart, published, onCompared });
}

/** The command of RUNBOOK, which shares nothing with the program. */
const digestIn = (root: string): string =>
	execFileSync(
		'sh',
		[
			'-c',
			"find src dist dist-console db/migrations package.json package-lock.json -type f 2>/dev/null | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum | sha256sum",
		],
		{ cwd: root, encoding: 'utf8' },
	).slice(0, 64);

it('an unchanged release is well, under the digest that sha256sum computes of it', async () => {
	const { root } = release();
	const found = await filesOf(root).check(0, NOW);
	expect(found).toMatchObject({ name: 'files', state: 'ok' });
	expect(found.words).toBe(`7 files are those of the start; SHA-256 of their list: ${digestIn(root)}.`);
});

it('files that were changed, added and removed since the start are named, and well again when they are back', async () => {
	const { root, write } = release();
	const files = filesOf(root);
	await files.check(0, NOW);
	write('src/b.ts', 'other');
	write('src/new.ts', '');
	rmSync(join(root, 'dist/index.html'));
	const found = await files.check(0, NOW);
	expect(found.state).toBe('failing');
	for (const path of ['src/b.ts', 'src/new.ts', 'dist/index.html']) expect(found.words).toContain(path);
	expect(found.words).toMatch(/^3 files differ/);
	write('src/b.ts', 'src/b.ts');
	rmSync(join(root, 'src/new.ts'));
	write('dist/index.html', 'dist/index.html');
	expect(await files.check(0, NOW)).toMatchObject({ state: 'ok' });
});

it('a comparison serves for its time, and is made again after it, on demand, and when the clock was set back', async () => {
	const { root, write } = release();
	const files = filesOf(root);
	await files.check(DAY_MS, NOW);
	const changed = async (maxAgeMs: number, atMs: number): Promise<HealthCheck['state']> => {
		write('src/b.ts', 'other');
		const { state } = await files.check(maxAgeMs, atMs);
		write('src/b.ts', 'src/b.ts');
		await files.check(0, NOW);
		return state;
	};
	expect(await changed(DAY_MS, NOW + DAY_MS - HOUR_MS)).toBe('ok');
	expect(await changed(DAY_MS, NOW + DAY_MS)).toBe('failing');
	expect(await changed(DAY_MS, NOW - DAY_MS)).toBe('failing');
	expect(await changed(0, NOW)).toBe('failing');
});

it('files that were changed before the start are found by the digest that was published with the release', async () => {
	const { root, write } = release();
	const published = digestIn(root);
	expect(await filesOf(root, published).check(0, NOW)).toMatchObject({ state: 'ok' });
	write('package.json', 'other');
	const found = await filesOf(root, published).check(0, NOW);
	expect(found).toMatchObject({ state: 'failing', words: expect.stringContaining('RELEASE_DIGEST') });
});

it('each comparison is told, with the digest and the differences, and stands until the next', async () => {
	const { root, write } = release();
	const told: object[] = [];
	const files = filesOf(root, null, (found) => told.push(found));
	expect(files.standing).toBeNull();
	await files.check(0, NOW);
	const digest = digestIn(root);
	write('src/b.ts', 'other');
	await Promise.all([files.check(0, NOW + 1), files.check(0, NOW + 1)]);
	expect(told).toEqual([
		{ digest, files: 7, differing: [] },
		{ digest: digestIn(root), files: 7, differing: ['src/b.ts'] },
	]);
	expect(files.standing).toEqual({
		state: 'failing',
		digest: digestIn(root),
		comparedAt: new Date(NOW + 1).toISOString(),
	});
});

it('each comparison is in the journal, also after a hundred days and starts of the server', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const { db } = database;
	const long = Date.now() - 100 * DAY_MS;
	const journal = new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 0, clock: () => long });
	const records = new Records({ db, journal, process: 'east', log: pino({ level: 'silent' }) });
	const { root } = release();
	await filesOf(root, null, (found) => records.add('files-compared', 'release', found)).check(0, NOW);
	await records.write();
	for (let start = 0; start < 2; start++) {
		const server = await TestServer.start(database);
		server.running.housekeeping.tidy(Date.now());
		await server.stop();
	}
	const { rows } = await db.query(
		`select at, details ->> 'digest' as digest from journal where act = 'files-compared'`,
	);
	expect(rows).toEqual([{ at: long, digest: digestIn(root) }]);
	await expectSound(database.url);
});

it('doctor and /ready have the digest in production, and no files where they are developed', {
	tags: 'thorough',
}, async () => {
	const found = async (production: boolean) => {
		const server = await TestServer.start(undefined, { production });
		onTestFinished(() => server.dispose());
		const asked = async (comparesFiles: boolean) =>
			(await server.act<HealthCheck[]>('doctor', { comparesFiles })).find(({ name }) => name === 'files')?.words;
		const ready = async () => JSON.parse((await plainRequest(`${server.url}/ready`, {})).text) as Ready;
		const words = await asked(true);
		return { words, again: await asked(false), ready: await ready() };
	};
	const { words = '', again, ready } = await found(true);
	const [, digest] = /^\d+ files are those of the start; SHA-256 of their list: ([0-9a-f]{64})\.$/.exec(words) ?? [];
	expect([again, ready.files?.digest, ready.files?.state]).toEqual([words, digest, 'ok']);
	expect(ready).toMatchObject({ status: 'ok', clockDriftMs: { database: expect.any(Number) } });
	expect(await found(false)).toMatchObject({ words: 'Files are compared in production.', ready: { files: null } });
});

interface Ready {
	status: string;
	files: { digest: string; state: string } | null;
	clockDriftMs: Record<string, number>;
}
