/**
 * Launches of a provider's games: the login gets a casino token, which is exchanged for a launch token that opens one
 * game once.
 */
import { createHmac } from 'node:crypto';
import type { GameSessions } from '#server/money/casino/providers/game-sessions.ts';
import type { Provider, ProviderGame } from '#server/money/casino/providers/provider.ts';
import type { ProviderGames } from '#server/money/casino/providers/provider-games.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';

/** The player who wants to play. */
export interface Launcher {
	walletId: WalletId;
	brand: string;
	loginId: string;
	/** Null without a proxy that names it. */
	country: string | null;
}

export interface Launch {
	token: string;
	url: string;
}

export class Launches {
	readonly #sessions: GameSessions;
	readonly #games: Pick<ProviderGames, 'find'>;
	readonly #tokenKey: string;

	constructor(parts: { sessions: GameSessions; games: Pick<ProviderGames, 'find'>; tokenKey: string }) {
		this.#sessions = parts.sessions;
		this.#games = parts.games;
		this.#tokenKey = parts.tokenKey;
	}

	/** The token that a login presents to the casino; it is worthless without that login. */
	casinoToken(loginId: string): string {
		return createHmac('sha256', this.#tokenKey).update(`casino ${loginId}`).digest('base64url');
	}

	/**
	 * Exchanges the casino token, at the provider's endpoint.
	 * @throws Refused FORBIDDEN for a token of another login, UNKNOWN_GAME, GAME_RESTS
	 */
	async atDoor(
		door: Provider['door'],
		launcher: Launcher,
		{ casinoToken, gameCode }: { casinoToken: string; gameCode: string },
	): Promise<Launch> {
		if (!isSameSecret(casinoToken, this.casinoToken(launcher.loginId))) throw new Refused('FORBIDDEN');
		const game = this.#games.find(null, gameCode);
		if (game?.provider.door !== door) throw new Refused('UNKNOWN_GAME');
		return await this.#launch(launcher, game);
	}

	/** @throws Refused UNKNOWN_GAME if code, id or country do not belong together, GAME_RESTS */
	async byId(
		launcher: Launcher,
		{ gameCode, gameId, country }: { gameCode: string; gameId: string; country: string },
	): Promise<Launch> {
		const game = this.#games.find(null, gameCode);
		if (game?.id !== gameId || !game.countries.includes(country)) throw new Refused('UNKNOWN_GAME');
		return await this.#launch(launcher, game);
	}

	async #launch(launcher: Launcher, game: ProviderGame): Promise<Launch> {
		if (!game.isEnabled) throw new Refused('GAME_RESTS');
		const { provider, code } = game;
		const { walletId, brand, loginId, country } = launcher;
		const token = await this.#sessions.launch({ provider: provider.id, game: code, walletId, brand, loginId, country });
		return { token, url: `${provider.url}/play?game=${encodeURIComponent(code)}&token=${encodeURIComponent(token)}` };
	}
}
