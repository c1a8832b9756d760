/** Games of outside providers: launching one. */
import { gameOf } from '#games/all-games.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { LAUNCH_MS } from '#server/money/casino/providers/game-sessions.ts';
import type { Launch, Launcher } from '#server/money/casino/providers/launches.ts';
import { Refused } from '#values/error-catalogue.ts';

/** The crash game under the name that the specification has for it; it is one of the house's own. */
const AVIATOR = { gameCode: 'sbe_aviator', gameId: '201206', country: 'IN' };
const AVIATOR_CODE = 'crash';

export const gameProviderHandlers = ({
	providers: { launches },
	casino: { gameRules },
	funds,
}: Parts): HandlersOf<'casinoLogin' | 'casinoToken' | 'getGameUrl'> => ({
	casinoLogin: async (input, caller) => {
		gameRules.admitRound(playerOf(caller).brand, input.gameCode);
		return launchView(await launches.atDoor('login', launcherOf(funds, caller), input));
	},
	casinoToken: async (input, caller) => {
		gameRules.admitRound(playerOf(caller).brand, input.gameCode);
		return launchView(await launches.atDoor('token', launcherOf(funds, caller), input));
	},
	getGameUrl: async ({ userId, ...asked }, caller) => {
		if (userId !== String(playerOf(caller).playerId)) throw new Refused('FORBIDDEN');
		const launcher = launcherOf(funds, caller);
		gameRules.admitRound(launcher.brand, asked.gameCode === AVIATOR.gameCode ? AVIATOR_CODE : asked.gameCode);
		return { url: ownGameUrl(asked) ?? (await launches.byId(launcher, asked)).url };
	},
});

/**
 * The address of a game of the house: a screen of the site. Its code is its number, too, and it is offered in every
 * country.
 * @returns null for a game that is not the house's
 * @throws Refused UNKNOWN_GAME for a number of another game
 */
function ownGameUrl({ gameCode, gameId, country }: typeof AVIATOR): string | null {
	const isAviator = gameCode === AVIATOR.gameCode;
	const game = gameOf(isAviator ? AVIATOR_CODE : gameCode);
	if (!game) return null;
	const isNumbered = isAviator ? gameId === AVIATOR.gameId && country === AVIATOR.country : gameId === game.code;
	if (!isNumbered) throw new Refused('UNKNOWN_GAME');
	return `/casino/${game.code}`;
}

/** @throws Refused those of Protection.admit */
function launcherOf({ protection }: Parts['funds'], caller: Caller): Launcher {
	const { playerId, loginId, brand } = playerOf(caller);
	protection.admit(playerId, 'LAUNCH');
	return { walletId: playerId, loginId, brand, country: caller.visitor.country ?? null };
}

const launchView = ({ token, url }: Launch) => ({ token, url, expireInSeconds: LAUNCH_MS / 1000 });
