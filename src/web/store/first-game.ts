/** The game that a login leads to on a domain that starts with it: its address is requested once and kept. */
import { call } from '#web/api/client.ts';
import { readStored, writeStored } from '#web/api/storage.ts';
import { useBrand } from '#web/store/brand.ts';
import { useSession } from '#web/store/session.ts';

/** The specification's name, number and country of the crash game. */
const CRASH = { gameCode: 'sbe_aviator', gameId: '201206', country: 'IN' };
const OWN_GAME = /^\/casino\/([a-z0-9-]+)$/;

/**
 * Requests the game's address after a login and stores it. A player whom the casino refuses still comes to the lobby.
 * @returns the destination of the login, or null on a domain without such a game
 */
export async function firstGameAfterLogin(): Promise<'/lobby' | null> {
	const { user } = useSession.getState();
	if (!user || !useBrand.getState().setting?.startsWithCrash) return null;
	const asked = await call('getGameUrl', { userId: user.userId, ...CRASH }).catch(() => null);
	if (asked) writeStored('gameUrl', asked.url);
	return '/lobby';
}

/** The code of the stored game; null when none is stored. */
export const firstGame = (): string | null => OWN_GAME.exec(readStored('gameUrl') ?? '')?.[1] ?? null;
