/** The studio as a process of its own that can be killed, beside a server that can be killed, too. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { StudioRound } from '#studio/round-journal.ts';
import { ROOT } from '../browser/server-process.ts';
import { studioAccounts } from './studio-site.ts';

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, 'close');
	return port;
}

export class StudioProcess {
	readonly url: string;
	/** What the server has to know of it. */
	readonly providers: readonly Provider[];
	readonly #port: number;
	readonly #accounts: ReturnType<typeof studioAccounts>['accounts'];
	readonly #folder: string;
	#child: ChildProcess | null = null;
	readonly #killAtExit = () => this.#child?.kill('SIGKILL');

	private constructor(port: number, folder: string) {
		const { accounts, providersAt } = studioAccounts();
		this.url = `http://localhost:${port}`;
		this.providers = providersAt(this.url);
		this.#port = port;
		this.#accounts = accounts;
		this.#folder = folder;
		process.once('exit', this.#killAtExit);
	}

	/** Not started yet. */
	static async create(): Promise<StudioProcess> {
		return new StudioProcess(await freePort(), await mkdtemp(join(tmpdir(), 'backlay-studio-')));
	}

	/** @param serverUrl where the wallets are */
	async start(serverUrl: string): Promise<void> {
		await this.kill();
		const accounts = this.#accounts.map((account) => ({ ...account, walletUrl: `${serverUrl}/wallet/${account.id}` }));
		const env = {
			...process.env,
			STUDIO_ACCOUNTS: JSON.stringify(accounts),
			STUDIO_PORT: String(this.#port),
			STUDIO_DIR: this.#folder,
		};
		const child = spawn(process.execPath, ['src/studio/main.ts'], {
			cwd: ROOT,
			env,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		this.#child = child;
		// It says its address when it listens.
		await once(child.stdout, 'data');
	}

	/** kill -9. */
	async kill(): Promise<void> {
		const child = this.#child;
		this.#child = null;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	}

	/** Its rounds, as its journal has them. */
	async rounds(): Promise<StudioRound[]> {
		const text = await readFile(join(this.#folder, 'rounds.jsonl'), 'utf8').catch(() => '');
		const lines = text.split('\n').filter((line) => line.endsWith('}'));
		const rounds = lines.map((line) => JSON.parse(line) as StudioRound);
		return [...new Map(rounds.map((round) => [round.id, round])).values()];
	}

	async dispose(): Promise<void> {
		await this.kill();
		process.off('exit', this.#killAtExit);
		await rm(this.#folder, { recursive: true, force: true });
	}
}
