/**
 * Sessions of bots: a player's password and one of the player's app keys open one. A session opens the bots' interface
 * only, and a login of the site opens none. It ends twelve hours after its last keep-alive, with its key, and when the
 * password changes; and after as long without a request as the profile of the brand lets a player be idle. A keep-alive
 * counts as a request: a program has no person before it.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { rulesAt } from '#contract/rules-at.ts';
import type { ApiKey, ApiKeys } from '#server/people/players/api-keys.ts';
import type { Login, OpenLogin } from '#server/people/players/logins.ts';
import type { Player } from '#server/people/players/player.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { deleteEnded } from '#server/platform/postgres/delete-ended.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { MINUTE_MS } from '#values/time.ts';

const SESSION_MS = 12 * 3_600_000;
/** One more ends the key's oldest session. */
const MOST_OF_ONE_KEY = 20;

interface SessionRow {
	tokenHash: string;
	keyId: number;
	passwordMark: string;
	expiresAtMs: number;
	/** The last request, by the exchange's clock. After a start it is the last keep-alive. */
	usedAtMs: number;
}

interface Clocks {
	clock: () => number;
	/** The exchange's, which never goes back. */
	ledgerClock: () => number;
}

interface PlayersById {
	byId(playerId: PlayerId): Player | undefined;
}

/** An open session, with its key. */
interface ApiSession {
	key: ApiKey;
	/** The player in the form for calls of the site. */
	login: Login;
}

export class ApiSessions {
	readonly #db: pg.Pool;
	readonly #keys: ApiKeys;
	readonly #players: PlayersById;
	readonly #clock: () => number;
	readonly #ledgerClock: () => number;
	/** By the digest of their token, oldest first. */
	readonly #sessions = new Map<string, SessionRow>();

	constructor(db: pg.Pool, keys: ApiKeys, players: PlayersById, { clock, ledgerClock }: Clocks) {
		this.#db = db;
		this.#keys = keys;
		this.#players = players;
		this.#clock = clock;
		this.#ledgerClock = ledgerClock;
	}

	async load(): Promise<void> {
		const nowMs = this.#clock();
		deleteEnded(this.#db, 'delete from api_session where expires_at <= $1', [nowMs]);
		const { rows } = await this.#db.query<Omit<SessionRow, 'usedAtMs'>>(
			`select token_hash as "tokenHash", key_id as "keyId", password_mark as "passwordMark",
			   expires_at as "expiresAtMs"
			 from api_session where expires_at > $1 order by expires_at`,
			[nowMs],
		);
		for (const row of rows) this.#sessions.set(row.tokenHash, { ...row, usedAtMs: row.expiresAtMs - SESSION_MS });
	}

	/**
	 * @returns the token, which is not stored
	 * @throws Refused WRONG_CREDENTIALS if the key was revoked meanwhile
	 */
	async open(key: ApiKey, player: Player): Promise<string> {
		this.#forgetEnded();
		const token = randomBytes(32).toString('base64');
		const passwordMark = markOf(player);
		if (passwordMark === null) throw new Refused('WRONG_CREDENTIALS');
		const row = {
			tokenHash: secretHash(token),
			keyId: key.keyId,
			passwordMark,
			expiresAtMs: this.#clock() + SESSION_MS,
			usedAtMs: this.#ledgerClock(),
		};
		const { rowCount } = await this.#db.query(
			`insert into api_session (token_hash, key_id, password_mark, expires_at)
			 select $1, $2, $3, $4 where exists (select 1 from api_key where key_id = $2)`,
			[row.tokenHash, row.keyId, row.passwordMark, row.expiresAtMs],
		);
		if (rowCount !== 1) throw new Refused('WRONG_CREDENTIALS');
		this.#sessions.set(row.tokenHash, row);
		const ofKey = [...this.#sessions.values()].filter(({ keyId }) => keyId === key.keyId);
		for (const { tokenHash } of ofKey.slice(0, -MOST_OF_ONE_KEY)) await this.#end(tokenHash);
		await this.#keys.used(key);
		return token;
	}

	/** The open session of a token on a brand, for a request of its client; null for none. In memory, no I/O. */
	find(token: string, brand: Pick<Brand, 'host' | 'setting'>): ApiSession | null {
		const open = this.#openOn(token, brand);
		if (!open) return null;
		open.row.usedAtMs = this.#ledgerClock();
		return open.session;
	}

	/** The same for the server's own look, which keeps no session from being idle. */
	look(token: string, brand: Pick<Brand, 'host' | 'setting'>): ApiSession | null {
		return this.#openOn(token, brand)?.session ?? null;
	}

	#openOn(
		token: string,
		{ host, setting }: Pick<Brand, 'host' | 'setting'>,
	): { row: SessionRow; session: ApiSession } | null {
		const row = this.#sessions.get(secretHash(token));
		const session = row && this.#sessionOf(row);
		if (!row || session?.login.brand !== host) return null;
		const { logsInAgainAfterIdleMinutes: idleMinutes } = rulesAt(setting, this.#ledgerClock);
		const isIdle = idleMinutes !== null && this.#ledgerClock() - row.usedAtMs >= idleMinutes * MINUTE_MS;
		return isIdle ? null : { row, session };
	}

	/** The brand of an open session, for connections that name no host. */
	brandOf(token: string): string | null {
		const row = this.#sessions.get(secretHash(token));
		return (row && this.#sessionOf(row)?.login.brand) ?? null;
	}

	/** @returns whether the session was open */
	async keepAlive(token: string): Promise<boolean> {
		const row = this.#sessions.get(secretHash(token));
		if (!row || !this.#sessionOf(row)) return false;
		row.expiresAtMs = this.#clock() + SESSION_MS;
		await this.#db.query('update api_session set expires_at = $2 where token_hash = $1', [
			row.tokenHash,
			row.expiresAtMs,
		]);
		return true;
	}

	/** @returns whether the session was open */
	async end(token: string): Promise<boolean> {
		const row = this.#sessions.get(secretHash(token));
		if (!row || !this.#sessionOf(row)) return false;
		await this.#end(row.tokenHash);
		return true;
	}

	/** The open sessions of a player's bots. */
	list(playerId: PlayerId): OpenLogin[] {
		return [...this.#sessions.values()]
			.filter((row) => this.#sessionOf(row)?.login.playerId === playerId)
			.map(({ tokenHash, expiresAtMs: endsAtMs }) => {
				const unknown = { openedAtMs: null, address: null, usedAtMs: null };
				return { loginId: loginIdOf(tokenHash), kind: 'BOT', ...unknown, endsAtMs };
			});
	}

	/** @param loginId of one; null for all. @returns how many ended */
	async endOf(playerId: PlayerId, loginId: string | null): Promise<number> {
		const ended = [...this.#sessions.values()].filter(
			(row) =>
				this.#sessionOf(row)?.login.playerId === playerId && (loginId === null || loginIdOf(row.tokenHash) === loginId),
		);
		for (const { tokenHash } of ended) await this.#end(tokenHash);
		return ended.length;
	}

	async #end(tokenHash: string): Promise<void> {
		this.#sessions.delete(tokenHash);
		await this.#db.query('delete from api_session where token_hash = $1', [tokenHash]);
	}

	#sessionOf({ keyId, passwordMark, expiresAtMs, tokenHash }: SessionRow): ApiSession | null {
		const key = this.#keys.byId(keyId);
		const player = key && this.#players.byId(key.playerId);
		if (!key || !player || expiresAtMs <= this.#clock() || markOf(player) !== passwordMark) return null;
		const { playerId, userName, isDemo, pool, brand } = player;
		return { key, login: { loginId: loginIdOf(tokenHash), playerId, userName, isDemo, pool, brand, expiresAtMs } };
	}

	/** Drops expired sessions. Their rows are deleted at the next start. */
	#forgetEnded(): void {
		for (const [tokenHash, row] of this.#sessions) if (!this.#sessionOf(row)) this.#sessions.delete(tokenHash);
	}
}

const loginIdOf = (tokenHash: string): string => `api.${tokenHash}`;

/** Whether a password is still the one that opened a session; null for players without one. */
const markOf = ({ passwordHash }: Player): string | null => (passwordHash === null ? null : secretHash(passwordHash));
