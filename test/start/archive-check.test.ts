/** What the doctor says of an archive of WAL that takes nothing more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { archiving, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { archiveCheck } from '#server/process/health/database-checks.ts';
import { MINUTE_MS } from '#values/time.ts';
import { placeCluster } from '../support/database.ts';

const ARCHIVED_WITHIN_MS = 30_000;

/** A database of its own with these settings. */
async function started(settings: (folder: string) => Record<string, string>): Promise<{ db: pg.Pool; folder: string }> {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-archived-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	placeCluster(folder);
	const cluster = await startEmbeddedPostgres({ dataDir: folder, settings: settings(folder) });
	onTestFinished(() => cluster.stop());
	const db = connect(cluster.url('backlay'), { max: 1 });
	onTestFinished(() => db.end());
	return { db, folder };
}

async function writeSegment(db: pg.Pool): Promise<void> {
	await db.query(`select pg_create_restore_point('written since the last switch')`);
	await db.query('select pg_switch_wal()');
}

const stateOf = async (db: pg.Pool): Promise<string> => (await archiveCheck(db, Date.now())).state;

it('an archive whose folder is gone fails', async () => {
	const { db, folder } = await started((data) => archiving(join(data, 'wal')));
	await writeSegment(db);
	await expect.poll(() => stateOf(db), { timeout: ARCHIVED_WITHIN_MS }).toBe('ok');
	rmSync(join(folder, 'wal'), { recursive: true });
	await writeSegment(db);
	await expect.poll(() => stateOf(db), { timeout: ARCHIVED_WITHIN_MS }).toBe('failing');
});

it('an archiver that tries nothing fails, once a segment has waited for it', async () => {
	const { db } = await started(() => ({ archive_mode: 'on' }));
	await writeSegment(db);
	expect(await stateOf(db)).toBe('warning');
	expect(await archiveCheck(db, Date.now() + 20 * MINUTE_MS)).toMatchObject({
		state: 'failing',
		words: 'A segment has waited for the archive for 20 minutes.',
	});
});
