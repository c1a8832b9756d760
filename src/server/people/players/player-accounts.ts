/** Players, their logins and what they prove by them, as the calls use them. */
import { rulesAt } from '#contract/rules-at.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { AddressCountries } from '#server/people/players/address-countries.ts';
import { ApiKeys } from '#server/people/players/api-keys.ts';
import { ApiSessions } from '#server/people/players/api-sessions.ts';
import type { Authenticators } from '#server/people/players/authenticators.ts';
import { BackEndClients, CODE_SECONDS } from '#server/people/players/back-end-clients.ts';
import { isCommonPassword } from '#server/people/players/common-passwords.ts';
import { erasedName } from '#server/people/players/erasure.ts';
import { ExclusionLists } from '#server/people/players/exclusion-lists.ts';
import { type DeviceOwner, KnownDevices } from '#server/people/players/known-devices.ts';
import { LoginAttempts } from '#server/people/players/login-attempts.ts';
import { LoginLocks } from '#server/people/players/login-locks.ts';
import { LoginStore } from '#server/people/players/login-store.ts';
import { LoginThrottle } from '#server/people/players/login-throttle.ts';
import type { Login, OpenLogin, TokenClaim } from '#server/people/players/logins.ts';
import { MobileProofs } from '#server/people/players/mobile-proofs.ts';
import type { PlayerContacts } from '#server/people/players/open-contacts.ts';
import type { Passkeys } from '#server/people/players/passkeys.ts';
import { hashPassword, verifyPassword } from '#server/people/players/passwords.ts';
import { DEMO_PREFIX, type Player } from '#server/people/players/player.ts';
import { PlayerStore } from '#server/people/players/player-store.ts';
import type { Grant, LoginAnswer, Players, Tokens, Visitor } from '#server/people/players/players.ts';
import { Preferences } from '#server/people/players/preferences.ts';
import { Registrations } from '#server/people/players/registrations.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { limitIn } from '#values/currencies.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DEMO_GRANT_MINOR } from '#values/house-limits.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';
import { nameKey } from '#values/name-key.ts';
import { poolOf } from '#values/pools.ts';

interface PlayersParts extends PlayerContacts {
	exchange: Exchange;
	players: PlayerStore;
	preferences: Preferences;
	logins: LoginStore;
	attempts: LoginAttempts;
	locks: LoginLocks;
	apiKeys: ApiKeys;
	apiSessions: ApiSessions;
	passkeys: Passkeys;
	authenticators: Authenticators;
	registrations: Registrations;
	mobileProofs: MobileProofs;
	clients: BackEndClients;
	throttle: LoginThrottle;
	countries: AddressCountries;
	exclusionLists: ExclusionLists;
	devices: KnownDevices;
	clock: () => number;
	onRegistered: (registered: { playerId: PlayerId; brand: Brand; mobile: string }) => Promise<void>;
	admitBot: (playerId: PlayerId) => void;
}

/** Of a name on a brand, whether or not it has an account. */
const accountOf = (host: string, name: string): string => `${host}|${nameKey(name)}`;
const deviceOwner = ({ playerId: id, passwordHash }: Player): DeviceOwner => ({ id, passwordHash });

export class PlayerAccounts implements Players {
	readonly apiKeys: ApiKeys;
	readonly apiSessions: ApiSessions;
	readonly passkeys: Passkeys;
	readonly authenticators: Authenticators;
	readonly addresses: PlayerContacts['addresses'];
	readonly resets: PlayerContacts['resets'];
	readonly #parts: PlayersParts;

	constructor(parts: PlayersParts) {
		this.#parts = parts;
		this.apiKeys = parts.apiKeys;
		this.apiSessions = parts.apiSessions;
		this.passkeys = parts.passkeys;
		this.authenticators = parts.authenticators;
		this.addresses = parts.addresses;
		this.resets = parts.resets;
	}

	find(accessToken: string, brand: string): Login | null {
		return this.#parts.logins.find(accessToken, brand);
	}

	claimOf(accessToken: string): TokenClaim | null {
		return this.#parts.logins.claimOf(accessToken);
	}

	claimed(claim: TokenClaim, brand: string): Login | null {
		return this.#parts.logins.claimed(claim, brand);
	}

	isOpen(loginId: string) {
		return this.#parts.logins.isOpen(loginId);
	}

	admitMoney(loginId: string, idleMinutes: number | null): void {
		this.#parts.logins.admitMoney(loginId, idleMinutes);
	}

	freshCountries(): Promise<void> | null {
		return this.#parts.countries.fresh();
	}

	countryOf(
		{ brand, address, country = null }: Pick<Visitor, 'brand' | 'address' | 'country'>,
		loginId: string | null,
	): string | null {
		const { countries, exchange, logins } = this.#parts;
		const { source, flagsProxies } = rulesAt(brand.setting, () => exchange.now()).location;
		if (source === 'none') return country;
		const known = countries.of(address);
		const located = known === null || (flagsProxies && known.isProxy) ? null : known.country;
		if (loginId !== null) logins.noteCountry(loginId, located);
		return located;
	}

	countryOfLogin(loginId: string, { setting }: Pick<Brand, 'setting'>, atLaunch: string | null): string | null {
		const { source, everyMinutes } = rulesAt(setting, () => this.#parts.exchange.now()).location;
		return source === 'none' ? atLaunch : this.#parts.logins.countryWithin(loginId, everyMinutes);
	}

	get asksRegisters(): boolean {
		return this.#parts.exclusionLists.asksRegisters;
	}

	freshExclusion(login: Pick<Login, 'playerId' | 'pool'>, brand: Brand): Promise<void> | null {
		return this.#parts.exclusionLists.fresh(login, brand);
	}

	listedIn(playerId: PlayerId, list: string): 'LISTED' | 'FREE' | null {
		return this.#parts.exclusionLists.of(playerId, list);
	}

	loginsOf(playerId: PlayerId): OpenLogin[] {
		return [...this.#parts.logins.list(playerId), ...this.#parts.apiSessions.list(playerId)];
	}

	async endLogins(playerId: PlayerId, loginId: string | null): Promise<number> {
		const { logins, apiSessions } = this.#parts;
		const ended = logins.of(playerId).filter((login) => loginId === null || login.loginId === loginId);
		await logins.end(ended, 'ENDED_BY_OPERATOR');
		return ended.length + (await apiSessions.endOf(playerId, loginId));
	}

	async erase(playerId: PlayerId, by: { actor: string; address: string }): Promise<void> {
		const { players, apiKeys } = this.#parts;
		await this.#parts.changes.take(playerId, async () => {
			for (const { keyId } of apiKeys.of(playerId)) await apiKeys.revoke(playerId, keyId, by.address);
			await players.erase(this.#player(playerId), by);
			this.addresses.forget(playerId);
			await this.endLogins(playerId, null);
		});
	}

	isErased(playerId: PlayerId): boolean {
		return this.#player(playerId).userName === erasedName(playerId);
	}

	async authenticate(input: Parameters<Players['authenticate']>[0], visitor: Visitor): Promise<LoginAnswer> {
		const { authenticators } = this.#parts;
		const player = await this.#identified(input.userNameOrEmailAddress, input.password, visitor, {
			showsFactor: ({ playerId }) => authenticators.admits(playerId, input.code ?? null, visitor.address),
		});
		return await this.#open(player, visitor, input.rememberClient ?? true);
	}

	async authenticateWithPasskey(
		{ response, rememberClient }: Parameters<Players['authenticateWithPasskey']>[0],
		visitor: Visitor,
	): Promise<LoginAnswer> {
		const { passkeys, players, locks } = this.#parts;
		const shown = await passkeys.shown(response, visitor);
		const player = shown && players.byId(shown.playerId);
		if (!player) throw new Refused('WRONG_KEY');
		if (locks.isLocked(player.playerId)) throw new Refused('ACCOUNT_LOCKED');
		return await this.#parts.changes.take(player.playerId, async () => {
			// The key may have been removed since it was shown.
			if (!(await passkeys.isThere(player.playerId, shown.keyId))) throw new Refused('WRONG_KEY');
			return await this.#open(player, visitor, rememberClient ?? true);
		});
	}

	async renamePasskey(
		{ playerId }: Login,
		renamed: { keyId: string; name: string },
		{ address }: Visitor,
	): Promise<void> {
		const { passkeys, changes } = this.#parts;
		await changes.take(playerId, () => passkeys.rename(playerId, renamed, { actor: 'player', address }));
	}

	async removePasskey(login: Login, keyId: string, { address }: Visitor): Promise<void> {
		const { passkeys } = this.#parts;
		await this.#parts.changes.take(login.playerId, async () => {
			await passkeys.remove(login.playerId, keyId, { actor: 'player', address });
			await this.#endOthers(login);
		});
	}

	async removeAuthenticator(login: Login, code: string, { address }: Visitor): Promise<void> {
		await this.#parts.authenticators.remove(login.playerId, code, address);
		await this.#endOthers(login);
	}

	async resetFactors(playerId: PlayerId, by: { actor: string; address: string | null }): Promise<void> {
		const { passkeys, authenticators } = this.#parts;
		this.#player(playerId);
		await this.#parts.changes.take(playerId, async () => {
			for (const { keyId } of await passkeys.of(playerId)) await passkeys.remove(playerId, keyId, by);
			await authenticators.reset(playerId, by);
			await this.endLogins(playerId, null);
		});
	}

	/** What was opened by a factor that the player does not trust any more. */
	async #endOthers({ playerId, loginId }: Login): Promise<void> {
		const { logins } = this.#parts;
		await logins.end(logins.of(playerId, loginId), 'FACTOR_REMOVED');
	}

	async authenticateBot(
		{ userName, password, appKey }: { userName: string; password: string; appKey: string },
		visitor: Visitor,
	): Promise<string> {
		const { attempts, apiKeys, apiSessions } = this.#parts;
		const named = apiKeys.find(appKey);
		// A bot keeps no cookies. It presents a key of its player, from an allowed address: it is no stranger.
		const ownKeyOf = (player: Player | undefined) =>
			named && named.playerId === player?.playerId && apiKeys.allows(named, visitor.address)
				? `key ${named.keyId}`
				: null;
		const player = await this.#identified(userName, password, visitor, { keyOf: ownKeyOf });
		// Some clients send their own name here instead of an app key. Their calls name the key, whose rights apply.
		const keys = named ? [named] : apiKeys.of(player.playerId);
		const own = keys.filter(({ playerId }) => playerId === player.playerId);
		const key = own.find((one) => apiKeys.allows(one, visitor.address));
		if (own.length === 0) throw new Refused('WRONG_CREDENTIALS');
		if (!key) throw new Refused('FORBIDDEN');
		this.#parts.admitBot(player.playerId);
		await this.#parts.exclusionLists.loggingIn(player, visitor.brand);
		const token = await apiSessions.open(key, player);
		await attempts.add(player, visitor.address, true);
		return token;
	}

	/**
	 * The player with that name and password. A bot shows no second factor: its app key is one.
	 * @throws Refused WRONG_CREDENTIALS, WRONG_CODE, CODE_NEEDED, THROTTLED, ACCOUNT_LOCKED
	 */
	async #identified(
		name: string,
		password: string,
		visitor: Visitor,
		{
			keyOf = () => null,
			showsFactor = async () => true,
		}: {
			/** The identification of the attempt instead of a known device. */
			keyOf?: (player: Player | undefined) => string | null;
			/** Whether the second factor is right, asked after the password was. */
			showsFactor?: (player: Player) => Promise<boolean>;
		},
	): Promise<Player> {
		const { attempts, throttle, devices, locks } = this.#parts;
		const { host } = visitor.brand;
		const player = this.addresses.named(name, host);
		const tried = {
			account: accountOf(host, player?.userName ?? name),
			address: visitor.address,
			deviceId: devices.find(player && deviceOwner(player), visitor.cookies) ?? keyOf(player),
		};
		throttle.begin(tried);
		const ended = locks.begin(player?.playerId ?? null, tried.account, visitor);
		let isRight: boolean | null = null;
		let isPasswordRight = false;
		try {
			const stored = player?.passwordHash ?? null;
			// The password may have changed while this one was hashed.
			isPasswordRight = (await verifyPassword(password, stored)) && player?.passwordHash === stored;
			// A missing code is neither right nor wrong; a wrong one counts as a wrong password does.
			isRight = isPasswordRight && player ? await showsFactor(player) : false;
		} finally {
			await ended(isRight);
		}
		if (!player || !isRight) {
			await attempts.add({ playerId: player?.playerId ?? null, brand: host }, visitor.address, false);
			throw new Refused(isPasswordRight ? 'WRONG_CODE' : 'WRONG_CREDENTIALS');
		}
		throttle.succeed(tried);
		return player;
	}

	async loginAsDemoUser(visitor: Visitor): Promise<LoginAnswer> {
		const { players, exchange } = this.#parts;
		const playerId = players.nextId();
		const { setting } = visitor.brand;
		const player: Player = {
			playerId,
			brand: visitor.brand.host,
			userName: `${DEMO_PREFIX}${playerId.toString(36)}`,
			passwordHash: null,
			isDemo: true,
			pool: poolOf('DEMO', setting.currency),
			stakes: null,
			language: null,
		};
		await players.add(player);
		await exchange.submit(
			{
				kind: 'grant-coins',
				grantId: playerId,
				walletId: playerId,
				amount: limitIn(setting.currency, DEMO_GRANT_MINOR),
			},
			{ walletId: playerId, clientRequestId: 'demo-grant', body: 'demo-grant' },
		);
		return await this.#open(player, visitor, true);
	}

	refresh(refreshToken: string, visitor: Visitor): Promise<Tokens> {
		return this.#parts.logins.refresh(refreshToken, visitor.brand.host, visitor.address);
	}

	secondsLeft(accessToken: string, visitor: Visitor): number {
		const { logins, clock } = this.#parts;
		const login = logins.find(accessToken, visitor.brand.host);
		return login ? Math.floor((login.expiresAtMs - clock()) / 1000) : 0;
	}

	async logoutElsewhere({ playerId, loginId }: Login): Promise<number> {
		const { logins } = this.#parts;
		const others = logins.of(playerId, loginId);
		await logins.end(others, 'LOGGED_OUT');
		return others.length;
	}

	logout(login: Login): Promise<void> {
		return this.#parts.logins.end([login], 'LOGGED_OUT');
	}

	async checkPassword(login: Login, password: string): Promise<void> {
		const { throttle } = this.#parts;
		const { passwordHash } = this.#player(login.playerId);
		if (passwordHash === null) throw new Refused('FORBIDDEN');
		// A guess through a stolen login counts for that login. Attempts of strangers do not slow it down.
		throttle.beginOf(login.loginId);
		if (!(await verifyPassword(password, passwordHash))) throw new Refused('WRONG_PASSWORD');
		throttle.succeedOf(login.loginId);
	}

	async confirmPassword(login: Login, password: string, visitor: Visitor): Promise<void> {
		const { locks, logins } = this.#parts;
		const { playerId, userName, brand } = login;
		const ended = locks.begin(playerId, accountOf(brand, userName), visitor);
		let isRight: boolean | null = null;
		try {
			await this.checkPassword(login, password);
			isRight = true;
		} catch (error) {
			if (error instanceof Refused && error.code === 'WRONG_PASSWORD') isRight = false;
			throw error;
		} finally {
			await ended(isRight);
		}
		await logins.confirm(login.loginId);
	}

	async sendUnlockCode(name: string, visitor: Visitor): Promise<void> {
		const player = this.addresses.named(name, visitor.brand.host);
		await this.#parts.locks.sendCode(player ?? null, name, visitor);
	}

	async unlock(name: string, otp: string, visitor: Visitor): Promise<void> {
		const player = this.addresses.named(name, visitor.brand.host);
		await this.#parts.locks.unlockByCode(player?.playerId ?? null, { name, otp }, visitor);
	}

	isLocked(playerId: PlayerId): boolean {
		return this.#parts.locks.isLocked(playerId);
	}

	async unlockByOperator(playerId: PlayerId, by: { actor: string; address: string | null }): Promise<void> {
		await this.#parts.locks.unlock(playerId, by);
	}

	async changePassword(
		login: Login,
		passwords: { currentPassword: string; newPassword: string },
		visitor: Visitor,
	): Promise<void> {
		// Of several at once, the first invalidates the old password for the others.
		await this.#parts.changes.take(login.playerId, () => this.#changePassword(login, passwords, visitor));
	}

	async #changePassword(
		login: Login,
		{ currentPassword, newPassword }: { currentPassword: string; newPassword: string },
		visitor: Visitor,
	): Promise<void> {
		const { players, logins, devices } = this.#parts;
		await this.checkPassword(login, currentPassword);
		const player = this.#player(login.playerId);
		if (isCommonPassword(newPassword, player.userName)) throw new Refused('PASSWORD_TOO_COMMON');
		await players.setPasswordHash(player, await hashPassword(newPassword), visitor.address);
		await this.#parts.resets.forget(player.playerId);
		devices.welcome(deviceOwner(player), visitor.cookies);
		await logins.end(logins.of(player.playerId, login.loginId), 'PASSWORD_CHANGED');
	}

	register(form: Parameters<Players['register']>[0], visitor: Visitor) {
		return this.#parts.registrations.begin(form, visitor);
	}

	async verify(who: Parameters<Players['verify']>[0], visitor: Visitor): Promise<LoginAnswer> {
		const player = await this.#parts.registrations.complete(who, visitor);
		const { brand } = visitor;
		await this.#noteDevice(player, visitor);
		await this.#parts.onRegistered({ playerId: player.playerId, brand, mobile: who.mobile });
		return await this.#open(player, visitor, true);
	}

	resendCode(who: Parameters<Players['resendCode']>[0], visitor: Visitor): Promise<void> {
		return this.#parts.registrations.resend(who, visitor);
	}

	async sendMobileCode(
		login: Login,
		{ mobile, password }: Parameters<Players['sendMobileCode']>[1],
		visitor: Visitor,
	): Promise<{ mobile: string }> {
		const given = await this.#parts.mobileProofs.mobileFor(login.playerId, mobile ?? null);
		if (given.isOther) {
			if (password === undefined) throw new Refused('WRONG_PASSWORD');
			await this.checkPassword(login, password);
		}
		return await this.#parts.mobileProofs.send(login.playerId, given.mobile, visitor);
	}

	proveMobile(playerId: PlayerId, otp: string, visitor: Visitor): Promise<void> {
		return this.#parts.mobileProofs.prove(playerId, otp, visitor);
	}

	loginAttempts(playerId: PlayerId, filter: Parameters<Players['loginAttempts']>[1]) {
		return this.#parts.attempts.of(playerId, filter);
	}

	async createAuthorizationCode(login: Login, { clientId, redirectUri }: { clientId: string; redirectUri: string }) {
		const code = await this.#parts.clients.issue(login, clientId, redirectUri);
		return { code, expireInSeconds: CODE_SECONDS };
	}

	async exchangeCode(grant: Grant, visitor: Visitor): Promise<Tokens & { userId: string }> {
		const { clients, logins } = this.#parts;
		const codeDigest = secretHash(grant.code);
		const { endsWithLogin } = await clients.authenticate(grant);
		const issued = clients.spend(grant, visitor.brand.host);
		if (!issued) {
			// Of two uses of a code, one is a thief's (RFC 6749, 4.1.2). The login ends for both.
			await logins.endOfCode(codeDigest, visitor.address);
			throw new Refused('WRONG_GRANT');
		}
		const { playerId, loginId } = issued;
		// After a log-out no back end may act for the player.
		if (!logins.isOpen(loginId)) throw new Refused('WRONG_GRANT');
		const parentLoginId = endsWithLogin ? loginId : null;
		const tokens = await logins.open(this.#player(playerId), false, { grant: { codeDigest, parentLoginId } });
		if (issued.usedAgain) {
			await logins.endOfCode(codeDigest, visitor.address);
			throw new Refused('WRONG_GRANT');
		}
		return { ...tokens, userId: String(playerId) };
	}

	user(playerId: PlayerId) {
		return this.#parts.players.view(playerId);
	}

	async setStakes(playerId: PlayerId, stakes: Parameters<Players['setStakes']>[1]) {
		await this.#parts.players.setStakes(this.#player(playerId), stakes);
		return stakes;
	}

	async setLanguage(playerId: PlayerId, language: Language) {
		await this.#parts.players.setLanguage(this.#player(playerId), language);
	}

	setPreferences(...[playerId, change]: Parameters<Players['setPreferences']>) {
		return this.#parts.preferences.change(playerId, change);
	}

	async createPlayer(input: Parameters<Players['createPlayer']>[0]) {
		const { players } = this.#parts;
		if (players.byName(input.userName, input.brand.host)) throw new Refused('NAME_TAKEN');
		const player: Player = {
			playerId: players.nextId(),
			brand: input.brand.host,
			userName: input.userName.trim(),
			passwordHash: await hashPassword(input.password),
			isDemo: false,
			pool: input.pool ?? input.brand.pool,
			stakes: null,
			language: null,
		};
		await players.add(player);
		return { playerId: player.playerId, pool: player.pool };
	}

	findPlayer(userName: string, brandHost: string) {
		const player = this.#parts.players.byName(userName, brandHost);
		return player ? { playerId: player.playerId, pool: player.pool } : null;
	}

	brandOf(playerId: PlayerId): string | null {
		return this.#parts.players.byId(playerId)?.brand ?? null;
	}

	nameOf(playerId: PlayerId): string | null {
		return this.#parts.players.byId(playerId)?.userName ?? null;
	}

	languageOf(playerId: PlayerId): Language | null {
		return this.#parts.players.byId(playerId)?.language ?? null;
	}

	createClient(name: string, brandHost: string, redirectUri: string, endsWithLogin = false) {
		return this.#parts.clients.add({ name, brand: brandHost, redirectUri, endsWithLogin });
	}

	#player(playerId: PlayerId): Player {
		const player = this.#parts.players.byId(playerId);
		if (!player) throw new Refused('UNKNOWN_USER');
		return player;
	}

	/**
	 * Accounts that share a browser are linked: bets against each other earn nothing. A demo account has no person, and
	 * its coins meet no other money, so it says nothing about the players of the browser.
	 */
	async #noteDevice(player: Player, { cookies }: Visitor): Promise<void> {
		if (player.isDemo) return;
		const { devices, players } = this.#parts;
		await players.shareDevice(
			player,
			devices.others(deviceOwner(player), cookies, (playerId) => {
				const other = players.byId(playerId);
				return other && deviceOwner(other);
			}),
		);
	}

	async #open(player: Player, visitor: Visitor, remember: boolean): Promise<LoginAnswer> {
		const { logins, attempts, players, devices } = this.#parts;
		const { passwordHash } = player;
		await this.#noteDevice(player, visitor);
		await this.#parts.exclusionLists.loggingIn(player, visitor.brand);
		// A new password ends the logins that are open at that time, and this one is not open yet.
		if (player.passwordHash !== passwordHash || this.isErased(player.playerId)) throw new Refused('WRONG_CREDENTIALS');
		const tokens = await logins.open(player, remember, { address: visitor.address });
		const isNewDevice = passwordHash === null ? null : devices.find(deviceOwner(player), visitor.cookies) === null;
		devices.welcome(deviceOwner(player), visitor.cookies);
		const { showsLastLogin } = rulesAt(visitor.brand.setting, () => this.#parts.exchange.now());
		const lastLogin = showsLastLogin ? await attempts.lastLogin(player.playerId) : null;
		await attempts.add({ playerId: player.playerId, brand: player.brand, isNewDevice }, visitor.address, true);
		return {
			...tokens,
			userIp: visitor.address,
			stakes: player.stakes ?? visitor.brand.setting.defaultStakes,
			language: player.language,
			preferences: await this.#parts.preferences.of(player.playerId),
			casinoToken: '',
			domain: visitor.brand.host,
			user: players.view(player.playerId),
			lastLogin,
		};
	}
}
