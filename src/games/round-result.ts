/** The result of a round from its seeds: the server pays by it, and a verifier recomputes it. */
import { drawFrom } from '#games/fair-draw.ts';
import type { RoundGame, TurnGame } from '#games/game.ts';
import { type RoundSeeds, seededWords } from '#games/seeded-words.ts';
import { canonicalJson } from '#values/canonical-json.ts';

export interface Played {
	/** The choice at the start of a round with turns; empty for other rounds. */
	choice: string;
	actions: readonly string[];
}

interface RoundResult {
	/** The drawn cards, mines or path. */
	outcome: unknown;
	/** In one line; empty while a round with turns is open. */
	result: string;
}

/** @throws if the choice or an action is invalid for the game */
export function resultOf(game: RoundGame | TurnGame, seeds: RoundSeeds, { choice, actions }: Played): RoundResult {
	const draw = drawFrom(seededWords(seeds));
	if (game.kind !== 'turns') {
		const outcome = game.outcomeOf(draw);
		return { outcome, result: game.describe(outcome) };
	}
	if (!game.isChoice(choice)) throw new Error(`no choice of ${game.code}: ${choice}`);
	const outcome = game.deal(draw, choice);
	const turn = game.turnAfter(outcome, choice, actions);
	if (!turn) throw new Error(`not possible in ${game.code}: ${actions.join(', ')}`);
	return { outcome, result: turn.result };
}

/** Whether an outcome equals the published one, whose fields the database has reordered. */
export const isPublished = (outcome: unknown, published: unknown): boolean =>
	canonicalJson(outcome) === canonicalJson(published);
