/** Players and their logins, as the calls see them. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type * as v from 'valibot';
import type { getUserLoginAttempts, LoginResult, User } from '#contract/calls/account.ts';
import type { ApiKeys } from '#server/people/players/api-keys.ts';
import type { ApiSessions } from '#server/people/players/api-sessions.ts';
import type { Authenticators } from '#server/people/players/authenticators.ts';
import type { CookieJar } from '#server/people/players/known-devices.ts';
import type { Login, Logins, OpenLogin } from '#server/people/players/logins.ts';
import type { Passkeys } from '#server/people/players/passkeys.ts';
import type { Preset } from '#server/people/players/player.ts';
import type { Preferences } from '#server/people/players/preferences.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Language } from '#values/languages.ts';
import type { Pool } from '#values/pools.ts';

/** The sender of a request: its brand, its address, its cookies. */
export interface Visitor {
	brand: Brand;
	address: string;
	/** Two letters, as a trusted proxy reports it; null if unknown. */
	country?: string | null;
	cookies: CookieJar;
}

export interface Tokens {
	accessToken: string;
	refreshToken: string;
	expireInSeconds: number;
}

export type LoginAnswer = v.InferOutput<typeof LoginResult>;
export type UserView = v.InferOutput<typeof User>;
type LoginAttemptPage = v.InferOutput<typeof getUserLoginAttempts.response>;
export type LoginAttempt = LoginAttemptPage['items'][number];

/** Validated: the name in NFKC, the mobile as `+91` and ten digits, the password verbatim. */
export interface RegistrationForm {
	userName: string;
	password: string;
	mobile: string;
	/** Empty without one. */
	referralCode: string;
}

export interface Registrant {
	userName: string;
	mobile: string;
}

export interface Registered {
	domain: string;
	/** The code itself, where the brand skips the verification. */
	autoVerifyCode?: string;
}

export interface BackEndClient {
	clientId: string;
	clientSecret: string;
}

/** The credentials that a back end exchanges for tokens. */
export interface Grant extends BackEndClient {
	redirectUri: string;
	code: string;
}

/** What is written by mail unless the player switches it off; what guards the account is written always. */
export interface Notices {
	limits: boolean;
	withdrawals: boolean;
	statement: boolean;
}

interface Contact {
	isOffered: boolean;
	/** Null without a proven one. */
	address: string | null;
	/** The one whose code is not given yet; null for none. */
	unproven: string | null;
	notices: Notices;
}

/** Mail addresses of players; a proven one is a contact, and a second name to log in with. */
interface Addresses {
	contact(playerId: PlayerId): Promise<Contact>;
	/**
	 * Sends a code to an address; a later one replaces it. The answer is the same for an address of another account, whose
	 * owner gets a message instead.
	 * @throws Refused FORBIDDEN where no mail is sent, VALIDATION_FAILED, WRONG_STATE for the proven one, NAME_TAKEN if it
	 *   is the name of another account, THROTTLED, OVERLOADED
	 */
	begin(playerId: PlayerId, given: string, visitor: Visitor): Promise<void>;
	/** Proves the address that the latest code was sent to. @throws Refused WRONG_CODE for every cause */
	prove(playerId: PlayerId, otp: string, visitor: Visitor): Promise<void>;
	/** Removes the address, and one that is not proven yet. */
	remove(playerId: PlayerId, visitor: Visitor): Promise<void>;
	/** @throws Refused WRONG_STATE without a proven address */
	setNotices(playerId: PlayerId, notices: Notices): Promise<void>;
}

/** New passwords without the old one. */
interface Resets {
	/**
	 * Sends a code to the proven mail address or mobile; for a name without an account, or without such a contact, it does
	 * nothing. @throws Refused THROTTLED
	 */
	begin(name: string, by: 'MAIL' | 'MOBILE', visitor: Visitor): Promise<void>;
	/**
	 * Sets a new password by the latest code, and ends the player's log-ins.
	 * @throws Refused WRONG_CODE for every cause; PASSWORD_TOO_COMMON
	 */
	finish(name: string, otp: string, newPassword: string, visitor: Visitor): Promise<void>;
}

export interface Players extends Logins {
	/** Resolves when the file of addresses is the present one; null if nothing is to be awaited. */
	freshCountries(): Promise<void> | null;
	/**
	 * Where a visitor is: by the file of addresses where the profile of the brand says so, and else as a trusted proxy
	 * reports it. Null if it is not known, or hidden.
	 * @param loginId notes it for the login
	 */
	countryOf(visitor: Pick<Visitor, 'brand' | 'address' | 'country'>, loginId: string | null): string | null;
	/**
	 * Where the login's last request came from, for a stake that a provider's server asks for: not known any more after
	 * the time of the profile.
	 * @param atLaunch where the player was when the game began; where the profile says nothing, it stands
	 */
	countryOfLogin(loginId: string, brand: Pick<Brand, 'setting'>, atLaunch: string | null): string | null;
	/** Whether a bridge to registers of exclusions is configured. */
	readonly asksRegisters: boolean;
	/** Resolves when the brand's register of exclusions was asked about the player; null if nothing is to be asked. */
	freshExclusion(login: Pick<Login, 'playerId' | 'pool'>, brand: Brand): Promise<void> | null;
	/** What that register last said; null if it is not known any more. */
	listedIn(playerId: PlayerId, list: string): 'LISTED' | 'FREE' | null;
	/**
	 * @throws Refused WRONG_CREDENTIALS, after the same time for an unknown name as for a wrong password; THROTTLED;
	 *   ACCOUNT_LOCKED, for an unknown name, too; with an authenticator CODE_NEEDED without a code, after the right
	 *   password, and WRONG_CODE
	 */
	authenticate(
		input: {
			userNameOrEmailAddress: string;
			password: string;
			/** Of the authenticator, or a recovery code. */
			code?: string | undefined;
			rememberClient?: boolean | undefined;
		},
		visitor: Visitor,
	): Promise<LoginAnswer>;
	/** Proven mail addresses, and new passwords by a code to one of them or to the mobile. */
	readonly addresses: Addresses;
	readonly resets: Resets;
	/** Passkeys, and authenticators as a second factor. */
	readonly passkeys: Passkeys;
	readonly authenticators: Authenticators;
	/**
	 * A passkey has checked its owner, so neither password nor code is asked for.
	 * @throws Refused WRONG_KEY for every cause, ACCOUNT_LOCKED
	 */
	authenticateWithPasskey(
		input: { response: AuthenticationResponseJSON; rememberClient?: boolean | undefined },
		visitor: Visitor,
	): Promise<LoginAnswer>;
	/** @throws Refused UNKNOWN_KEY */
	renamePasskey(login: Login, renamed: { keyId: string; name: string }, visitor: Visitor): Promise<void>;
	/** Ends the player's other logins. @throws Refused UNKNOWN_KEY */
	removePasskey(login: Login, keyId: string, visitor: Visitor): Promise<void>;
	/** Ends the player's other logins. @throws Refused WRONG_STATE without one, WRONG_CODE, THROTTLED */
	removeAuthenticator(login: Login, code: string, visitor: Visitor): Promise<void>;
	/** Removes the authenticator and the passkeys of a player who has lost them, and ends all logins. */
	resetFactors(playerId: PlayerId, by: { actor: string; address: string | null }): Promise<void>;
	/** App keys of bots, and the sessions that they open. */
	readonly apiKeys: ApiKeys;
	readonly apiSessions: ApiSessions;
	/**
	 * Sends a code to the player's mobile, or to another one, while none is proven. Another one takes the password, because
	 * a code to a proven mobile sets a new one.
	 * @throws Refused WRONG_STATE when the mobile is proven, WRONG_PASSWORD, VALIDATION_FAILED without a mobile, THROTTLED
	 */
	sendMobileCode(
		login: Login,
		given: { mobile?: string | undefined; password?: string | undefined },
		visitor: Visitor,
	): Promise<{ mobile: string }>;
	/**
	 * Proves the mobile that the latest code was sent to.
	 * @throws Refused WRONG_CODE for every cause; MOBILE_TAKEN where a mobile has one account
	 */
	proveMobile(playerId: PlayerId, otp: string, visitor: Visitor): Promise<void>;
	/**
	 * Logs a bot in: the password as for `authenticate`, and an app key of the same player.
	 * @returns the session's token
	 * @throws Refused WRONG_CREDENTIALS, THROTTLED; FORBIDDEN from an address that the key does not allow; the reason
	 *   that bars the player
	 */
	authenticateBot(input: { userName: string; password: string; appKey: string }, visitor: Visitor): Promise<string>;
	/** A new demo player with a play balance. */
	loginAsDemoUser(visitor: Visitor): Promise<LoginAnswer>;
	/** @throws Refused LOGIN_EXPIRED; a token that was used before ends the login */
	refresh(refreshToken: string, visitor: Visitor): Promise<Tokens>;
	/** Whole seconds for which an access token is valid on this brand; 0 when it is not. */
	secondsLeft(accessToken: string, visitor: Visitor): number;
	logout(login: Login): Promise<void>;
	/** How many other logins of the player ended. */
	logoutElsewhere(login: Login): Promise<number>;
	/** The player's log-ins on the site, of back ends and of bots. */
	loginsOf(playerId: PlayerId): OpenLogin[];
	/**
	 * Ends a player's log-ins immediately.
	 * @param loginId of one; null for all
	 * @returns how many ended
	 */
	endLogins(playerId: PlayerId, loginId: string | null): Promise<number>;
	/** Erases a player's personal data and ends the log-ins. Repeated, it erases what was written since. */
	erase(playerId: PlayerId, by: { actor: string; address: string }): Promise<void>;
	isErased(playerId: PlayerId): boolean;
	/**
	 * For acts that must be protected against a stolen login. @throws Refused WRONG_PASSWORD, THROTTLED, FORBIDDEN for
	 * demo players
	 */
	checkPassword(login: Login, password: string): Promise<void>;
	/**
	 * The password of a login again: money may move for as long as the profile of the brand says.
	 * @throws Refused WRONG_PASSWORD, THROTTLED, ACCOUNT_LOCKED, FORBIDDEN for demo players
	 */
	confirmPassword(login: Login, password: string, visitor: Visitor): Promise<void>;
	/** Sends a code that unlocks an account to its proven mobile; does nothing for any other name. @throws Refused THROTTLED */
	sendUnlockCode(name: string, visitor: Visitor): Promise<void>;
	/** @throws Refused WRONG_CODE for every cause */
	unlock(name: string, otp: string, visitor: Visitor): Promise<void>;
	/** Whether the account takes no password after too many wrong ones. */
	isLocked(playerId: PlayerId): boolean;
	/** @throws Refused WRONG_STATE for an account that is not locked */
	unlockByOperator(playerId: PlayerId, by: { actor: string; address: string | null }): Promise<void>;
	/**
	 * Ends the player's other logins.
	 * @throws Refused WRONG_PASSWORD, PASSWORD_TOO_COMMON, THROTTLED, FORBIDDEN for demo players
	 */
	changePassword(
		login: Login,
		input: { currentPassword: string; newPassword: string },
		visitor: Visitor,
	): Promise<void>;
	/** Does not reserve the name. @throws Refused SIGN_UP_CLOSED, PASSWORD_TOO_COMMON, NAME_TAKEN, THROTTLED */
	register(form: RegistrationForm, visitor: Visitor): Promise<Registered>;
	/** Creates the player and a login. @throws Refused WRONG_CODE for every cause, NAME_TAKEN, MOBILE_TAKEN */
	verify(who: Registrant & { otp: string }, visitor: Visitor): Promise<LoginAnswer>;
	/** Does nothing when there is no such registration. @throws Refused THROTTLED */
	resendCode(who: Registrant, visitor: Visitor): Promise<void>;
	/** Newest first; `succeeded` null includes all. */
	loginAttempts(
		playerId: PlayerId,
		filter: { succeeded: boolean | null; take: number; skip: number },
	): Promise<LoginAttemptPage>;
	/** @throws Refused WRONG_GRANT */
	createAuthorizationCode(
		login: Login,
		input: { clientId: string; redirectUri: string },
	): Promise<{ code: string; expireInSeconds: number }>;
	/** @throws Refused WRONG_GRANT; a code that its client used before ends the login that it opened */
	exchangeCode(grant: Grant, visitor: Visitor): Promise<Tokens & { userId: string }>;
	user(playerId: PlayerId): UserView;
	setStakes(playerId: PlayerId, stakes: Preset[]): Promise<Preset[]>;
	setLanguage(playerId: PlayerId, language: Language): Promise<void>;
	setPreferences: Preferences['change'];
	/** @throws Refused NAME_TAKEN */
	createPlayer(input: {
		userName: string;
		password: string;
		brand: Pick<Brand, 'host' | 'pool'>;
		pool?: Pool;
	}): Promise<{ playerId: PlayerId; pool: Pool }>;
	/** The player of that name on a brand, or null. */
	findPlayer(userName: string, brandHost: string): { playerId: PlayerId; pool: Pool } | null;
	/** The host of a player's brand; null for a wallet of the house. */
	brandOf(playerId: PlayerId): string | null;
	/** The player's name; null for a wallet of the house. */
	nameOf(playerId: PlayerId): string | null;
	/** The language that the player chose; null without a choice, and for a wallet of the house. */
	languageOf(playerId: PlayerId): Language | null;
	/** Creates a back end that may exchange codes on a brand, and returns its secret this once. */
	createClient(
		name: string,
		brandHost: string,
		redirectUri: string,
		/** Whether its tokens end when the player logs out of the login that requested the code; false by default. */
		endsWithLogin?: boolean,
	): Promise<BackEndClient>;
}
