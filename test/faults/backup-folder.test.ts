/** The folder of backups: what a backup removes there, what it leaves, and that no kill leaves half a backup by its name. */
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lockIfFree } from '#server/platform/postgres/folder-lock.ts';
import { placeCluster } from '../support/database.ts';
import { type Finished, runTool } from '../support/run-tool.ts';

const FUTURE = '2040-01-01T00-00-00.000Z';
const PAST = '2020-01-01T00-00-00.000Z';

/** No test changes the database. */
const folder = mkdtempSync(join(tmpdir(), 'backlay-keep-'));
const backups = join(folder, 'backups');
beforeAll(() => placeCluster(join(folder, 'data')));
beforeEach(() => rmSync(backups, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const backUp = (...args: string[]): Promise<Finished> => backUpInto(backups, '', ...args);
const backUpInto = (into: string, archive: string, ...args: string[]): Promise<Finished> =>
	runTool('tools/backup.ts', ['--into', into, ...args], {
		...process.env,
		DATABASE_URL: '',
		WAL_ARCHIVE: archive,
		DATA_DIR: join(folder, 'data'),
	});

/** What tells a backup that was taken at the time of that name from a folder that is none. */
function backupAt(name: string): void {
	mkdirSync(join(backups, name), { recursive: true });
	const takenAtMs = Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
	const manifest = { takenAtMs, version: '18', batch: 0, firstWal: '000000010000000000000001', files: {} };
	writeFileSync(join(backups, name, 'manifest.json'), JSON.stringify(manifest));
}

it('removes the oldest of more backups than it keeps', async () => {
	for (const name of [PAST, FUTURE]) backupAt(name);
	expect(await backUp('--keep', '2')).toMatchObject({ code: 0, stderr: '' });
	const kept = readdirSync(backups);
	expect(kept).toHaveLength(2);
	expect(kept).toContain(FUTURE);
	expect(kept).not.toContain(PAST);
});

it('keeps the backup that was just taken beside one of a clock that was ahead, counts no folder that is none, names it, and removes what killed runs left before it takes room', async () => {
	backupAt(FUTURE);
	mkdirSync(join(backups, PAST));
	mkdirSync(join(backups, 'lost+found'));
	mkdirSync(join(backups, `${PAST}.partial`));
	const { code, stdout, stderr } = await backUp('--keep', '1');
	expect([code, stderr]).toEqual([0, expect.stringContaining(`${PAST} in ${backups} is no backup`)]);
	expect(stdout).toContain('"kept":1');
	const kept = readdirSync(backups).sort();
	expect(kept).toHaveLength(3);
	expect(kept).toEqual(expect.arrayContaining([PAST, 'lost+found']));
	expect(kept).not.toContain(FUTURE);
	// A failing backup has no room for what an earlier one left.
	mkdirSync(join(backups, `${PAST}.partial`));
	expect(await backUp('--keep', '1', '--data-dir', join(folder, 'none'))).toMatchObject({ code: 1 });
	expect(readdirSync(backups).sort()).toEqual(kept);
});

it('removes no WAL that backups in another folder need, until they are removed, too', async () => {
	const [archive, other] = [join(folder, 'archive'), join(folder, 'other')];
	mkdirSync(archive);
	const firstWal = (into: string): string => {
		const [taken = ''] = readdirSync(into);
		return (JSON.parse(readFileSync(join(into, taken, 'manifest.json'), 'utf8')) as { firstWal: string }).firstWal;
	};
	expect(await backUpInto(backups, archive, '--keep', '1')).toMatchObject({ code: 0 });
	const [needed, before] = [firstWal(backups), '000000010000000000000000'];
	expect(readdirSync(archive)).toContain(needed);
	writeFileSync(join(archive, before), 'a segment');
	// A disk that is away may come back.
	renameSync(backups, `${backups}.away`);
	const { code, stderr } = await backUpInto(other, archive, '--keep', '1');
	expect([code, stderr]).toEqual([0, expect.stringContaining(`${backups} is away`)]);
	expect(firstWal(other) > needed).toBe(true);
	expect(readdirSync(archive)).toContain(needed);
	expect(readdirSync(archive)).not.toContain(before);
	renameSync(`${backups}.away`, backups);
	expect(await backUpInto(backups, archive, '--keep', '1')).toMatchObject({ code: 0, stderr: '' });
	expect(firstWal(backups) > firstWal(other)).toBe(true);
	expect(readdirSync(archive)).toContain(firstWal(other));
	expect(readdirSync(archive)).not.toContain(needed);
});

it('is refused while another backup writes into the folder', async () => {
	mkdirSync(join(backups, `${PAST}.partial`), { recursive: true });
	const lock = await lockIfFree(backups);
	expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('is in progress') });
	lock?.release();
	expect(existsSync(join(backups, `${PAST}.partial`))).toBe(true);
});
