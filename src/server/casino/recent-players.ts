/** How many players each game has: those with a round in the last minutes. */
import type { CommittedListener } from '#server/exchange/committed.ts';

const RECENT_MS = 5 * 60_000;

export class RecentPlayers {
	/** By game and wallet, the time of the last step; the oldest first. */
	readonly #byGame = new Map<string, Map<number, number>>();

	readonly onCommitted: CommittedListener = ({ workflows, atMs }) => {
		for (const { kind, walletId, data } of workflows) {
			if (kind !== 'CASINO' || walletId === 0) continue;
			const game = String(data['game']);
			const players = this.#byGame.get(game) ?? new Map<number, number>();
			players.delete(walletId);
			players.set(walletId, atMs);
			this.#byGame.set(game, players);
		}
	};

	count(game: string, nowMs: number): number {
		const players = this.#byGame.get(game);
		if (!players) return 0;
		for (const [walletId, atMs] of players) {
			if (atMs > nowMs - RECENT_MS) break;
			players.delete(walletId);
		}
		return players.size;
	}
}
