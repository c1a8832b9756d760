/** Who is calling: what a living access token stands for. */
import type { Pool } from '#values/pools.ts';

export interface Login {
	loginId: string;
	playerId: number;
	userName: string;
	isDemo: boolean;
	pool: Pool;
	/** Host of the brand the login belongs to; a token of another brand is dead here. */
	brand: string;
	expiresAtMs: number;
}

export interface Logins {
	/** The login of an access token on a brand, or null when it is unknown, expired, ended or of another brand. In memory, no I/O. */
	find(accessToken: string, brand: string): Login | null;
}
