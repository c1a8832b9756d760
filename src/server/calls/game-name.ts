import { gameOf } from '#games/all-games.ts';
import type { Parts } from '#server/calls/handler.ts';

/** What players call a game of ours or of a provider; its code where it is none of them, such as a promotion. */
export const gameName = (providers: Parts['providers'], code: string): string =>
	gameOf(code)?.name ?? providers.games.find(null, code)?.name ?? code;
