/** The caller that an access token stands for. */
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

export interface Logins {
	/**
	 * The login of an access token on a brand, or null when it is unknown, expired, ended or of another brand. In memory,
	 * no I/O.
	 */
	find(accessToken: string, brand: string): Login | null;

	/** Whether a login has not ended and can still be refreshed. */
	isOpen(loginId: string): boolean;
}
