/** Passkeys of players, and the authenticator app as a second factor. */
import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { LoginResult } from '#contract/calls/account.ts';
import { FactorCode, KeyAnswer, KeyName, KeyOptions } from '#contract/factor-fields.ts';
import { Timestamp } from '#contract/fields.ts';
import { GivenPassword } from '#contract/player-rules.ts';

const Factors = v.object({
	/** Oldest first. */
	passkeys: v.array(
		v.object({ keyId: v.string(), name: v.string(), createdAt: Timestamp, lastUsedAt: v.nullable(Timestamp) }),
	),
	/** How many recovery codes are left; null without an authenticator. */
	recoveryCodesLeft: v.nullable(v.number()),
});

export const getFactors = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetFactors',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s passkeys, and whether an authenticator is asked for after the password.',
	request: v.object({}),
	response: Factors,
});

export const beginPasskeyLogin = defineCall({
	method: 'POST',
	path: 'Account/BeginPasskeyLogin',
	auth: 'none',
	whileSuspended: true,
	quiet: true,
	perMinute: 30,
	summary: 'A challenge for any passkey of this site: WebAuthn’s options, as the browser takes them.',
	request: v.strictObject({}),
	response: KeyOptions,
});

export const authenticateWithPasskey = defineCall({
	method: 'POST',
	path: 'Account/AuthenticateWithPasskey',
	auth: 'none',
	whileSuspended: true,
	quiet: true,
	perMinute: 30,
	summary: 'Logs a player in with a passkey, without name, password and code.',
	request: v.strictObject({ response: KeyAnswer, rememberClient: v.optional(v.boolean()) }),
	response: LoginResult,
});

export const beginAddingPasskey = defineCall({
	method: 'POST',
	path: 'Account/BeginAddingPasskey',
	auth: 'player',
	whileSuspended: true,
	quiet: true,
	summary: 'A challenge for a new passkey, for the password: WebAuthn’s options, as the browser takes them.',
	request: v.strictObject({ password: GivenPassword }),
	response: KeyOptions,
});

export const addPasskey = defineCall({
	method: 'POST',
	path: 'Account/AddPasskey',
	auth: 'player',
	whileSuspended: true,
	summary: 'Adds the passkey that the browser made, under a name.',
	request: v.strictObject({ name: KeyName, response: KeyAnswer }),
	response: Factors,
});

export const renamePasskey = defineCall({
	method: 'POST',
	path: 'Account/RenamePasskey',
	auth: 'player',
	whileSuspended: true,
	summary: 'Gives a passkey another name, for the password.',
	request: v.strictObject({ keyId: v.pipe(v.string(), v.maxLength(1400)), name: KeyName, password: GivenPassword }),
	response: Factors,
});

export const removePasskey = defineCall({
	method: 'POST',
	path: 'Account/RemovePasskey',
	auth: 'player',
	whileSuspended: true,
	summary: 'Removes a passkey, for the password, and ends the player’s other logins.',
	request: v.strictObject({ keyId: v.pipe(v.string(), v.maxLength(1400)), password: GivenPassword }),
	response: Factors,
});

export const beginAuthenticator = defineCall({
	method: 'POST',
	path: 'Account/BeginAuthenticator',
	auth: 'player',
	whileSuspended: true,
	summary: 'The secret for an authenticator app, for the password: as text, address and QR code.',
	request: v.strictObject({ password: GivenPassword }),
	response: v.object({ secret: v.string(), uri: v.string(), qr: v.string() }),
});

export const addAuthenticator = defineCall({
	method: 'POST',
	path: 'Account/AddAuthenticator',
	auth: 'player',
	whileSuspended: true,
	summary: 'Sets the authenticator up by its first code; the answer is the only place that has the recovery codes.',
	request: v.strictObject({ code: FactorCode }),
	response: v.object({ recoveryCodes: v.array(v.string()) }),
});

export const removeAuthenticator = defineCall({
	method: 'POST',
	path: 'Account/RemoveAuthenticator',
	auth: 'player',
	whileSuspended: true,
	summary: 'Removes the authenticator, for the password and a code, and ends the player’s other logins.',
	request: v.strictObject({ password: GivenPassword, code: FactorCode }),
	response: Factors,
});
