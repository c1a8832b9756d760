/** The caller of an access token. */
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export interface Login {
	loginId: string;
	playerId: PlayerId;
	userName: string;
	isDemo: boolean;
	pool: Pool;
	/** Host of the login's brand; other brands refuse the token. */
	brand: string;
	expiresAtMs: number;
}

/** A log-in as the staff see it. */
export interface OpenLogin {
	loginId: string;
	/** A bot's log-in shows neither where nor when it began. */
	kind: 'SITE' | 'BACK_END' | 'BOT';
	openedAtMs: number | null;
	address: string | null;
	/** When it was refreshed last; null for a bot's. */
	usedAtMs: number | null;
	endsAtMs: number;
}

/** The content of a token with a valid seal. */
export interface TokenClaim {
	loginId: string;
	generation: number;
	/** Of the engine whose key sealed it; missing in a process of one engine. */
	pools?: readonly Pool[] | undefined;
}

export interface Logins {
	/** The claim of an access token, or null if its seal is invalid. Any process with the server's key can check it. */
	claimOf(accessToken: string): TokenClaim | null;

	/** The login of a claim on a brand, or null if it is expired, ended or of another brand. In memory, no I/O. */
	claimed(claim: TokenClaim, brand: string): Login | null;

	/**
	 * The login of an access token on a brand, or null if it is unknown, expired, ended or of another brand. In memory,
	 * no I/O.
	 */
	find(accessToken: string, brand: string): Login | null;

	/** Whether a login has not ended and can still be refreshed. */
	isOpen(loginId: string): boolean;

	/**
	 * Counts an act that moves money as activity of a login. Only such acts and passwords are activity: a page asks for
	 * much by itself.
	 * @param idleMinutes after which the password is needed, by the profile of the brand; null for never
	 * @throws Refused PASSWORD_NEEDED
	 */
	admitMoney(loginId: string, idleMinutes: number | null): void;
}
