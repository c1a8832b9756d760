/** Launch tokens, which open a game once, and the sessions that replace them. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { GIVEN_UP_MS } from '#server/money/casino/providers/round-terms.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { WalletId } from '#values/ids.ts';

/** How long a launch token is valid. */
export const LAUNCH_MS = 60_000;
/** A session expires unless its login ends it first. */
const SESSION_MS = 12 * 3_600_000;

/** A player at a provider's game. */
export interface GameSeat {
	provider: string;
	game: string;
	walletId: WalletId;
	/** Host of the brand. */
	brand: string;
	loginId: string;
	country: string | null;
}

const COLUMNS = `provider, game, wallet_id as "walletId", brand, login_id as "loginId", country`;

/** A launch token that is still valid: $1 its hash, $2 the provider, $3 the time. */
const LAUNCHED = `token_hash = $1 and kind = 'LAUNCH' and provider = $2 and used_at is null and expires_at > $3`;

export class GameSessions {
	readonly #db: pg.Pool;
	readonly #clock: () => number;

	constructor(db: pg.Pool, clock: () => number = Date.now) {
		this.#db = db;
		this.#clock = clock;
	}

	/** @returns the launch token, valid once and for a minute */
	async launch(seat: GameSeat): Promise<string> {
		// Expired rows are deleted here, because launches are rare compared with look-ups by bets. A win may name the
		// session of its bet for as long as the round can be open.
		await this.#db.query('delete from game_session where expires_at < $1', [this.#clock() - GIVEN_UP_MS - SESSION_MS]);
		return await this.#begin('LAUNCH', seat, LAUNCH_MS);
	}

	/** @returns null for an unknown, used or expired token */
	async open(provider: string, launchToken: string): Promise<{ sessionToken: string; seat: GameSeat } | null> {
		const now = this.#clock();
		const { rows } = await this.#db.query<GameSeat>(
			`update game_session set used_at = $3 where ${LAUNCHED} returning ${COLUMNS}`,
			[secretHash(launchToken), provider, now],
		);
		const [seat] = rows;
		return seat ? { seat, sessionToken: await this.#begin('SESSION', seat, SESSION_MS) } : null;
	}

	/** Opens a session whose token is the launch token itself, or returns the existing one. */
	async openOrFind(provider: string, token: string): Promise<{ seat: GameSeat; hasEnded: boolean } | null> {
		const now = this.#clock();
		await this.#db.query(
			`update game_session set kind = 'SESSION', used_at = $3::bigint, expires_at = $3::bigint + $4 where ${LAUNCHED}`,
			[secretHash(token), provider, now, SESSION_MS],
		);
		return await this.find(provider, token);
	}

	/** The player of a session token, and whether the session has expired; null for an unknown token. */
	async find(provider: string, sessionToken: string): Promise<{ seat: GameSeat; hasEnded: boolean } | null> {
		const { rows } = await this.#db.query<GameSeat & { expiresAtMs: number }>(
			`select ${COLUMNS}, expires_at as "expiresAtMs" from game_session
			where token_hash = $1 and kind = 'SESSION' and provider = $2`,
			[secretHash(sessionToken), provider],
		);
		if (!rows[0]) return null;
		const { expiresAtMs, ...seat } = rows[0];
		return { seat, hasEnded: expiresAtMs <= this.#clock() };
	}

	/**
	 * A player who has played at the provider, with the latest known country and brand; null for all others, about whom
	 * the provider learns nothing.
	 */
	async guest(
		provider: string,
		walletId: WalletId,
	): Promise<{ country: string | null; brand: string | undefined } | null> {
		const { rows } = await this.#db.query<{ country: string | null; brand: string }>(
			`select country, brand from game_session where provider = $1 and wallet_id = $2 and kind = 'SESSION'
			order by begun_at desc limit 1`,
			[provider, walletId],
		);
		if (rows[0]) return rows[0];
		const { rowCount } = await this.#db.query(
			'select from provider_transaction where provider = $1 and wallet_id = $2 limit 1',
			[provider, walletId],
		);
		return rowCount === 1 ? { country: null, brand: undefined } : null;
	}

	async #begin(kind: 'LAUNCH' | 'SESSION', seat: GameSeat, forMs: number): Promise<string> {
		const token = randomBytes(24).toString('base64url');
		const now = this.#clock();
		const { provider, game, walletId, brand, loginId, country } = seat;
		await this.#db.query(
			`insert into game_session (token_hash, kind, provider, game, wallet_id, brand, login_id, country, begun_at,
				expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			[secretHash(token), kind, provider, game, walletId, brand, loginId, country, now, now + forMs],
		);
		return token;
	}
}
