/** Notifications of browsers (Web Push, RFC 8030). */
import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';

export const PUSH_KINDS = ['MATCHED', 'SETTLED', 'WITHDRAWAL_PAID', 'CASH_OUT', 'GOAL'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

const Endpoint = v.pipe(v.string(), v.url(), v.startsWith('http'), v.maxLength(1000));
const Base64Url = v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(200));

const PushState = v.object({
	/** The server's key (VAPID, RFC 8292), as a browser takes it: base64url. */
	publicKey: v.string(),
	/** Kinds that are switched off. */
	off: v.array(v.picklist(PUSH_KINDS)),
	/** Whether notifications come at night, too: by the brand's zone. */
	atNight: v.boolean(),
	/** How many browsers of the player are subscribed. */
	browsers: v.number(),
	/** Whether the browser that is asked about is subscribed by this login; left out if none is. */
	isSubscribed: v.optional(v.boolean()),
});

export const getPush = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetPush',
	auth: 'player',
	whileSuspended: true,
	summary: 'What the player is notified of, and the key with which a browser subscribes.',
	request: v.object({
		/** The SHA-256 of a browser's endpoint, base64url: the endpoint itself would stand in logs of addresses. */
		browser: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/))),
	}),
	response: PushState,
});

export const subscribePush = defineCall({
	method: 'POST',
	path: 'Account/SubscribePush',
	auth: 'player',
	whileSuspended: true,
	perMinute: 20,
	summary: 'Sends notifications to this browser until its log-in ends.',
	request: v.strictObject({ endpoint: Endpoint, p256dh: Base64Url, auth: Base64Url }),
	response: PushState,
});

export const unsubscribePush = defineCall({
	method: 'POST',
	path: 'Account/UnsubscribePush',
	auth: 'player',
	whileSuspended: true,
	summary: 'Sends no more notifications to this browser.',
	request: v.strictObject({ endpoint: Endpoint }),
	response: PushState,
});

export const setPushChoices = defineCall({
	method: 'POST',
	path: 'Account/SetPushChoices',
	auth: 'player',
	whileSuspended: true,
	summary: 'Switches kinds of notifications on and off, for every browser of the player.',
	request: v.strictObject({
		off: v.pipe(v.array(v.picklist(PUSH_KINDS)), v.maxLength(PUSH_KINDS.length)),
		atNight: v.boolean(),
	}),
	response: PushState,
});
