import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { ClientRequestId, Money, page, queryPaging, Timestamp } from '#contract/fields.ts';

export const ACTIVITY_KINDS = [
	'LOGIN',
	'DEVICE',
	'ACCOUNT',
	'LIMIT',
	'API_KEY',
	'DEPOSIT',
	'WITHDRAWAL',
	'BET',
	'ROUND',
	'CLAIM',
] as const;
const ActivityKind = v.picklist(ACTIVITY_KINDS);

const ActivityRow = v.object({
	/** Names the row among all rows of the player. */
	id: v.string(),
	at: Timestamp,
	kind: ActivityKind,
	/**
	 * The outcome. LOGIN: SUCCESS or FAILURE. DEVICE: NEW. ACCOUNT, LIMIT, API_KEY: the act, such as
	 * PASSWORD_CHANGED, LIMITS_SET or API_KEY_CREATED. BET: OPEN, ENDED, WON, LOST or VOID. Others: their current
	 * state.
	 */
	what: v.string(),
	/**
	 * The subject: the market of a bet, the game of a round, the name of a key or bonus, the reason for coins;
	 * empty for others.
	 */
	reference: v.string(),
	/** The stake or the amount; null for none. */
	amount: v.nullable(Money),
	/** The address of the request; null if not recorded. */
	userIp: v.nullable(v.string()),
});

export const getActivity = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetActivity',
	auth: 'player',
	whileSuspended: true,
	summary:
		'What happened in the account, newest first: log-ins, devices, limits, deposits, bets, rounds, claims and API keys.',
	request: v.object({
		kind: v.optional(ActivityKind),
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		...queryPaging,
	}),
	response: page(ActivityRow),
});

export const getConfirmedActivity = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetConfirmedActivity',
	auth: 'player',
	whileSuspended: true,
	summary:
		'One row of the activity as it stands, for a receipt (X-Receipt): a deposit that was credited, a withdrawal, a bet or ' +
		'a round; or `settlement-ID`, what the player won or lost in the market of that id.',
	request: v.object({
		id: v.pipe(v.string(), v.regex(/^[a-z]{1,20}-\d{1,15}$/)),
		/** Names the receipt. */
		clientRequestId: ClientRequestId,
	}),
	response: v.object({ ...ActivityRow.entries, kind: v.picklist([...ACTIVITY_KINDS, 'SETTLEMENT']) }),
});
