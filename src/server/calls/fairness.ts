/** The public figures of the house's games. */
import type { HandlersOf, Parts } from '#server/calls/handler.ts';

export const fairnessHandlers = ({ casino }: Parts): HandlersOf<'getFairness'> => ({
	getFairness: async () => {
		const { log, games } = await casino.fairness.figures();
		return {
			log,
			games: games.map(({ game, rounds, voids, bets, chains, replaced, newest, announced }) => ({
				game,
				rounds,
				voids: Object.entries(voids).map(([reason, count]) => ({ reason, rounds: count })),
				bets: Object.entries(bets).map(([bet, { rounds: possible, wins }]) => ({
					bet,
					rounds: possible,
					wins: [...wins],
				})),
				chains: chains.map(({ facts, leaf, isAhead }) => ({ ...facts, leaf, isAhead })),
				replaced: Object.entries(replaced).map(([reason, left]) => ({ reason, chains: left })),
				newest: [...newest],
				announced: [...announced],
			})),
		};
	},
});
