/** Stands between a server and PostgreSQL on a socket of its own, and can be cut, or fall silent as a machine without power. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

export class DatabaseGate {
	/** The database's URL through the gate. */
	readonly url: string;
	readonly #folder: string;
	readonly #server: Server;
	readonly #open = new Set<Socket>();
	#isCut = false;
	#isMute = false;

	private constructor(url: string, folder: string, server: Server) {
		this.url = url;
		this.#folder = folder;
		this.#server = server;
	}

	/** @param databaseUrl with the folder of PostgreSQL's socket as its host */
	static async open(databaseUrl: string): Promise<DatabaseGate> {
		const folder = await mkdtemp(join(tmpdir(), 'backlay-gate-'));
		const url = new URL(databaseUrl);
		const target = join(url.searchParams.get('host') ?? '', SOCKET);
		url.searchParams.set('host', folder);
		const server = createServer();
		const gate = new DatabaseGate(url.href, folder, server);
		server.on('connection', (client) => gate.#pass(client, target));
		await new Promise<void>((resolve) => server.listen(join(folder, SOCKET), resolve));
		return gate;
	}

	/** Breaks all connections and lets none through until it is mended. */
	cut(): void {
		this.#isCut = true;
		for (const socket of this.#open) socket.destroy();
	}

	mend(): void {
		this.#isCut = false;
		this.#isMute = false;
	}

	/** Passes nothing more over the connections that are open, and closes none of them. New ones are passed. */
	fallSilent(): void {
		for (const socket of this.#open) socket.unpipe().pause();
	}

	/** The same, and nothing over new ones until it is mended: they are accepted, and never answered. */
	fallMute(): void {
		this.#isMute = true;
		this.fallSilent();
	}

	async close(): Promise<void> {
		this.cut();
		await new Promise((resolve) => this.#server.close(resolve));
		await rm(this.#folder, { recursive: true, force: true });
	}

	#pass(client: Socket, target: string): void {
		if (this.#isCut) {
			client.destroy();
			return;
		}
		const upstream = connect(target);
		for (const [socket, other] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			this.#open.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => {
				this.#open.delete(socket);
				other.destroy();
			});
		}
		if (!this.#isMute) client.pipe(upstream).pipe(client);
	}
}
