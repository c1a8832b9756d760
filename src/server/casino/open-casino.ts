/** Puts the parts of the casino together. */
import type pg from 'pg';
import { RecentPlayers } from '#server/casino/recent-players.ts';
import { CasinoRounds } from '#server/casino/rounds.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';

export interface Casino {
	rounds: CasinoRounds;
	recentPlayers: Pick<RecentPlayers, 'count'>;
	onCommitted: CommittedListener;
}

export async function openCasino(parts: { db: pg.Pool; exchange: Exchange; tokenKey: string }): Promise<Casino> {
	const rounds = await CasinoRounds.open(parts);
	const recentPlayers = new RecentPlayers();
	return {
		rounds,
		recentPlayers,
		onCommitted: (committed) => {
			rounds.onCommitted(committed);
			recentPlayers.onCommitted(committed);
		},
	};
}
