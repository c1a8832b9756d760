/** Puts the parts of the casino together. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Bus, BusMessage } from '#server/bus.ts';
import { CrashTable } from '#server/casino/crash/crash-table.ts';
import { GameWallet } from '#server/casino/game-wallet.ts';
import { RecentPlayers } from '#server/casino/recent-players.ts';
import { CasinoRounds } from '#server/casino/rounds.ts';
import type { Sealing } from '#server/casino/tables/hash-chain.ts';
import { systemClock } from '#server/casino/tables/table-game.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Pool } from '#values/pools.ts';

export interface Casino {
	rounds: CasinoRounds;
	crash: CrashTable;
	recentPlayers: Pick<RecentPlayers, 'count'>;
	/** What a game's table shows now; null for a game without one. */
	tableImages: (game: string, pool: Pool) => BusMessage[] | null;
	onCommitted: CommittedListener;
}

export interface CasinoOptions {
	db: pg.Pool;
	bus: Bus;
	exchange: Exchange;
	log: Logger;
	tokenKey: string;
	keys: Sealing;
	/** How fast the rounds run that everybody plays together. */
	tableSpeed: number;
}

export async function openCasino(parts: CasinoOptions): Promise<Casino> {
	const rounds = await CasinoRounds.open(parts);
	const recentPlayers = new RecentPlayers();
	const crash = await CrashTable.open({
		...parts,
		clock: systemClock(parts.tableSpeed),
		wallet: new GameWallet(parts.exchange),
		seedsBefore: (walletIds, beforeMs) => rounds.clientSeedsBefore(walletIds, beforeMs),
	});
	return {
		rounds,
		crash,
		recentPlayers,
		tableImages: (game, pool) => (game === 'crash' ? crash.images(pool) : null),
		onCommitted: (committed) => {
			rounds.onCommitted(committed);
			recentPlayers.onCommitted(committed);
			crash.onCommitted(committed);
		},
	};
}
