/** A server that refuses to start, or is stopped while it starts, stops the PostgreSQL it started. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { demoPlayer } from './support/player-client.ts';

let server: FaultyServer;
beforeAll(async () => {
	server = await FaultyServer.start({ args: ['--no-feeds'] });
	// Opens a wallet: the digest is compared when a batch has written one in today's format.
	await demoPlayer(server);
	await server.stop();
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

it('when the ledger is not the one that the last batch left', async () => {
	await change(`update lease set digest = 'x' || digest`);
	await expect(server.start()).rejects.toThrow('No bets are taken on such a ledger');
	expect(server.postgres.postmaster).toBeNull();
	await change(`update lease set digest = substr(digest, 2)`);
});

it('when it is told to stop before it is ready', async () => {
	const starting = server.start();
	starting.catch(() => {});
	await expect.poll(() => server.postgres.postmaster, { interval: 5 }).not.toBeNull();
	expect(await server.stop()).toEqual({ code: 0, signal: null });
	expect(server.postgres.postmaster).toBeNull();
});
