/** The journal: what operators and accounts did. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const journal = defineOperatorCall({
	permission: 'audit.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({
		actor: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ''),
		subject: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300)), ''),
		act: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ''),
		/** Rows before this one; 0 for the newest. */
		before: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
	}),
	response: v.array(
		v.object({
			seq: v.number(),
			at: v.string(),
			actor: v.string(),
			address: v.nullable(v.string()),
			act: v.string(),
			subject: v.string(),
			details: v.unknown(),
			before: v.unknown(),
			after: v.unknown(),
			outcome: v.string(),
		}),
	),
	summary: 'Rows of the journal, newest first, a page of 200.',
});
