/** Players and their logins: in memory for every request, in the database for the next start. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Accounts, LoginAnswer, Preset, Tokens, UserView, Visitor } from '#server/accounts/accounts.ts';
import { LoginTokens } from '#server/accounts/login-tokens.ts';
import type { Login } from '#server/accounts/logins.ts';
import { hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import { type SportPermissions, sportFlags } from '#server/accounts/sport-permissions.ts';
import type { Brand } from '#server/brands/brands.ts';
import type { Bus } from '#server/bus.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

const ACCESS_SECONDS = 30 * 60;
const LOGIN_MS = 30 * 24 * 3600 * 1000;
/** A refresh asked again this soon, by a page that reloaded or a second tab, gets the same successor. */
const GRACE_MS = 10_000;
/** Demo players start with 20,000.00. */
const DEMO_GRANT_PAISE = 2_000_000;
/** Player ids follow time, with room for this many in a millisecond. */
const IDS_PER_MS = 1024;

interface Player {
	playerId: number;
	brand: string;
	userName: string;
	passwordHash: string | null;
	isDemo: boolean;
	pool: Pool;
	stakes: Preset[] | null;
}

interface LoginState {
	login: Login;
	generation: number;
	rotatedAtMs: number;
	endsAtMs: number;
}

export interface AccountsOptions {
	pool: pg.Pool;
	exchange: Exchange;
	sports: SportPermissions;
	bus: Bus;
	/** The server's secret; tokens are sealed with it. */
	tokenKey: string;
	clock?: () => number;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
	const accounts = new MemoryAccounts(options);
	await accounts.load();
	return accounts;
}

const nameKey = (userName: string): string => userName.trim().toLowerCase();

class MemoryAccounts implements Accounts {
	readonly #pool: pg.Pool;
	readonly #exchange: Exchange;
	readonly #sports: SportPermissions;
	readonly #bus: Bus;
	readonly #tokens: LoginTokens;
	readonly #clock: () => number;
	readonly #players = new Map<number, Player>();
	readonly #byName = new Map<string, Player>();
	readonly #logins = new Map<string, LoginState>();
	#lastId = 0;

	constructor(options: AccountsOptions) {
		this.#pool = options.pool;
		this.#exchange = options.exchange;
		this.#sports = options.sports;
		this.#bus = options.bus;
		this.#tokens = new LoginTokens(options.tokenKey);
		this.#clock = options.clock ?? Date.now;
	}

	async load(): Promise<void> {
		const players = await this.#pool.query<Player>(
			`select player_id as "playerId", brand, user_name as "userName", password_hash as "passwordHash",
			   is_demo as "isDemo", pool, stakes
			 from player`,
		);
		for (const player of players.rows) this.#keep(player);
		const now = this.#clock();
		await this.#pool.query('delete from login where expires_at <= $1', [now]);
		const logins = await this.#pool.query<{
			loginId: string;
			playerId: number;
			generation: number;
			rotatedAtMs: number;
			accessExpiresAtMs: number;
			endsAtMs: number;
		}>(
			`select login_id as "loginId", player_id as "playerId", generation, rotated_at as "rotatedAtMs",
			   access_expires_at as "accessExpiresAtMs", expires_at as "endsAtMs"
			 from login`,
		);
		for (const { loginId, playerId, accessExpiresAtMs, ...rest } of logins.rows) {
			const player = this.#players.get(playerId);
			if (player) this.#logins.set(loginId, { login: loginOf(loginId, player, accessExpiresAtMs), ...rest });
		}
	}

	#keep(player: Player): void {
		this.#players.set(player.playerId, player);
		this.#byName.set(`${player.brand}|${nameKey(player.userName)}`, player);
		this.#lastId = Math.max(this.#lastId, player.playerId);
	}

	find(accessToken: string, brand: string): Login | null {
		const claim = this.#tokens.read('access', accessToken);
		const state = claim ? this.#logins.get(claim.loginId) : undefined;
		if (!claim || !state || state.login.brand !== brand) return null;
		const now = this.#clock();
		const current = claim.generation === state.generation;
		// The page that just refreshed may still have requests under way with the token before.
		const justBefore = claim.generation === state.generation - 1 && now - state.rotatedAtMs < GRACE_MS;
		return (current || justBefore) && now < state.login.expiresAtMs ? state.login : null;
	}

	async authenticate(
		input: { userNameOrEmailAddress: string; password: string },
		visitor: Visitor,
	): Promise<LoginAnswer> {
		const player = this.#byName.get(`${visitor.brand.host}|${nameKey(input.userNameOrEmailAddress)}`);
		const right = await verifyPassword(input.password, player?.passwordHash ?? null);
		if (!player || !right) throw new Refused('WRONG_CREDENTIALS');
		return await this.#open(player, visitor);
	}

	async loginAsDemoUser(visitor: Visitor): Promise<LoginAnswer> {
		const playerId = this.#nextId();
		const player: Player = {
			playerId,
			brand: visitor.brand.host,
			userName: `demo-${playerId.toString(36)}`,
			passwordHash: null,
			isDemo: true,
			pool: 'DEMO',
			stakes: null,
		};
		await this.#add(player);
		await this.#exchange.submit(
			{ kind: 'grant-coins', grantId: playerId, walletId: playerId, amount: DEMO_GRANT_PAISE },
			{ walletId: playerId, clientRequestId: 'demo-grant', body: 'demo-grant' },
		);
		return await this.#open(player, visitor);
	}

	async createPlayer(input: {
		userName: string;
		password: string;
		brand: Pick<Brand, 'host' | 'pool'>;
		pool?: Pool;
	}): Promise<{ playerId: number; pool: Pool }> {
		if (this.findPlayer(input.userName, input.brand.host)) throw new Refused('NAME_TAKEN');
		const player: Player = {
			playerId: this.#nextId(),
			brand: input.brand.host,
			userName: input.userName.trim(),
			passwordHash: await hashPassword(input.password),
			isDemo: false,
			pool: input.pool ?? input.brand.pool,
			stakes: null,
		};
		await this.#add(player);
		return { playerId: player.playerId, pool: player.pool };
	}

	findPlayer(userName: string, brandHost: string): { playerId: number; pool: Pool } | null {
		const player = this.#byName.get(`${brandHost}|${nameKey(userName)}`);
		return player ? { playerId: player.playerId, pool: player.pool } : null;
	}

	async refresh(refreshToken: string, visitor: Visitor): Promise<Tokens> {
		const claim = this.#tokens.read('refresh', refreshToken);
		const state = claim ? this.#logins.get(claim.loginId) : undefined;
		const now = this.#clock();
		if (!claim || !state || state.login.brand !== visitor.brand.host || now >= state.endsAtMs) {
			throw new Refused('LOGIN_EXPIRED');
		}
		if (claim.generation === state.generation) {
			state.generation++;
			state.rotatedAtMs = now;
			state.login.expiresAtMs = now + ACCESS_SECONDS * 1000;
			await this.#pool.query(
				'update login set generation = $2, rotated_at = $3, access_expires_at = $4 where login_id = $1',
				[claim.loginId, state.generation, now, state.login.expiresAtMs],
			);
		} else if (claim.generation !== state.generation - 1 || now - state.rotatedAtMs >= GRACE_MS) {
			// A token used twice was stolen by one of the two who used it: neither may go on.
			await this.logout(state.login);
			throw new Refused('LOGIN_EXPIRED');
		}
		return this.#tokensOf(claim.loginId, state);
	}

	async logout(login: Login): Promise<void> {
		this.#logins.delete(login.loginId);
		this.#bus.publish(`login.${login.loginId}`, { code: 'LoggedOut', data: { reason: 'LOGGED_OUT' } });
		await this.#pool.query('delete from login where login_id = $1', [login.loginId]);
	}

	user(playerId: number): UserView {
		const player = this.#players.get(playerId);
		const wallet = this.#exchange.wallet(playerId);
		if (!player || !wallet) throw new Refused('UNKNOWN_USER');
		return {
			userId: String(playerId),
			userName: player.userName,
			isDemo: player.isDemo,
			pool: player.pool,
			balance: majorFromPaise(wallet.cash),
			exposure: majorFromPaise(wallet.exposure),
			currency: wallet.currency,
			...sportFlags(this.#sports.closed(playerId)),
		};
	}

	async setStakes(playerId: number, stakes: Preset[]): Promise<Preset[]> {
		const player = this.#players.get(playerId);
		if (!player) throw new Refused('UNKNOWN_USER');
		await this.#pool.query('update player set stakes = $2 where player_id = $1', [playerId, JSON.stringify(stakes)]);
		player.stakes = stakes;
		return stakes;
	}

	#nextId(): number {
		this.#lastId = Math.max(this.#lastId + 1, this.#clock() * IDS_PER_MS);
		return this.#lastId;
	}

	/** The row first, then the wallet: a player without one gets it when he is made again, never the other way round. */
	async #add(player: Player): Promise<void> {
		const { rowCount } = await this.#pool.query(
			`insert into player (player_id, brand, user_name, name_key, password_hash, is_demo, pool, created_at)
			 values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
			[
				player.playerId,
				player.brand,
				player.userName,
				nameKey(player.userName),
				player.passwordHash,
				player.isDemo,
				player.pool,
				this.#clock(),
			],
		);
		if (rowCount === 0) throw new Refused('NAME_TAKEN');
		await this.#exchange.submit({
			kind: 'open-wallet',
			walletId: player.playerId,
			pool: player.pool,
			currency: 'INR',
		});
		this.#keep(player);
	}

	async #open(player: Player, visitor: Visitor): Promise<LoginAnswer> {
		const loginId = randomBytes(16).toString('base64url');
		const now = this.#clock();
		const state: LoginState = {
			login: loginOf(loginId, player, now + ACCESS_SECONDS * 1000),
			generation: 1,
			rotatedAtMs: now,
			endsAtMs: now + LOGIN_MS,
		};
		await this.#pool.query(
			`insert into login (login_id, player_id, brand, generation, rotated_at, access_expires_at, expires_at)
			 values ($1, $2, $3, 1, $4, $5, $6)`,
			[loginId, player.playerId, player.brand, now, state.login.expiresAtMs, state.endsAtMs],
		);
		this.#logins.set(loginId, state);
		return {
			...this.#tokensOf(loginId, state),
			userIp: visitor.address,
			stakes: player.stakes ?? visitor.brand.setting.defaultStakes,
			casinoToken: '',
			domain: visitor.brand.host,
			user: this.user(player.playerId),
		};
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
