/** Puts the parts together that outside providers' games need. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { GameWallet } from '#server/casino/game-wallet.ts';
import { GameSessions } from '#server/casino/providers/game-sessions.ts';
import { Launches } from '#server/casino/providers/launches.ts';
import type { Provider } from '#server/casino/providers/provider.ts';
import { ProviderGames } from '#server/casino/providers/provider-games.ts';
import { ProviderWallet, type ProviderWalletOptions } from '#server/casino/providers/provider-wallet.ts';
import { walletRoutes } from '#server/casino/providers/wallet-routes.ts';
import type { Exchange } from '#server/exchange/exchange.ts';

export interface Providers {
	games: ProviderGames;
	launches: Launches;
	/** The addresses that pages may show in a frame. */
	origins: readonly string[];
	walletRoutes: ReturnType<typeof walletRoutes>;
	start(): void;
	stop(): void;
}

export interface ProvidersOptions {
	db: pg.Pool;
	exchange: Exchange;
	log: Logger;
	tokenKey: string;
	gameProviders: readonly Provider[];
	callDeadlineMs: number;
	admission: ProviderWalletOptions['admission'];
}

export function openProviders(options: ProvidersOptions): Providers {
	const { db, exchange, gameProviders: providers, log } = options;
	const games = new ProviderGames(providers, log);
	const sessions = new GameSessions(db);
	const wallet = new ProviderWallet({ ...options, sessions, games, wallet: new GameWallet(exchange) });
	return {
		games,
		launches: new Launches({ ...options, sessions, games }),
		origins: [...new Set(providers.map(({ url }) => new URL(url).origin))],
		walletRoutes: walletRoutes({ ...options, providers, wallet, clock: Date.now }),
		start: () => games.start(),
		stop: () => games.stop(),
	};
}
