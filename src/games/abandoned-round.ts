/** The end of an abandoned round with turns. */
import type { Turn, TurnGame } from '#games/game.ts';

/** The round after the game's own actions for that; null if its stake is returned. */
export function abandonedRound(
	game: TurnGame,
	hidden: unknown,
	choice: string,
	actions: readonly string[],
): { turn: Turn; actions: readonly string[] } | null {
	const taken = [...actions];
	for (;;) {
		const turn = game.turnAfter(hidden, choice, taken);
		if (!turn) throw new Error(`a round of ${game.code} cannot have come to ${taken.join(', ')}`);
		if (turn.actions.length === 0) return { turn, actions: taken };
		const action = game.abandonedAction(turn);
		if (action === null) return null;
		taken.push(action);
	}
}
