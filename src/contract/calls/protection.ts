import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, Id, Money, Timestamp } from '#contract/fields.ts';
import { GivenPassword, Mobile, OneTimeCode } from '#contract/player-rules.ts';
import { TIME_OUT_HOURS } from '#values/time.ts';

export const LIMIT_NAMES = [
	'depositDay',
	'depositWeek',
	'depositMonth',
	'lossDay',
	'lossWeek',
	'lossMonth',
	'stake',
] as const;
export const LimitName = v.picklist(LIMIT_NAMES);

const Limit = v.object({
	name: LimitName,
	/** Null: there is none. */
	limit: v.nullable(Money),
	/** Deposited or lost in the period; null for the stake. */
	used: v.nullable(Money),
	/** A pending raise: it takes effect if the player confirms it from then on. */
	raise: v.nullable(v.object({ amount: v.nullable(Money), confirmableFrom: Timestamp })),
});

export const Protection = v.object({
	limits: v.array(Limit),
	/** Whether deposits count by the calendar's days, weeks and months, or in the last 24 hours, 7 and 30 days. */
	depositFrames: v.picklist(['calendar', 'rolling']),
	/**
	 * The player is to be asked for limits: for the first time, before which nothing is deposited, or after months.
	 * SetLimits is the answer; without a limit it leaves them as they are.
	 */
	limitsDue: v.nullable(v.picklist(['FIRST', 'REMINDER'])),
	timeOutUntil: v.nullable(Timestamp),
	excludedUntil: v.nullable(Timestamp),
	closedAt: v.nullable(Timestamp),
	isFrozen: v.boolean(),
	/** The last digits of the mobile; null for a player without one. */
	mobile: v.nullable(v.object({ masked: v.string(), isProven: v.boolean() })),
	/**
	 * Whether limits and breaks also apply to the player's other accounts: a code proved the mobile, or operators
	 * verified the player. Otherwise they apply to this account alone.
	 */
	holdsForAll: v.boolean(),
	/** A choice made with the same mobile elsewhere applies here. Proving the mobile reveals it. */
	isHeldByMobile: v.boolean(),
	realityCheckMinutes: v.number(),
	/** All-time: deposits less withdrawals, wins less losses, and the stakes of matched bets and of rounds. */
	netDeposits: Money,
	netPosition: Money,
	staked: Money,
});

export const getProtection = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetProtection',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s limits and breaks, and how the player stands.',
	request: v.object({}),
	response: Protection,
});

const NewLimit = v.optional(v.nullable(Amount));

export const setLimits = defineCall({
	method: 'POST',
	path: 'Account/SetLimits',
	auth: 'player',
	whileSuspended: true,
	summary: 'Sets limits: a lower one counts at once, a higher one or none after 24 hours and a confirmation.',
	request: v.strictObject({
		...(Object.fromEntries(LIMIT_NAMES.map((name) => [name, NewLimit])) as Record<
			(typeof LIMIT_NAMES)[number],
			typeof NewLimit
		>),
		realityCheckMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(1440))),
	}),
	response: Protection,
});

export const confirmLimit = defineCall({
	method: 'POST',
	path: 'Account/ConfirmLimit',
	auth: 'player',
	summary: 'Confirms a raised limit, a day after it was asked for.',
	request: v.strictObject({ name: LimitName }),
	response: Protection,
});

export const takeTimeOut = defineCall({
	method: 'POST',
	path: 'Account/TakeTimeOut',
	auth: 'player',
	whileSuspended: true,
	summary: 'A break from betting and depositing, from 24 hours to 6 weeks; it cannot be shortened.',
	request: v.strictObject({
		hours: v.pipe(
			v.number(),
			v.integer(),
			v.minValue(TIME_OUT_HOURS.least, 'A break is at least 24 hours long.'),
			v.maxValue(TIME_OUT_HOURS.most),
		),
	}),
	response: Protection,
});

export const excludeSelf = defineCall({
	method: 'POST',
	path: 'Account/ExcludeSelf',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Self-exclusion on every site of the operator; withdrawing stays possible.',
	request: v.strictObject({ months: v.picklist([6, 12, 60]), password: GivenPassword }),
	response: Protection,
});

export const closeAccount = defineCall({
	method: 'POST',
	path: 'Account/CloseAccount',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary: 'Closes the account for betting and depositing; what is in it can be withdrawn.',
	request: v.strictObject({ password: GivenPassword }),
	response: Protection,
});

export const sendMobileCode = defineCall({
	method: 'POST',
	path: 'Account/SendMobileCode',
	auth: 'player',
	whileSuspended: true,
	perMinute: 10,
	summary:
		'Sends a one-time code to the player’s mobile, or to another one, while none is proven. Another one takes the password.',
	request: v.strictObject({ mobile: v.optional(Mobile), password: v.optional(GivenPassword) }),
	response: v.object({ masked: v.string() }),
});

export const proveMobile = defineCall({
	method: 'POST',
	path: 'Account/ProveMobile',
	auth: 'player',
	whileSuspended: true,
	perMinute: 20,
	summary: 'Proves the mobile by the code that was sent to it: limits and breaks hold for all accounts of the mobile.',
	request: v.strictObject({ otp: OneTimeCode }),
	response: Protection,
});

export const getHeldMoney = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetHeldMoney',
	auth: 'player',
	whileSuspended: true,
	summary:
		'Why money is held: each market with its bets and the triggers that wait, each open round of the casino, each withdrawal on its way, each disputed payment.',
	request: v.object({}),
	response: v.object({
		exposure: Money,
		hold: Money,
		bonus: Money,
		markets: v.array(
			v.object({
				marketId: Id,
				eventTitle: v.string(),
				marketName: v.string(),
				held: Money,
				bets: v.array(v.object({ betId: Id, runnerName: v.string(), side: v.string(), liability: Money })),
				/** Bets that wait for a price: their risk is held from their placing on. */
				triggers: v.array(v.object({ triggerId: Id, runnerName: v.string(), side: v.string(), liability: Money })),
			}),
		),
		/** Their stakes left the balance, and are not lost yet. */
		rounds: v.array(v.object({ roundId: Id, game: v.string(), held: Money, since: Timestamp })),
		others: v.array(v.object({ id: Id, kind: v.picklist(['WITHDRAWAL', 'DISPUTE']), held: Money, since: Timestamp })),
	}),
});

export const exportData = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/ExportData',
	auth: 'player',
	whileSuspended: true,
	perMinute: 4,
	summary: 'Everything that is kept of the player, as CSV files.',
	request: v.object({}),
	response: v.object({ files: v.array(v.object({ name: v.string(), csv: v.string() })) }),
});
