import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { FactorCode } from '#contract/factor-fields.ts';
import { Id, Money, page, queryInteger, Timestamp } from '#contract/fields.ts';
import {
	Credential,
	GivenName,
	GivenPassword,
	Mobile,
	NewPassword,
	NewUserName,
	OneTimeCode,
	ReferralCode,
	RULE_MESSAGES,
} from '#contract/player-rules.ts';
import { LANGUAGES } from '#values/languages.ts';
import { ODDS_FORMATS } from '#values/odds-formats.ts';
import { POOLS } from '#values/pools.ts';
import { THEMES } from '#values/themes.ts';

export const StakePreset = v.object({ title: v.string(), value: Money });

export const User = v.object({
	userId: Id,
	userName: v.string(),
	isDemo: v.boolean(),
	pool: v.picklist(POOLS),
	balance: Money,
	exposure: Money,
	currency: v.string(),
	football: v.boolean(),
	tennis: v.boolean(),
	cricket: v.boolean(),
	kabaddi: v.boolean(),
	horseRacing: v.boolean(),
	trade: v.boolean(),
});

/** How many events a player may have pinned. */
export const MOST_PINNED = 500;
const EventIds = v.pipe(v.array(Id), v.maxLength(MOST_PINNED));

/** The player's display preferences, on every device. */
export const Preferences = v.object({
	/** Ids, in the order in which they were pinned. */
	pinnedEvents: v.array(Id),
	/** Null until the player has chosen. */
	showBalance: v.nullable(v.boolean()),
	showExposure: v.nullable(v.boolean()),
	oddsFormat: v.nullable(v.picklist(ODDS_FORMATS)),
	theme: v.nullable(v.picklist(THEMES)),
});

export const LoginResult = v.object({
	accessToken: v.string(),
	refreshToken: v.string(),
	expireInSeconds: v.number(),
	userIp: v.string(),
	stakes: v.array(StakePreset),
	/** Null until the player has chosen one. */
	language: v.nullable(v.picklist(LANGUAGES)),
	preferences: Preferences,
	casinoToken: v.string(),
	domain: v.string(),
	user: User,
	/** The log-in before this one, where the profile of the brand shows it; null for none. */
	lastLogin: v.nullable(v.object({ at: Timestamp, userIp: v.string() })),
});

export const authenticate = defineCall({
	method: 'POST',
	path: 'Account/Authenticate',
	auth: 'none',
	whileSuspended: true,
	quiet: true,
	summary: 'Logs a player in with a name or an email address and a password.',
	request: v.strictObject({
		userNameOrEmailAddress: GivenName,
		password: GivenPassword,
		/** Of the authenticator, or a recovery code, where CODE_NEEDED was answered. */
		code: v.optional(FactorCode),
		rememberClient: v.optional(v.boolean()),
	}),
	response: LoginResult,
});

export const confirmPassword = defineCall({
	method: 'POST',
	path: 'Account/ConfirmPassword',
	auth: 'player',
	quiet: true,
	summary: 'Shows the password of this login again, which a call that moves money asks for after a time without one.',
	request: v.strictObject({ password: GivenPassword }),
	response: v.null(),
});

export const sendUnlockCode = defineCall({
	method: 'POST',
	path: 'Account/SendUnlockCode',
	auth: 'none',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Sends a code to the proven mobile of a locked account; the answer does not say whether there is one.',
	request: v.strictObject({ userNameOrEmailAddress: GivenName }),
	response: v.null(),
});

export const unlockAccount = defineCall({
	method: 'POST',
	path: 'Account/UnlockAccount',
	auth: 'none',
	whileSuspended: true,
	perMinute: 20,
	summary: 'Unlocks an account by the code that was sent to its mobile; the password is needed as before.',
	request: v.strictObject({ userNameOrEmailAddress: GivenName, otp: OneTimeCode }),
	response: v.null(),
});

export const loginAsDemoUser = defineCall({
	method: 'GET',
	changesState: true,
	path: 'Account/LoginAsDemoUser',
	auth: 'none',
	pool: 'DEMO',
	perMinute: 20,
	quiet: true,
	summary: 'Makes a fresh demo player with a play balance of its own and logs it in.',
	request: v.object({}),
	response: LoginResult,
});

export const refreshToken = defineCall({
	method: 'GET',
	changesState: true,
	path: 'Account/RefreshToken',
	auth: 'none',
	tokenIn: { field: 'refreshToken', kind: 'refresh' },
	perMinute: 120,
	whileSuspended: true,
	summary: 'Exchanges a refresh token for a new pair; a replayed old one ends the whole login.',
	request: v.object({ refreshToken: v.pipe(v.string(), v.minLength(1), v.maxLength(256)) }),
	response: v.object({ accessToken: v.string(), refreshToken: v.string(), expireInSeconds: v.number() }),
});

export const logout = defineCall({
	method: 'POST',
	path: 'Account/Logout',
	auth: 'player',
	whileSuspended: true,
	summary: 'Ends this login at once.',
	request: v.strictObject({}),
	response: v.null(),
});

export const logoutElsewhere = defineCall({
	method: 'POST',
	path: 'Account/LogoutElsewhere',
	auth: 'player',
	whileSuspended: true,
	summary: 'Ends the player’s other logins at once; this one stays.',
	request: v.strictObject({}),
	response: v.object({ ended: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
});

export const setLanguage = defineCall({
	method: 'POST',
	path: 'Account/SetLanguage',
	auth: 'player',
	whileSuspended: true,
	summary: 'Keeps the language that the player chose, for every device.',
	request: v.strictObject({ language: v.picklist(LANGUAGES) }),
	response: v.null(),
});

export const setPreferences = defineCall({
	method: 'POST',
	path: 'Account/SetPreferences',
	auth: 'player',
	whileSuspended: true,
	quiet: true,
	summary:
		'Pins events and takes pins away, keeps whether balance and exposure are shown and the format of odds, for every device.',
	request: v.strictObject({
		pin: v.optional(EventIds),
		unpin: v.optional(EventIds),
		showBalance: v.optional(v.boolean()),
		showExposure: v.optional(v.boolean()),
		oddsFormat: v.optional(v.picklist(ODDS_FORMATS)),
		theme: v.optional(v.picklist(THEMES)),
	}),
	response: Preferences,
});

export const getUserInfo = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetUserInfo',
	auth: 'player',
	whileSuspended: true,
	quiet: true,
	summary: 'The logged-in player again, with balance and exposure.',
	request: v.object({}),
	response: User,
});

export const register = defineCall({
	method: 'POST',
	path: 'Account/Register',
	auth: 'none',
	perMinute: 20,
	summary: 'Begins a registration and sends its one-time code, or answers it where the host verifies by itself.',
	request: v.pipe(
		v.strictObject({
			userName: NewUserName,
			password: NewPassword,
			confirmPassword: v.string(),
			mobile: Mobile,
			referralCode: v.optional(ReferralCode, ''),
		}),
		v.forward(
			v.partialCheck(
				[['password'], ['confirmPassword']],
				({ password, confirmPassword }) => password === confirmPassword,
				RULE_MESSAGES.passwordsDiffer,
			),
			['confirmPassword'],
		),
	),
	response: v.object({ domain: v.string(), autoVerifyCode: v.optional(v.string()) }),
});

/** Identifies a registration. The server uses the request's own domain and ignores this field. */
const Registrant = { userName: NewUserName, mobile: Mobile, domain: v.optional(v.pipe(v.string(), v.maxLength(253))) };

export const verificationUser = defineCall({
	method: 'POST',
	path: 'Account/VerificationUser',
	auth: 'none',
	perMinute: 20,
	summary: 'Ends a registration with its one-time code and logs the new player in.',
	request: v.strictObject({ ...Registrant, otp: OneTimeCode }),
	response: LoginResult,
});

export const resendVerificationCode = defineCall({
	method: 'POST',
	path: 'Account/ResendVerificationCode',
	auth: 'none',
	perMinute: 10,
	summary: 'Sends a new one-time code if such a registration waits for one; the answer does not say whether.',
	request: v.strictObject(Registrant),
	response: v.null(),
});

export const getAccessTokenValidateTime = defineCall({
	method: 'POST',
	path: 'Account/GetAccessTokenValidateTime',
	auth: 'none',
	tokenIn: { field: 'accessToken', kind: 'access' },
	perMinute: 120,
	whileSuspended: true,
	from: 'query',
	summary: 'How many seconds an access token is good for; 0 for one that is not.',
	request: v.object({ accessToken: v.pipe(v.string(), v.minLength(1), v.maxLength(256)) }),
	response: v.object({ secondsLeft: v.number() }),
});

export const getUserLoginAttempts = defineCall({
	method: 'POST',
	path: 'Account/GetUserLoginAttempts',
	auth: 'player',
	whileSuspended: true,
	from: 'query',
	summary: 'The tries to log in as this player, newest first.',
	request: v.object({
		Result: v.optional(v.picklist(['SUCCESS', 'FAILURE'], 'Result must be SUCCESS or FAILURE.')),
		MaxResultCount: v.optional(queryInteger(1, 200), '50'),
		SkipCount: v.optional(queryInteger(0, 1_000_000), '0'),
	}),
	response: page(v.object({ at: Timestamp, result: v.picklist(['SUCCESS', 'FAILURE']), userIp: v.string() })),
});

export const changePassword = defineCall({
	method: 'POST',
	path: 'Account/changePassword',
	auth: 'player',
	whileSuspended: true,
	summary: 'Changes the password and ends the player’s other logins.',
	request: v.pipe(
		v.strictObject({ currentPassword: GivenPassword, newPassword: NewPassword, confirmPassword: v.string() }),
		v.forward(
			v.partialCheck(
				[['newPassword'], ['confirmPassword']],
				({ newPassword, confirmPassword }) => newPassword === confirmPassword,
				RULE_MESSAGES.passwordsDiffer,
			),
			['confirmPassword'],
		),
	),
	response: v.null(),
});

export const createAuthorizationCode = defineCall({
	method: 'POST',
	path: 'Account/CreateAuthorizationCode',
	auth: 'player',
	summary:
		'A code with which a known back end gets tokens for this player at /api/v1/token/token, once, within a minute.',
	request: v.strictObject({
		clientId: Credential,
		redirectUri: Credential,
	}),
	response: v.object({ code: v.string(), expireInSeconds: v.number() }),
});
