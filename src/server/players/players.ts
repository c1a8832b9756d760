/** Players and their logins, as the calls see them. */
import type * as v from 'valibot';
import type { getUserLoginAttempts, LoginResult, StakePreset, User } from '#contract/calls/account.ts';
import type { Brand } from '#server/brands/brands.ts';
import type { CookieJar } from '#server/players/known-devices.ts';
import type { Login, Logins } from '#server/players/logins.ts';
import type { Pool } from '#values/pools.ts';

/** The sender of a request: on which brand, from which address, with which cookies. */
export interface Visitor {
	brand: Brand;
	address: string;
	cookies: CookieJar;
}

export interface Tokens {
	accessToken: string;
	refreshToken: string;
	expireInSeconds: number;
}

export type LoginAnswer = v.InferOutput<typeof LoginResult>;
export type UserView = v.InferOutput<typeof User>;
export type Preset = v.InferOutput<typeof StakePreset>;
export type LoginAttemptPage = v.InferOutput<typeof getUserLoginAttempts.response>;
export type LoginAttempt = LoginAttemptPage['items'][number];

/** Validated: the name in NFKC, the mobile as `+91` and ten digits, the password verbatim. */
export interface RegistrationForm {
	userName: string;
	password: string;
	mobile: string;
	/** Empty when there is none. */
	referralCode: string;
}

export interface Registrant {
	userName: string;
	mobile: string;
}

export interface Registered {
	domain: string;
	/** The code itself, on hosts whose brand skips the verification. */
	autoVerifyCode?: string;
}

export interface BackEndClient {
	clientId: string;
	clientSecret: string;
}

/** What a back end shows to get tokens. */
export interface Grant extends BackEndClient {
	redirectUri: string;
	code: string;
}

export interface Players extends Logins {
	/** @throws Refused WRONG_CREDENTIALS, the same and as late for an unknown name as for a wrong password; THROTTLED */
	authenticate(
		input: { userNameOrEmailAddress: string; password: string; rememberClient?: boolean | undefined },
		visitor: Visitor,
	): Promise<LoginAnswer>;
	/** A fresh demo player with a play balance of its own. */
	loginAsDemoUser(visitor: Visitor): Promise<LoginAnswer>;
	/** @throws Refused LOGIN_EXPIRED; a token used before ends the whole login */
	refresh(refreshToken: string, visitor: Visitor): Promise<Tokens>;
	/** Whole seconds an access token is good for on this brand; 0 when it is not. */
	secondsLeft(accessToken: string, visitor: Visitor): number;
	logout(login: Login): Promise<void>;
	/** @throws Refused WRONG_PASSWORD, PASSWORD_TOO_COMMON, THROTTLED, FORBIDDEN for demo players; ends the other logins */
	changePassword(
		login: Login,
		input: { currentPassword: string; newPassword: string },
		visitor: Visitor,
	): Promise<void>;
	/** Does not hold the name. @throws Refused SIGN_UP_CLOSED, PASSWORD_TOO_COMMON, NAME_TAKEN, THROTTLED */
	register(form: RegistrationForm, visitor: Visitor): Promise<Registered>;
	/** Makes the player and logs him in. @throws Refused WRONG_CODE whatever is wrong, NAME_TAKEN, MOBILE_TAKEN */
	verify(who: Registrant & { otp: string }, visitor: Visitor): Promise<LoginAnswer>;
	/** Silent when there is no such registration. @throws Refused THROTTLED */
	resendCode(who: Registrant, visitor: Visitor): Promise<void>;
	/** Newest first; `succeeded` null takes all. */
	loginAttempts(
		playerId: number,
		filter: { succeeded: boolean | null; take: number; skip: number },
	): Promise<LoginAttemptPage>;
	/** @throws Refused WRONG_GRANT */
	createAuthorizationCode(
		login: Login,
		input: { clientId: string; redirectUri: string },
	): Promise<{ code: string; expireInSeconds: number }>;
	/** @throws Refused WRONG_GRANT; a code used before ends the login it gave */
	exchangeCode(grant: Grant, visitor: Visitor): Promise<Tokens & { userId: string }>;
	user(playerId: number): UserView;
	setStakes(playerId: number, stakes: Preset[]): Promise<Preset[]>;
	/** @throws Refused NAME_TAKEN */
	createPlayer(input: {
		userName: string;
		password: string;
		brand: Pick<Brand, 'host' | 'pool'>;
		pool?: Pool;
	}): Promise<{ playerId: number; pool: Pool }>;
	/** The player of that name on a brand, or null. */
	findPlayer(userName: string, brandHost: string): { playerId: number; pool: Pool } | null;
	/** The host of the brand a player belongs to; null for a wallet of no player. */
	brandOf(playerId: number): string | null;
	/** A back end that may exchange codes on a brand, with the secret it is told this once. */
	createClient(
		name: string,
		brandHost: string,
		redirectUri: string,
		/** Whether its tokens die when the player logs out of the login that asked for the code; false by default. */
		endsWithLogin?: boolean,
	): Promise<BackEndClient>;
}
