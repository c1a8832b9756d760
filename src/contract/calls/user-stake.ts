import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { StakePreset } from '#contract/calls/account.ts';
import { Money } from '#contract/fields.ts';
import { cleanText } from '#values/clean-text.ts';
import { MAX_AMOUNT_MINOR, minorFromMajor } from '#values/money.ts';

/** A preset as it is saved: a short title and a positive amount. */
export const SavedPreset = v.strictObject({
	title: v.pipe(
		v.string(),
		v.maxLength(200),
		v.transform((text) => cleanText(text)),
		v.minLength(1),
		v.maxLength(12),
	),
	value: v.pipe(
		Money,
		v.check(
			(major) => major > 0 && minorFromMajor(major) !== null && major * 100 <= MAX_AMOUNT_MINOR,
			'The value must be a positive amount.',
		),
	),
});

export const addUserStake = defineCall({
	method: 'POST',
	path: 'UserStake/Add',
	auth: 'player',
	summary: 'Saves the player’s stake presets, 1 to 12 of them.',
	request: v.strictObject({ stakes: v.pipe(v.array(SavedPreset), v.minLength(1), v.maxLength(12)) }),
	response: v.object({ stakes: v.array(StakePreset) }),
});
