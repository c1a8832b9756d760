/**
 * Two embedded PostgreSQL servers: a primary and a standby that confirms each commit before the primary does. A server is
 * connected through a socket that leads to the primary, and after a fail-over to the standby, as a proxy in front of a
 * managed pair does.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { placeBackup, takeBackup } from '#server/platform/postgres/base-backup.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import {
	clusterFolder,
	type EmbeddedPostgres,
	isInRecovery,
	startEmbeddedPostgres,
} from '#server/platform/postgres/embedded-postgres.ts';
import { placeCluster } from '../../support/database.ts';
import { PostgresProcesses } from './postgres-processes.ts';

const SOCKET = '.s.PGSQL.5432';
const NAME = 'backlay_standby';

/** Where a client finds PostgreSQL's socket in this folder. */
const urlAt = (folder: string): string => `postgresql://backlay@localhost/backlay?host=${encodeURIComponent(folder)}`;

export class DatabasePair {
	readonly url: string;
	readonly #folder: string;
	readonly #standby: EmbeddedPostgres;
	readonly #proxy: Server;
	readonly #sockets = new Set<Socket>();
	/** The data folder that new connections are led to; null while there is none. */
	#target: string | null;

	private constructor(folder: string, standby: EmbeddedPostgres) {
		this.#folder = folder;
		this.#standby = standby;
		this.#target = join(folder, 'primary');
		const sockets = join(folder, 'proxy');
		mkdirSync(sockets);
		this.url = urlAt(sockets);
		this.#proxy = createServer((client) => this.#lead(client));
		this.#proxy.listen(join(sockets, SOCKET));
	}

	/** @param folder of the test; short, because it holds sockets */
	static async start(folder: string): Promise<DatabasePair> {
		mkdirSync(join(folder, 'primary'), { mode: 0o700 });
		placeCluster(join(folder, 'primary'));
		const primary = await startEmbeddedPostgres({ dataDir: join(folder, 'primary') });
		const db = connect(primary.url('backlay'), { max: 1 });
		try {
			const cluster = clusterFolder(join(folder, 'primary'));
			const backup = await takeBackup({ url: primary.url('backlay'), cluster, into: join(folder, 'backups') });
			const copy = clusterFolder(join(folder, 'standby'));
			await placeBackup(backup, copy);
			writeFileSync(join(copy, 'standby.signal'), '');
			const source = `host=${join(folder, 'primary', 'socket')} user=backlay application_name=${NAME}`;
			const settings = { primary_conninfo: source };
			const standby = await startEmbeddedPostgres({ dataDir: join(folder, 'standby'), settings });
			await followed(db);
			return new DatabasePair(folder, standby);
		} finally {
			await db.end();
		}
	}

	#lead(client: Socket): void {
		const server = this.#target === null ? null : openSocket(join(this.#target, 'socket', SOCKET));
		for (const socket of [client, server]) {
			if (!socket) continue;
			this.#sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => {
				this.#sockets.delete(socket);
				client.destroy();
				server?.destroy();
			});
		}
		if (server) client.pipe(server).pipe(client);
		else client.destroy();
	}

	/** The primary's machine is gone with its disk. The standby takes its place. */
	async failOver(): Promise<void> {
		const dataDir = join(this.#folder, 'primary');
		const processes = new PostgresProcesses(dataDir);
		const { pids } = processes;
		// Its launcher starts a postmaster again as long as the cluster is in its place.
		renameSync(clusterFolder(dataDir), join(this.#folder, 'gone'));
		for (const pid of pids) process.kill(pid, 'SIGKILL');
		this.#target = null;
		for (const socket of this.#sockets) socket.destroy();
		const db = connect(this.#standby.url('backlay'), { max: 1 });
		try {
			await db.query('select pg_promote()');
		} finally {
			await db.end();
		}
		this.#target = join(this.#folder, 'standby');
	}

	/** Whether the standby follows and has not been promoted. */
	async follows(): Promise<boolean> {
		return (await isInRecovery(this.#standby.url('postgres'))) === true;
	}

	async dispose(): Promise<void> {
		this.#proxy.close();
		for (const socket of this.#sockets) socket.destroy();
		await new PostgresProcesses(join(this.#folder, 'primary')).end();
		await this.#standby.stop();
	}
}

/** The standby confirms every commit from now on. */
async function followed(db: pg.Pool): Promise<void> {
	await db.query(`alter system set synchronous_standby_names = '${NAME}'`);
	await db.query('select pg_reload_conf()');
	for (;;) {
		const { rowCount } = await db.query(`select 1 from pg_stat_replication where sync_state = 'sync'`);
		if (rowCount) return;
		await db.query('select pg_sleep(0.02)');
	}
}
