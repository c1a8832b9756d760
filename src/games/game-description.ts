/** A game's description of itself: its rules, those of the house in it, and what it returns. */
import { percentText } from '#games/fraction.ts';
import { type Game, returnsOf } from '#games/game.ts';
import { houseRulesOf } from '#games/house-rules.ts';

export function descriptionOf(game: Game) {
	const { lowest, highest, worst } = returnsOf(game);
	return {
		code: game.code,
		name: game.name,
		kind: game.kind,
		summary: game.summary,
		rules: [...game.rules, ...houseRulesOf(game)],
		returns: {
			lowest: percentText(lowest),
			highest: percentText(highest),
			worst: { play: worst.name, returns: percentText(worst.returns) },
		},
	};
}
