import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Money } from '#contract/fields.ts';

export const StakePreset = v.object({ title: v.string(), value: v.number() });

export const User = v.object({
	userId: Id,
	userName: v.string(),
	isDemo: v.boolean(),
	pool: v.picklist(['DEMO', 'PLAY', 'REAL']),
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

export const LoginResult = v.object({
	accessToken: v.string(),
	refreshToken: v.string(),
	expireInSeconds: v.number(),
	userIp: v.string(),
	stakes: v.array(StakePreset),
	casinoToken: v.string(),
	domain: v.string(),
	user: User,
});

export const authenticate = defineCall({
	method: 'POST',
	path: 'Account/Authenticate',
	auth: 'none',
	quiet: true,
	summary: 'Logs a player in with a name or an email address and a password.',
	request: v.strictObject({
		userNameOrEmailAddress: v.pipe(v.string(), v.minLength(1, 'username is a required field'), v.maxLength(256)),
		password: v.pipe(v.string(), v.minLength(1, 'password is a required field'), v.maxLength(256)),
		rememberClient: v.optional(v.boolean()),
	}),
	response: LoginResult,
});

export const loginAsDemoUser = defineCall({
	method: 'GET',
	path: 'Account/LoginAsDemoUser',
	auth: 'none',
	quiet: true,
	summary: 'Makes a fresh demo player with a play balance of its own and logs it in.',
	request: v.object({}),
	response: LoginResult,
});

export const refreshToken = defineCall({
	method: 'GET',
	path: 'Account/RefreshToken',
	auth: 'none',
	summary: 'Exchanges a refresh token for a new pair; a replayed old one ends the whole login.',
	request: v.object({ refreshToken: v.pipe(v.string(), v.minLength(1), v.maxLength(256)) }),
	response: v.object({ accessToken: v.string(), refreshToken: v.string(), expireInSeconds: v.number() }),
});

export const logout = defineCall({
	method: 'POST',
	path: 'Account/Logout',
	auth: 'player',
	summary: 'Ends this login at once.',
	request: v.strictObject({}),
	response: v.null(),
});

export const getUserInfo = defineCall({
	method: 'GET',
	path: 'Account/GetUserInfo',
	auth: 'player',
	quiet: true,
	summary: 'The logged-in player again, with balance and exposure.',
	request: v.object({}),
	response: User,
});
