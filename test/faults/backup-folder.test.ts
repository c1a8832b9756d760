/** The folder of backups: what a backup removes there, what it leaves, and that no kill leaves half a backup by its name. */
import {
	cpSync,
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
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockIfFree } from '#server/platform/postgres/folder-lock.ts';
import { placeCluster } from '../support/database.ts';
import { type Finished, runTool } from '../support/run-tool.ts';

const FUTURE = '2040-01-01T00-00-00.000Z';
const PAST = '2020-01-01T00-00-00.000Z';

let folder: string;
let backups: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backlay-keep-'));
	backups = join(folder, 'backups');
	placeCluster(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backUp = (...args: string[]): Promise<Finished> => backUpInto(backups, '', ...args);
const backUpInto = (into: string, archive: string, ...args: string[]): Promise<Finished> =>
	runTool('tools/backup.ts', ['--into', into, ...args], {
		...process.env,
		DATABASE_URL: '',
		WAL_ARCHIVE: archive,
		DATA_DIR: join(folder, 'data'),
	});

/** As a backup that was taken at the time of that name. */
function backupAt(name: string): void {
	const [taken = ''] = readdirSync(backups);
	cpSync(join(backups, taken), join(backups, name), { recursive: true });
	const manifest = JSON.parse(readFileSync(join(backups, name, 'manifest.json'), 'utf8')) as object;
	const takenAtMs = Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
	writeFileSync(join(backups, name, 'manifest.json'), JSON.stringify({ ...manifest, takenAtMs }));
}

it('keeps the backup that was just taken, also beside one of a clock that was ahead', async () => {
	expect(await backUp()).toMatchObject({ code: 0 });
	const [first = ''] = readdirSync(backups);
	backupAt(FUTURE);
	expect(await backUp('--keep', '2')).toMatchObject({ code: 0 });
	const kept = readdirSync(backups).sort();
	expect(kept).toHaveLength(2);
	expect(kept).toContain(FUTURE);
	expect(kept).not.toContain(first);
	expect(await backUp('--keep', '1')).toMatchObject({ code: 0 });
	expect(readdirSync(backups)).not.toContain(FUTURE);
});

it('counts no folder that is none, names it, and removes what killed runs left before it takes room', async () => {
	expect(await backUp()).toMatchObject({ code: 0 });
	mkdirSync(join(backups, PAST));
	mkdirSync(join(backups, 'lost+found'));
	mkdirSync(join(backups, `${PAST}.partial`));
	const { code, stdout, stderr } = await backUp('--keep', '1');
	expect([code, stderr]).toEqual([0, expect.stringContaining(`${PAST} in ${backups} is no backup`)]);
	expect(stdout).toContain('"kept":1');
	expect(readdirSync(backups)).toHaveLength(3);
	expect(existsSync(join(backups, `${PAST}.partial`))).toBe(false);
	// A failing backup has no room for what an earlier one left.
	mkdirSync(join(backups, `${PAST}.partial`));
	expect(await backUp('--keep', '1', '--data-dir', join(folder, 'none'))).toMatchObject({ code: 1 });
	expect(existsSync(join(backups, `${PAST}.partial`))).toBe(false);
	expect(readdirSync(backups)).toHaveLength(3);
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
	expect(await backUpInto(other, archive, '--keep', '1')).toMatchObject({ code: 0, stderr: '' });
	expect(firstWal(other) > needed).toBe(true);
	expect(readdirSync(archive)).toContain(needed);
	expect(readdirSync(archive)).not.toContain(before);
	// A disk that is away may come back.
	renameSync(backups, `${backups}.away`);
	const { code, stderr } = await backUpInto(other, archive, '--keep', '1');
	expect([code, stderr]).toEqual([0, expect.stringContaining(`${backups} is away`)]);
	expect(readdirSync(archive)).toContain(needed);
	renameSync(`${backups}.away`, backups);
	expect(await backUpInto(backups, archive, '--keep', '1')).toMatchObject({ code: 0, stderr: '' });
	expect(readdirSync(archive)).not.toContain(needed);
});

it('is refused while another backup writes into the folder', async () => {
	mkdirSync(join(backups, `${PAST}.partial`), { recursive: true });
	const lock = await lockIfFree(backups);
	expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('is in progress') });
	lock?.release();
	expect(existsSync(join(backups, `${PAST}.partial`))).toBe(true);
});
