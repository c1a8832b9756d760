/**
 * A server that refuses to start, or is stopped while it starts, stops the PostgreSQL it started.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { demoPlayer } from './support/player-client.ts';

let server: FaultyServer;
beforeAll(() => {
	server = FaultyServer.stopped({ args: ['--no-feeds'] });
});
afterAll(() => server?.dispose());

/** Changes the database of the stopped server. */
async function change(sql: string): Promise<void> {
	const cluster = await startEmbeddedPostgres({ dataDir: server.dataDir });
	const db = connect(cluster.url('backlay'), { max: 1 });
	await db.query(sql);
	await db.end();
	await cluster.stop();
}

it('when it is told to stop before it is ready', async () => {
	const starting = server.start();
	starting.catch(() => {});
	await expect.poll(() => server.postgres.postmaster, { interval: 5 }).not.toBeNull();
	expect(await server.stop()).toEqual({ code: 0, signal: null });
	expect(server.postgres.postmaster).toBeNull();
});

describe('after a start', { tags: 'thorough' }, () => {
	beforeAll(async () => {
		await server.start();
		// Opens a wallet: the digest is compared when a batch has written one in today's format.
		await demoPlayer(server);
		await server.stop();
	});

	it('when its port is taken', async () => {
		const other = createServer().listen(server.port);
		await once(other, 'listening');
		await expect(server.start()).rejects.toThrow(`Port ${server.port} is taken`);
		expect(server.postgres.postmaster).toBeNull();
		other.close();
		await once(other, 'close');
	});

	it('when a migration was changed after it was applied', async () => {
		await change(`update migration set checksum = 'x' || checksum`);
		await expect(server.start()).rejects.toThrow('was changed after it was applied');
		expect(server.postgres.postmaster).toBeNull();
		await change(`update migration set checksum = substr(checksum, 2)`);
	});

	it('when a later release migrated its database', async () => {
		await change(`insert into migration (name, checksum) values ('9999-of-later.sql', 'x')`);
		await expect(server.start()).rejects.toThrow('9999-of-later.sql is not known to this one');
		expect(server.postgres.postmaster).toBeNull();
		await change(`delete from migration where name = '9999-of-later.sql'`);
	});

	it('when the ledger is not the one that the last batch left', async () => {
		await change(`update lease set digest = 'x' || digest`);
		await expect(server.start()).rejects.toThrow('No bets are taken on such a ledger');
		expect(server.postgres.postmaster).toBeNull();
		await change(`update lease set digest = substr(digest, 2)`);
	});

	it('when another major version of PostgreSQL made its database, without a change', async () => {
		const file = join(server.dataDir, 'postgres', 'PG_VERSION');
		const version = readFileSync(file, 'utf8');
		const control = () => readFileSync(join(server.dataDir, 'postgres', 'global', 'pg_control'));
		const before = control();
		writeFileSync(file, '9\n');
		await expect(server.start()).rejects.toThrow('PostgreSQL 9 made the database in');
		expect(server.postgres.postmaster).toBeNull();
		expect(control()).toEqual(before);
		writeFileSync(file, version);
	});

	it('but not when a start before it was killed while it made the database', async () => {
		const dataDir = mkdtempSync(join(tmpdir(), 'backlay-half-'));
		onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
		mkdirSync(join(dataDir, 'postgres.partial', 'base'), { recursive: true });
		writeFileSync(join(dataDir, 'postgres.partial', 'PG_VERSION'), '18\n');
		const cluster = await startEmbeddedPostgres({ dataDir });
		await cluster.stop();
		expect(existsSync(join(dataDir, 'postgres.partial'))).toBe(false);
		expect(existsSync(join(dataDir, 'postgres', 'global', 'pg_control'))).toBe(true);
	});
});
