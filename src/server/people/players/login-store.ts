/** Logins: in memory for every request, in the database for the next start. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LoginTokens } from '#server/people/players/login-tokens.ts';
import type { Login, Logins, OpenLogin, TokenClaim } from '#server/people/players/logins.ts';
import type { Player } from '#server/people/players/player.ts';
import type { PlayerStore } from '#server/people/players/player-store.ts';
import type { Tokens } from '#server/people/players/players.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { deleteEnded } from '#server/platform/postgres/delete-ended.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#values/time.ts';

const ACCESS_SECONDS = 30 * 60;
/** How long a login can be refreshed, on a remembered device and on others. */
const REMEMBERED_MS = 30 * DAY_MS;
const NOT_REMEMBERED_MS = 12 * HOUR_MS;
/** A refresh that is repeated within this time, by a reloaded page or a second tab, gets the same successor. */
const GRACE_MS = 10_000;

/** How late the time of the last activity is written: a restart asks for a password that much earlier. */
const ACTIVE_WRITTEN_MS = 5 * MINUTE_MS;

interface LoginState {
	login: Login;
	generation: number;
	openedAtMs: number | null;
	/** Where the password was shown; null for a back end. */
	address: string | null;
	rotatedAtMs: number;
	endsAtMs: number;
	/** When the player last gave the password or moved money, by the exchange's clock; null when it is not known. */
	activeAtMs: number | null;
	/** The same as it is stored. */
	activeWrittenAtMs: number | null;
	/** Where its last request came from, by the exchange's clock; null before one was located, and after a start. */
	located: { country: string | null; atMs: number } | null;
}

/** The authorization code that opened a back end's login. */
interface LoginGrant {
	codeDigest: string;
	/** The player's login that this one ends with; null when it does not depend on one. */
	parentLoginId: string | null;
}

interface LoginStoreOptions {
	db: pg.Pool;
	players: Pick<PlayerStore, 'byId'>;
	bus: Bus;
	journal: Journal;
	/** The server's secret, which seals tokens. */
	tokenKey: string;
	clock: () => number;
	/** The exchange's: setting the wall clock makes no player idle, and none active. */
	ledgerClock: () => number;
}

export class LoginStore implements Logins {
	readonly #options: LoginStoreOptions;
	readonly #tokens: LoginTokens;
	readonly #logins = new Map<string, LoginState>();
	/** The logins of back ends, by the login that they end with. */
	readonly #grants = new Map<string, LoginGrant>();

	constructor(options: LoginStoreOptions) {
		this.#options = options;
		this.#tokens = new LoginTokens(options.tokenKey);
	}

	async load(): Promise<void> {
		const { db, players, clock } = this.#options;
		const nowMs = clock();
		deleteEnded(db, 'delete from login where expires_at <= $1', [nowMs]);
		const { rows } = await db.query<{
			loginId: string;
			playerId: PlayerId;
			generation: number;
			rotatedAtMs: number;
			accessExpiresAtMs: number;
			endsAtMs: number;
			openedAtMs: number | null;
			address: string | null;
			activeAtMs: number | null;
			codeDigest: string | null;
			parentLoginId: string | null;
		}>(
			`select login_id as "loginId", player_id as "playerId", generation, rotated_at as "rotatedAtMs",
			   access_expires_at as "accessExpiresAtMs", expires_at as "endsAtMs",
			   opened_at as "openedAtMs", address, active_at as "activeAtMs", code_digest as "codeDigest", parent_login_id as "parentLoginId"
			 from login where expires_at > $1`,
			[nowMs],
		);
		for (const { loginId, playerId, accessExpiresAtMs, codeDigest, parentLoginId, ...rest } of rows) {
			const player = players.byId(playerId);
			if (!player) continue;
			const login = loginOf(loginId, player, accessExpiresAtMs);
			this.#logins.set(loginId, { login, activeWrittenAtMs: rest.activeAtMs, located: null, ...rest });
			if (codeDigest !== null) this.#grants.set(loginId, { codeDigest, parentLoginId });
		}
	}

	find(accessToken: string, brand: string): Login | null {
		const claim = this.claimOf(accessToken);
		return claim && this.claimed(claim, brand);
	}

	claimOf(accessToken: string): TokenClaim | null {
		return this.#tokens.read('access', accessToken);
	}

	claimed(claim: TokenClaim, brand: string): Login | null {
		const state = this.#logins.get(claim.loginId);
		if (state?.login.brand !== brand) return null;
		const now = this.#options.clock();
		const current = claim.generation === state.generation;
		// The page that refreshed may still have requests in flight with the previous token.
		const justBefore = claim.generation === state.generation - 1 && now - state.rotatedAtMs < GRACE_MS;
		return (current || justBefore) && now < state.login.expiresAtMs ? state.login : null;
	}

	/**
	 * @throws Refused WRONG_CREDENTIALS, or WRONG_GRANT, if the login ended while it was being written: the password
	 *   changed, the player logged out, or the code was used again
	 */
	async open(
		player: Player,
		remember: boolean,
		{ address = null, grant = null }: { address?: string | null; grant?: LoginGrant | null } = {},
	): Promise<Tokens> {
		const loginId = randomBytes(16).toString('base64url');
		const now = this.#options.clock();
		const activeAtMs = this.#options.ledgerClock();
		const state: LoginState = {
			login: loginOf(loginId, player, now + ACCESS_SECONDS * 1000),
			generation: 1,
			openedAtMs: now,
			address,
			rotatedAtMs: now,
			endsAtMs: now + (remember ? REMEMBERED_MS : NOT_REMEMBERED_MS),
			activeAtMs,
			activeWrittenAtMs: activeAtMs,
			located: null,
		};
		// Added before it is written, so that a changed password or a log-out ends it too.
		this.#logins.set(loginId, state);
		if (grant) this.#grants.set(loginId, grant);
		try {
			await this.#options.db.query(
				`insert into login (login_id, player_id, brand, generation, rotated_at, access_expires_at, expires_at,
				   code_digest, parent_login_id, opened_at, address, active_at)
				 values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $4, $9, $10)`,
				[
					loginId,
					player.playerId,
					player.brand,
					now,
					state.login.expiresAtMs,
					state.endsAtMs,
					grant?.codeDigest,
					grant?.parentLoginId,
					address,
					activeAtMs,
				],
			);
		} catch (error) {
			this.#drop(loginId);
			throw error;
		}
		if (!this.#logins.has(loginId)) {
			await this.#forget([loginId]);
			throw new Refused(grant ? 'WRONG_GRANT' : 'WRONG_CREDENTIALS');
		}
		return this.#tokensOf(loginId, state);
	}

	/**
	 * @param address of the caller.
	 * @throws Refused LOGIN_EXPIRED
	 */
	async refresh(refreshToken: string, brand: string, address: string): Promise<Tokens> {
		const claim = this.#tokens.read('refresh', refreshToken);
		const state = claim ? this.#logins.get(claim.loginId) : undefined;
		const now = this.#options.clock();
		if (!claim || !state || state.login.brand !== brand || now >= state.endsAtMs) {
			throw new Refused('LOGIN_EXPIRED');
		}
		if (claim.generation === state.generation) {
			state.generation++;
			state.rotatedAtMs = now;
			state.login.expiresAtMs = now + ACCESS_SECONDS * 1000;
			await this.#options.db.query(
				'update login set generation = $2, rotated_at = $3, access_expires_at = $4 where login_id = $1',
				[claim.loginId, state.generation, now, state.login.expiresAtMs],
			);
		} else if (claim.generation !== state.generation - 1 || now - state.rotatedAtMs >= GRACE_MS) {
			// Of two uses of a token, one is a thief's. The login ends for both.
			await this.end([state.login], 'TOKEN_REUSED');
			await this.#writeReuse(state.login, 'TOKEN_REUSED', address);
			throw new Refused('LOGIN_EXPIRED');
		}
		return this.#tokensOf(claim.loginId, state);
	}

	admitMoney(loginId: string, idleMinutes: number | null): void {
		const state = this.#logins.get(loginId);
		// An ended login is refused by the same request for that. A demo player has no password.
		if (!state || state.login.isDemo) return;
		const nowMs = this.#options.ledgerClock();
		if (idleMinutes !== null && nowMs - (state.activeAtMs ?? Number.NEGATIVE_INFINITY) >= idleMinutes * MINUTE_MS)
			throw new Refused('PASSWORD_NEEDED');
		state.activeAtMs = nowMs;
		const isWritten = nowMs - (state.activeWrittenAtMs ?? Number.NEGATIVE_INFINITY) < ACTIVE_WRITTEN_MS;
		if (idleMinutes !== null && !isWritten) void this.#writeActivity(loginId, state);
	}

	/** @param country two letters; null for a place that is not known */
	noteCountry(loginId: string, country: string | null): void {
		const state = this.#logins.get(loginId);
		if (state) state.located = { country, atMs: this.#options.ledgerClock() };
	}

	/** Where the login's last request came from, if it came within these minutes; null for any time. */
	countryWithin(loginId: string, minutes: number | null): string | null {
		const located = this.#logins.get(loginId)?.located;
		if (!located) return null;
		const isOld = minutes !== null && this.#options.ledgerClock() - located.atMs >= minutes * MINUTE_MS;
		return isOld ? null : located.country;
	}

	/** The player of a login gave the password again. */
	async confirm(loginId: string): Promise<void> {
		const state = this.#logins.get(loginId);
		if (!state) throw new Refused('LOGIN_EXPIRED');
		state.activeAtMs = this.#options.ledgerClock();
		await this.#writeActivity(loginId, state);
	}

	/** A write that fails is made again with the next activity; until then a restart asks for the password. */
	async #writeActivity(loginId: string, state: LoginState): Promise<void> {
		const before = state.activeWrittenAtMs;
		state.activeWrittenAtMs = state.activeAtMs;
		try {
			await this.#options.db.query('update login set active_at = $2 where login_id = $1', [loginId, state.activeAtMs]);
		} catch {
			state.activeWrittenAtMs = before;
		}
	}

	/** The player's logins, all or all but one. */
	of(playerId: PlayerId, except?: string): Login[] {
		return [...this.#logins.values()]
			.map(({ login }) => login)
			.filter((login) => login.playerId === playerId && login.loginId !== except);
	}

	/** The same as the staff see them, those that began last first. */
	list(playerId: PlayerId): OpenLogin[] {
		return this.of(playerId)
			.flatMap(({ loginId }): OpenLogin[] => {
				const state = this.#logins.get(loginId);
				if (!state || !this.isOpen(loginId)) return [];
				const { openedAtMs, address, rotatedAtMs: usedAtMs, endsAtMs } = state;
				const kind = this.#grants.has(loginId) ? 'BACK_END' : 'SITE';
				return [{ loginId, kind, openedAtMs, address, usedAtMs, endsAtMs }];
			})
			.sort((one, other) => (other.openedAtMs ?? 0) - (one.openedAtMs ?? 0));
	}

	/** Whether a login has not ended and can still be refreshed. */
	isOpen(loginId: string): boolean {
		const state = this.#logins.get(loginId);
		return state !== undefined && this.#options.clock() < state.endsAtMs;
	}

	/**
	 * Ends logins and their dependent logins immediately: their tokens are invalid and their hub connections are closed.
	 */
	async end(logins: readonly Login[], reason: string): Promise<void> {
		const ended = new Set(logins.map(({ loginId }) => loginId));
		for (const [loginId, { parentLoginId }] of this.#grants) {
			if (parentLoginId !== null && ended.has(parentLoginId)) ended.add(loginId);
		}
		for (const loginId of ended) {
			this.#drop(loginId);
			this.#options.bus.publish(`login.${loginId}`, { code: 'LoggedOut', data: { reason } });
		}
		await this.#forget([...ended]);
	}

	/**
	 * Ends the login that a code opened, if any.
	 * @param address of the second sender of the code
	 */
	async endOfCode(codeDigest: string, address: string): Promise<void> {
		const given = [...this.#grants].flatMap(([loginId, grant]) =>
			grant.codeDigest === codeDigest ? (this.#logins.get(loginId)?.login ?? []) : [],
		);
		if (given.length === 0) return;
		await this.end(given, 'CODE_REUSED');
		for (const login of given) await this.#writeReuse(login, 'CODE_REUSED', address);
	}

	async #writeReuse({ loginId, playerId }: Login, act: string, address: string): Promise<void> {
		const subject = `player ${playerId}`;
		await this.#options.journal.write({ actor: 'player', address, act, subject, details: { loginId } });
	}

	#drop(loginId: string): void {
		this.#logins.delete(loginId);
		this.#grants.delete(loginId);
	}

	async #forget(loginIds: string[]): Promise<void> {
		await this.#options.db.query('delete from login where login_id = any($1)', [loginIds]);
	}

	#tokensOf(loginId: string, state: LoginState): Tokens {
		const claim = { loginId, generation: state.generation };
		return {
			accessToken: this.#tokens.make('access', claim),
			refreshToken: this.#tokens.make('refresh', claim),
			expireInSeconds: ACCESS_SECONDS,
		};
	}
}

function loginOf(loginId: string, player: Player, expiresAtMs: number): Login {
	const { playerId, userName, isDemo, pool, brand } = player;
	return { loginId, playerId, userName, isDemo, pool, brand, expiresAtMs };
}
