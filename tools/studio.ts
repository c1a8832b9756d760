/** Starts the studio beside a development server: a provider of games in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type ProviderAccount, STUDIO_DIALECTS } from '../src/studio/provider-account.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'studio', 'main.ts');
const KEY_ID = 'demonstration';

/** The studio's three providers, each with its entry for players and its dialect. */
const PROVIDERS = [
	{ id: 'lantern', name: 'Lantern Games', door: 'login', dialect: 'backlay' },
	{ id: 'harbour', name: 'Harbour Studio', door: 'login', dialect: 'rsa' },
	{ id: 'copper', name: 'Copper Games', door: 'token', dialect: 'rgs' },
] as const;

export interface StudioOptions {
	/** The server's URL, without a trailing slash. */
	serverUrl: string;
	port: number;
	/** The folder of the studio's rounds. */
	folder: string;
}

/** @returns the process, and the server's configuration of it as GAME_PROVIDERS */
export function startStudio({ serverUrl, port, folder }: StudioOptions): {
	process: ChildProcess;
	gameProviders: string;
} {
	const providers = PROVIDERS.map((provider) => ({
		...provider,
		...STUDIO_DIALECTS[provider.dialect].freshKey(),
		reportKey: randomBytes(32).toString('base64url'),
	}));
	const accounts = providers.map(
		({ id, name, dialect, secret, reportKey }): ProviderAccount => ({
			id,
			name,
			dialect,
			walletUrl: `${serverUrl}/wallet/${id}`,
			keyId: KEY_ID,
			secret,
			reportKey,
		}),
	);
	const env = {
		...process.env,
		STUDIO_ACCOUNTS: JSON.stringify(accounts),
		STUDIO_PORT: String(port),
		STUDIO_DIR: folder,
	};
	// It stops when the channel to this process closes, for any end of this process.
	const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	child.unref();
	child.channel?.unref();
	const gameProviders = providers.map(({ id, name, door, dialect, key, reportKey }) => ({
		id,
		name,
		door,
		dialect,
		url: `http://localhost:${port}/${id}`,
		keys: { [KEY_ID]: key },
		reportKey,
	}));
	return { process: child, gameProviders: JSON.stringify(gameProviders) };
}
