/** A server with the studio beside it, both on real ports; and a provider's own hand on the wallet. */
import { createHmac, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { HOUSE_CAPS, type PrizeCaps, type Provider } from '#server/money/casino/providers/provider.ts';
import type { Outcome } from '#server/money/casino/providers/wallet-request.ts';
import type { Config } from '#server/process/config.ts';
import { type DialectName, type ProviderAccount, STUDIO_DIALECTS } from '#studio/provider-account.ts';
import { Studio } from '#studio/studio.ts';
import { studioServer } from '#studio/studio-server.ts';
import type { FreshDatabase } from '../support/database.ts';
import { plainRequest } from '../support/plain-request.ts';
import { type Player, TestServer } from '../support/server.ts';

export const PROVIDERS = ['lantern', 'harbour', 'copper', 'velvet', 'slate'] as const;
export type ProviderId = (typeof PROVIDERS)[number];
const KEY_ID = 'test';
const secretOf = (id: string): string => `a secret of ${id}, for tests and nothing else`;
export const reportKeyOf = (id: string): string => `the report key of ${id}, for tests alone`;

/** The dialect that each of the studio's providers speaks, and the game that it offers. */
export const SPOKEN: Readonly<Record<ProviderId, { dialect: DialectName; game: string }>> = {
	lantern: { dialect: 'backlay', game: 'lantern-cups' },
	harbour: { dialect: 'rsa', game: 'harbour-reels' },
	copper: { dialect: 'rgs', game: 'copper-ladder' },
	velvet: { dialect: 'form', game: 'velvet-reels' },
	slate: { dialect: 'actions', game: 'slate-reels' },
};

/** What the studio and the server know of each other; the addresses are still to be filled in. */
export function studioAccounts(): { accounts: ProviderAccount[]; providersAt: (studioUrl: string) => Provider[] } {
	const known = PROVIDERS.map((id) => {
		const { dialect } = SPOKEN[id];
		const shared = { secret: secretOf(id), key: secretOf(id) };
		const keys = dialect === 'rsa' ? STUDIO_DIALECTS.rsa.freshKey() : shared;
		return { id, dialect, ...keys, reportKey: reportKeyOf(id) };
	});
	return {
		accounts: known.map(({ id, dialect, secret, reportKey }) => ({
			id,
			name: id,
			walletUrl: '',
			dialect,
			keyId: KEY_ID,
			secret,
			reportKey,
		})),
		providersAt: (studioUrl) =>
			known.map(({ id, dialect, key, reportKey }) => ({
				id,
				name: `The ${id} studio`,
				dialect,
				url: `${studioUrl}/${id}`,
				door: id === 'copper' ? 'token' : 'login',
				keys: new Map([[KEY_ID, key]]),
				reportKey,
				caps: HOUSE_CAPS,
			})),
	};
}

export interface WalletAnswer extends Omit<Outcome, 'isTombstone'> {
	http: number;
	/** As it came. */
	text: string;
}

export class StudioSite {
	readonly server: TestServer;
	readonly studio: Studio;
	readonly #http: FastifyInstance;

	private constructor(server: TestServer, studio: Studio, http: FastifyInstance) {
		this.server = server;
		this.studio = studio;
		this.#http = http;
	}

	/** @param changes what the test wants configured otherwise */
	static async open(
		database?: FreshDatabase,
		changes: Partial<Config> = {},
		caps: PrizeCaps = HOUSE_CAPS,
	): Promise<StudioSite> {
		const { accounts, providersAt } = studioAccounts();
		const studio = new Studio(accounts, null);
		const http = studioServer(studio);
		const url = await http.listen({ port: 0, host: '127.0.0.1' });
		const gameProviders = providersAt(url).map((provider) => ({ ...provider, caps }));
		const server = await TestServer.start(database, { gameProviders, ...changes });
		for (const account of accounts) account.walletUrl = `${server.url}/wallet/${account.id}`;
		const site = new StudioSite(server, studio, http);
		const { games } = server.running.providers;
		const isListed = (id: ProviderId) => games.all().some(({ code }) => code === SPOKEN[id].game);
		for (const id of PROVIDERS) while (!isListed(id)) await new Promise((resolve) => setTimeout(resolve, 5));
		return site;
	}

	/** Closes the studio alone. */
	async closeStudio(): Promise<void> {
		await this.#http.close();
		await this.studio.stop();
	}

	async close(): Promise<void> {
		await this.closeStudio();
		await this.server.dispose();
	}

	/** A player's cash in minor units. */
	cash(player: Player): number {
		return Math.round(this.server.money(player)[0] * 100);
	}

	async games() {
		return (await this.server.result('getCasinoGames', {})).games.filter(({ launch }) => launch !== null);
	}

	/** The launch token that a player gets for a game. */
	async launch({ token }: Player, gameCode: string): Promise<string> {
		const casinoToken = this.casinoTokenOf(token);
		const door = gameCode === 'copper-ladder' ? 'casinoToken' : 'casinoLogin';
		return (await this.server.result(door, { casinoToken, gameCode }, token)).token;
	}

	/** What a provider has for speaking to the wallet. */
	account(provider: ProviderId): ProviderAccount {
		return this.studio.accounts.get(provider) as ProviderAccount;
	}

	casinoTokenOf(accessToken: string, host = 'localhost'): string {
		const { players, providers } = this.server.running;
		const login = players.find(accessToken, host);
		return providers.launches.casinoToken(login?.loginId ?? '');
	}

	/** A session of the player's at the game, as the provider has it. */
	async session(player: Player, gameCode = 'lantern-cups'): Promise<string> {
		const launchToken = await this.launch(player, gameCode);
		const { sessionToken = '' } = await this.ask('authenticate', { launchToken });
		return sessionToken;
	}

	/** Asks the wallet as a provider does. */
	async ask(
		call: string,
		fields: object,
		{
			provider = 'lantern' as ProviderId,
			secret = secretOf(provider),
			keyId = KEY_ID,
			atMs = Date.now(),
			sent = JSON.stringify(fields),
			signedFor = call,
			signedBody = JSON.stringify(fields),
		} = {},
	): Promise<WalletAnswer> {
		const signature = createHmac('sha256', secret)
			.update(`${atMs}.POST /wallet/${provider}/${signedFor}.${signedBody}`)
			.digest('hex');
		const { status, text } = await plainRequest(`${this.server.url}/wallet/${provider}/${call}`, {
			method: 'POST',
			body: sent,
			headers: {
				'Content-Type': 'application/json',
				'X-Wallet-Key-Id': keyId,
				'X-Wallet-Timestamp': String(atMs),
				'X-Wallet-Signature': signature,
			},
		});
		return { ...(JSON.parse(text) as Outcome), http: status, text };
	}
}

export const betOf = (sessionToken: string, changes: object = {}) => ({
	txId: randomUUID(),
	roundId: randomUUID(),
	gameCode: 'lantern-cups',
	amount: 10_000,
	sessionToken,
	...changes,
});
