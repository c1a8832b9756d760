/** Assembles the parts for outside providers' games. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import { DayReports } from '#server/money/casino/providers/day-reports.ts';
import { GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import { Launches } from '#server/money/casino/providers/launches.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import { ProviderPrizes } from '#server/money/casino/providers/provider-prizes.ts';
import { ProviderWallet, type ProviderWalletOptions } from '#server/money/casino/providers/provider-wallet.ts';
import { SignedBodies } from '#server/money/casino/providers/signed-bodies.ts';
import { StaleRounds } from '#server/money/casino/providers/stale-rounds.ts';
import { walletRoutes } from '#server/money/casino/providers/wallet-routes.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';

export interface Providers {
	all: readonly Provider[];
	games: ProviderGames;
	wallet: ProviderWallet;
	staleRounds: StaleRounds;
	dayReports: DayReports;
	/** How long a round may be open before operators are alerted. */
	roundAlarmMs: number;
	launches: Launches;
	/** The addresses that pages may show in a frame. */
	origins: readonly string[];
	walletRoutes: ReturnType<typeof walletRoutes>;
	start(): void;
	stop(): void;
}

interface ProvidersOptions {
	db: pg.Pool;
	exchange: Exchange;
	log: Logger;
	tokenKey: string;
	gameProviders: readonly Provider[];
	/** A standby passes the catalogue that it already has; by default a new one is fetched. */
	games?: ProviderGames | undefined;
	roundAlarmMs: number;
	/** Where operators find open findings. */
	ledger: FundsLedger;
	callDeadlineMs: number;
	admission: ProviderWalletOptions['admission'];
	ready: ProviderWalletOptions['ready'];
}

export function openProviders(options: ProvidersOptions): Providers {
	const { db, exchange, log, tokenKey, gameProviders: providers, roundAlarmMs, ledger, callDeadlineMs } = options;
	const { games = new ProviderGames(providers, log), admission, ready } = options;
	const sessions = new GameSessions(db);
	const caps = new Map(providers.map((provider) => [provider.id, provider.caps]));
	const prizes = new ProviderPrizes({ db, ledger, caps });
	const wallet = new ProviderWallet({
		db,
		exchange,
		wallet: new GameWallet(exchange),
		sessions,
		games,
		prizes,
		ledger,
		admission,
		ready,
	});
	const staleRounds = new StaleRounds({ db, wallet, ledger, roundAlarmMs, log });
	const dayReports = new DayReports({ db, ledger, exchange, providers, log });
	const jobs = [games, staleRounds, dayReports];
	return {
		all: providers,
		games,
		wallet,
		staleRounds,
		dayReports,
		roundAlarmMs,
		launches: new Launches({ sessions, games, tokenKey }),
		origins: [...new Set(providers.map(({ url }) => new URL(url).origin))],
		walletRoutes: walletRoutes({
			providers,
			wallet,
			bodies: new SignedBodies(db),
			exchange,
			callDeadlineMs,
			clock: Date.now,
			log,
		}),
		start: () => {
			for (const job of jobs) job.start();
		},
		stop: () => {
			for (const job of jobs) job.stop();
		},
	};
}
