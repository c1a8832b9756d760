import { gameOf } from '#games/all-games.ts';
import type { Parts } from '#server/calls/handler.ts';

/** The title of a game of ours or of a provider; the code for anything else, such as a promotion. */
export const gameName = (providers: Pick<Parts['providers'], 'games'>, code: string): string =>
	gameOf(code)?.name ?? providers.games.find(null, code)?.name ?? code;
