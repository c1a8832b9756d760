import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Money, Timestamp } from '#contract/fields.ts';

const Coins = {
	/** The coins of a claim now; zero if none are due. */
	amount: Money,
	/** A balance of at least this amount gets none. */
	floor: Money,
	/** When coins may be claimed again. */
	nextAt: Timestamp,
};

export const getDailyCoins = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetDailyCoins',
	auth: 'player',
	summary: 'The free play coins that the player may fetch today.',
	request: v.object({}),
	response: v.object(Coins),
});

export const claimDailyCoins = defineCall({
	method: 'POST',
	path: 'Account/ClaimDailyCoins',
	auth: 'player',
	perMinute: 30,
	summary: 'Fetches the day’s free play coins, which fill the balance up to a floor.',
	request: v.strictObject({}),
	response: v.object({ ...Coins, given: Money, balance: Money }),
});
