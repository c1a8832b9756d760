/**
 * Tokens of a login: its id, a generation that rises with each refresh, and a seal made with the server's key. Nothing
 * in the database opens a login. The same generation always gives the same tokens, so a repeated refresh gets the same
 * successor.
 */
import { createHmac } from 'node:crypto';
import type { TokenClaim } from '#server/people/players/logins.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import type { Pool } from '#values/pools.ts';

type TokenKind = 'access' | 'refresh';

/** Access tokens whose seal is cached: about 200 bytes each. */
const MOST_KNOWN = 20_000;

export class LoginTokens {
	readonly #key: string;
	readonly #pools: readonly Pool[] | undefined;
	/**
	 * Access tokens with a valid seal, which depends on the key alone, so it stays valid. A player's calls all carry the
	 * same token.
	 */
	readonly #known = recentlyUsed<string, TokenClaim>(MOST_KNOWN);

	/** @param pools of the engine with this key, where a process knows the keys of several */
	constructor(key: string, pools?: readonly Pool[]) {
		this.#key = key;
		this.#pools = pools;
	}

	make(kind: TokenKind, { loginId, generation }: TokenClaim): string {
		return `${loginId}.${generation}.${this.#seal(kind, loginId, generation)}`;
	}

	/** The claims of a token, or null when its seal is not valid. */
	read(kind: TokenKind, token: string): TokenClaim | null {
		if (kind === 'refresh') return this.#verified(kind, token);
		const known = this.#known.get(token);
		if (known) return known;
		const claim = this.#verified(kind, token);
		if (claim) this.#known.set(token, claim);
		return claim;
	}

	#verified(kind: TokenKind, token: string): TokenClaim | null {
		const [, loginId, digits, seal] = /^([\w-]{22})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? [];
		if (!loginId || !digits || !seal) return null;
		const generation = Number(digits);
		return isSameSecret(seal, this.#seal(kind, loginId, generation))
			? { loginId, generation, pools: this.#pools }
			: null;
	}

	#seal(kind: TokenKind, loginId: string, generation: number): string {
		return createHmac('sha256', this.#key).update(`${kind}.${loginId}.${generation}`).digest('base64url');
	}
}
