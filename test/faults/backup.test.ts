/**
 * Backups are taken while players bet. A restore has the ledger up to the backup and, from the archive of WAL, every bet
 * that was acknowledged later. A damaged backup and an interrupted one are refused.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import {
	clusterFolder,
	embeddedUrl,
	restoringFolder,
	startEmbeddedPostgres,
} from '#server/platform/postgres/embedded-postgres.ts';
import { restore } from '../../tools/restore.ts';
import { type Finished, runTool } from '../support/run-tool.ts';
import { schemaText } from '../support/schema-text.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { demoPlayer, type Market, placeBet, restingBet } from './support/player-client.ts';

const PLAYERS = 4;
/** Of a player between two bets. */
const PAUSE_MS = 10;
const ARCHIVED_WITHIN_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'backlay-backup-'));
const archive = join(folder, 'wal');
const backups = join(folder, 'backups');
let server: FaultyServer;
beforeAll(async () => {
	server = await FaultyServer.start({ args: ['--no-feeds'], environment: { WAL_ARCHIVE: archive } });
});
afterAll(async () => {
	await server?.dispose();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs a tool as an operator does. */
const run = (tool: string, args: readonly string[]): Promise<Finished> =>
	runTool(`tools/${tool}`, args, {
		...process.env,
		DATABASE_URL: '',
		DATA_DIR: server.dataDir,
		WAL_ARCHIVE: archive,
	});

/** Players that bet one bet after another until told to stop; the ids of acknowledged bets. */
function betting(market: Market): { acknowledged: string[]; stop: () => Promise<void> } {
	const acknowledged: string[] = [];
	const match = { over: false };
	const playing = Array.from({ length: PLAYERS }, async () => {
		const token = await demoPlayer(server);
		while (!match.over) {
			acknowledged.push(await placeBet(server, token, restingBet(market)));
			await delay(PAUSE_MS);
		}
	});
	return {
		acknowledged,
		stop: async () => {
			match.over = true;
			await Promise.all(playing);
		},
	};
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
	const db = connect(url, { max: 1 });
	try {
		return (await db.query<Row>(text)).rows;
	} finally {
		await db.end();
	}
}

/** The bets and the schema in the database of a data folder that no server uses. */
async function contentOf(dataDir: string): Promise<{ betIds: string[]; schema: string }> {
	const embedded = await startEmbeddedPostgres({ dataDir });
	const db = connect(embedded.url('backlay'), { max: 1 });
	try {
		const { rows } = await db.query<{ id: string }>('select bet_id::text as id from bet');
		return { betIds: rows.map(({ id }) => id), schema: await schemaText(db) };
	} finally {
		await db.end();
		await embedded.stop();
	}
}

/** All WAL up to now is in the archive. */
async function archived(): Promise<void> {
	const url = embeddedUrl(server.dataDir);
	// A switch with nothing written since the last one names the segment in use, which is not archived.
	await query(url, `select pg_create_restore_point('written since the last switch')`);
	const [{ file = '' } = {}] = await query<{ file: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as file');
	await expect.poll(() => readdirSync(archive), { timeout: ARCHIVED_WITHIN_MS }).toContain(file);
}

/** Runs a restore, and kills it while PostgreSQL recovers in the folder that the files were copied to. */
async function killedWhileRecovering(options: readonly string[], target: string): Promise<void> {
	const environment = { ...process.env, DATABASE_URL: '', DATA_DIR: server.dataDir };
	const killed = spawn(process.execPath, ['tools/restore.ts', ...options], { env: environment, stdio: 'ignore' });
	const postmaster = join(clusterFolder(restoringFolder(target)), 'postmaster.pid');
	await expect.poll(() => existsSync(postmaster)).toBe(true);
	killed.kill('SIGKILL');
	await once(killed, 'exit');
}

/** The oldest backup. Where none was taken yet, one with a bet is taken now. */
async function someBackup(): Promise<string> {
	if (!existsSync(backups)) {
		await placeBet(server, await demoPlayer(server), restingBet(await server.openMarket()));
		expect(await run('backup.ts', ['--into', backups])).toMatchObject({ code: 0 });
	}
	return join(backups, readdirSync(backups)[0] ?? '');
}

/** Another test may have lost the machine. */
async function running(): Promise<void> {
	if (server.postgres.postmaster === null) await server.start();
}

it('restores every acknowledged bet from a backup that was taken while players bet; a restore that is killed before leaves no database in its place, and no start makes another there', async () => {
	const players = betting(await server.openMarket());
	await expect.poll(() => players.acknowledged.length).toBeGreaterThan(PLAYERS);
	expect(await run('backup.ts', ['--into', backups])).toMatchObject({ code: 0 });
	const later = players.acknowledged.length;
	await expect.poll(() => players.acknowledged.length).toBeGreaterThan(later + PLAYERS);
	await players.stop();
	await archived();
	// The machine is lost: only the backup and the archive are left.
	await server.kill();
	await server.postgres.end();

	const [backup, whole] = [join(backups, readdirSync(backups)[0] ?? ''), join(folder, 'whole')];
	const from = ['--from', backup, '--to', whole, '--archive', archive];
	await killedWhileRecovering(from, whole);
	expect(existsSync(clusterFolder(whole))).toBe(false);
	await expect(startEmbeddedPostgres({ dataDir: whole })).rejects.toThrow('did not end well: run it again');
	expect(await run('restore.ts', from)).toMatchObject({ code: 0 });
	expect(readdirSync(whole)).toContain('postgres');
	expect(readdirSync(whole)).not.toContain('restoring');
	const { betIds, schema } = await contentOf(whole);
	expect(betIds.sort()).toEqual(players.acknowledged.sort());
	expect(schema).toBe(readFileSync(join(import.meta.dirname, '..', '..', 'db', 'schema.sql'), 'utf8'));
});

it('a drill restores a backup beside the data folder in use', { tags: 'thorough' }, async () => {
	await running();
	const backup = await someBackup();
	const drill = await run('restore.ts', ['--from', backup, '--drill']);
	expect(drill).toMatchObject({ code: 0 });
	expect(drill.stdout.trim().split('\n').at(-1)).toContain('"restored"');
});

it('keeps the newest backups and the WAL that they need', { tags: 'thorough' }, async () => {
	await running();
	const oldest = basename(await someBackup());
	mkdirSync(join(backups, '2026-01-01T00-00-00.000Z.partial'));
	await archived();
	expect(await run('backup.ts', ['--into', backups, '--keep', '1'])).toMatchObject({ code: 0 });
	const kept = readdirSync(backups);
	expect(kept).toHaveLength(1);
	expect(kept).not.toContain(oldest);
	await archived();
	const restored = join(folder, 'kept');
	const from = join(backups, kept[0] ?? '');
	expect(await run('restore.ts', ['--from', from, '--to', restored, '--archive', archive])).toMatchObject({ code: 0 });
});

it('refuses what is no whole backup, and leaves nothing in its place', async () => {
	const backup = await someBackup();
	const target = join(folder, 'refused');
	const occupied = await run('restore.ts', ['--from', backup, '--to', server.dataDir]);
	expect(occupied).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') });
	const early = { folder: archive, until: '2020-01-01' };
	await expect(restore(backup, target, early)).rejects.toThrow('after the backup');
	appendFileSync(join(backup, 'postgres', 'PG_VERSION'), ' ');
	await expect(restore(backup, target, null)).rejects.toThrow('is not the file that was copied');
	rmSync(join(backup, 'manifest.json'));
	await expect(restore(backup, target, null)).rejects.toThrow('is no backup');
	expect(() => readdirSync(clusterFolder(target))).toThrow('ENOENT');
});
