/** A game's description of itself, for the game's page. */
import { gameOf } from '#games/all-games.ts';
import { percentText } from '#games/fraction.ts';
import { returnsOf } from '#games/game.ts';
import { houseRulesOf } from '#games/house-rules.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';

/** Null for an unknown game. A gateway asks the process that knows the providers' games. */
export type FindDefinition = (name: string) => Promise<object | null>;

export const definitionsOf =
	(games: Pick<ProviderGames, 'find'>): FindDefinition =>
	async (name) =>
		ownDefinition(name) ?? providersDefinition(games, name);

function ownDefinition(name: string) {
	const game = gameOf(name);
	if (!game) return null;
	const { code, summary, kind } = game;
	const { lowest, highest, worst } = returnsOf(game);
	return {
		code,
		name: game.name,
		provider: 'Backlay Originals',
		kind,
		summary,
		rules: [...game.rules, ...houseRulesOf(game)],
		returns: {
			lowest: percentText(lowest),
			highest: percentText(highest),
			worst: { play: worst.name, returns: percentText(worst.returns) },
		},
	};
}

function providersDefinition(games: Pick<ProviderGames, 'find'>, name: string) {
	const game = games.find(null, name);
	if (!game) return null;
	const { code, id, provider, summary, rules, returnPercent, countries, isEnabled } = game;
	return {
		code,
		gameId: id,
		name: game.name,
		provider: provider.name,
		kind: 'provider',
		summary,
		rules,
		returnPercent,
		countries,
		enabled: isEnabled,
	};
}
