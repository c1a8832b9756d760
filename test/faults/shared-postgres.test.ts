/**
 * The embedded PostgreSQL of a data folder is used by a server and by tools, which come and go in any order. No tool takes
 * it away from another process, and a server has its own settings on one that a tool started.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { embeddedUrl } from '#server/platform/postgres/embedded-postgres.ts';
import { ownDatabase } from '../../tools/own-database.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { demoPlayer } from './support/player-client.ts';

let archive: string;
let server: FaultyServer;
beforeAll(() => {
	archive = mkdtempSync(join(tmpdir(), 'backlay-shared-'));
	server = FaultyServer.stopped({ args: ['--no-feeds'], environment: { WAL_ARCHIVE: archive } });
});
beforeEach(() => server.stop());
afterAll(async () => {
	await server?.dispose();
	rmSync(archive, { recursive: true, force: true });
});

async function settingOf(name: string): Promise<string | undefined> {
	const db = connect(embeddedUrl(server.dataDir), { max: 1 });
	try {
		return (await db.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]?.value;
	} finally {
		await db.end();
	}
}

const isReady = async (): Promise<boolean> => (await fetch(`${server.url}/ready`)).ok;

it('stays with a server that started while a tool used it, with the server’s settings', async () => {
	const tool = await ownDatabase(server.dataDir);
	expect(await settingOf('archive_mode')).toBe('off');
	await server.start();
	expect(await settingOf('archive_mode')).toBe('on');
	expect(await settingOf('basic_archive.archive_directory')).toBe(archive);
	const { postmaster } = server.postgres;
	await tool.stop();
	expect(server.postgres.postmaster).toBe(postmaster);
	await demoPlayer(server);
	await server.stop();
	expect(server.postgres.postmaster).toBeNull();
});

it('stays with a second tool when the first, which started it, ends; the next server takes it over, starts it again when another process stopped it, and stops it', async () => {
	const [first, second] = [await ownDatabase(server.dataDir), await ownDatabase(server.dataDir)];
	const db = connect(second.url('backlay'), { max: 1 });
	await db.query('select 1');
	await first.stop();
	expect((await db.query('select 1')).rowCount).toBe(1);
	await db.end();
	await second.stop();
	await server.start();
	const { postmaster } = server.postgres;
	process.kill(postmaster ?? expect.unreachable(), 'SIGINT');
	await expect.poll(() => [null, postmaster].includes(server.postgres.postmaster)).toBe(false);
	await expect.poll(isReady, { timeout: 30_000 }).toBe(true);
	await demoPlayer(server);
	expect(await settingOf('archive_mode')).toBe('on');
	await server.stop();
	expect(server.postgres.postmaster).toBeNull();
});

it('runs the backend that commits bets before those that answer its server’s other statements', async () => {
	await server.start();
	await demoPlayer(server);
	const db = connect(embeddedUrl(server.dataDir), { max: 1 });
	const { rows } = await db.query<{ pid: number; commits: boolean }>(
		`select pid, query like '%update lease set batch%' as commits from pg_stat_activity
		 where backend_type = 'client backend' and pid <> pg_backend_pid()`,
	);
	await db.end();
	const [ofCommits, others] = [true, false].map((commits) =>
		rows.filter((row) => row.commits === commits).map(({ pid }) => getPriority(pid)),
	);
	expect(ofCommits).toHaveLength(1);
	expect(Math.max(...(others ?? []))).toBeGreaterThan(ofCommits?.[0] ?? Number.NaN);
	expect(Math.min(...(others ?? []))).toBeGreaterThanOrEqual(ofCommits?.[0] ?? Number.NaN);
});

it('ends with the only tool that uses it', async () => {
	const tool = await ownDatabase(server.dataDir);
	const db = connect(tool.url('backlay'), { max: 1 });
	await db.query('select 1');
	await db.end();
	await tool.stop();
	expect(server.postgres.postmaster).toBeNull();
});
