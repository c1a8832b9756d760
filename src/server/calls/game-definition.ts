/** A game's description of itself, for the game's page. */
import { gameOf } from '#games/all-games.ts';
import { descriptionOf } from '#games/game-description.ts';
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
	return { ...descriptionOf(game), provider: 'Backlay Originals' };
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
