import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Id, Timestamp } from '#contract/fields.ts';
import { GivenPassword } from '#contract/player-rules.ts';

/** Limits of app keys. */
export const MOST_API_KEYS = 10;
export const MOST_CALLS_A_SECOND = 100;

/** An app key as shown to its player; the key itself is shown once, at its creation. */
export const ApiKeyView = v.object({
	keyId: Id,
	name: v.string(),
	/** Its last characters. */
	hint: v.string(),
	mayTrade: v.boolean(),
	/** Empty: any address. */
	addresses: v.array(v.string()),
	callsPerSecond: v.number(),
	createdAt: Timestamp,
	/** The last log-in with it. */
	usedAt: v.nullable(Timestamp),
});

const ApiAccess = v.object({ keys: v.array(ApiKeyView) });

export const getApiAccess = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetApiAccess',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s app keys for bots, newest first.',
	request: v.object({}),
	response: ApiAccess,
});

export const createApiKey = defineCall({
	method: 'POST',
	path: 'Account/CreateApiKey',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Makes an app key; the answer is the only place that has the key itself.',
	request: v.strictObject({
		name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
		mayTrade: v.boolean(),
		addresses: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.maxLength(49))), v.maxLength(20)),
		callsPerSecond: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_CALLS_A_SECOND)),
		password: GivenPassword,
	}),
	response: v.object({ appKey: v.string(), key: ApiKeyView }),
});

export const revokeApiKey = defineCall({
	method: 'POST',
	path: 'Account/RevokeApiKey',
	auth: 'player',
	whileSuspended: true,
	summary: 'Revokes an app key: its sessions and its stream connections end within a second.',
	request: v.strictObject({ keyId: Id }),
	response: ApiAccess,
});
