/** The state of the standbys, and the hand-over to one of them. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const standbyStatus = defineOperatorCall({
	permission: 'audit.read',
	about: 'platform',
	looks: true,
	isOwn: true,
	input: v.strictObject({}),
	response: v.object({
		/** The process with the exchange, by its lease. */
		exchange: v.object({
			epoch: v.number(),
			batch: v.number(),
			writesHeartbeats: v.boolean(),
			address: v.nullable(v.string()),
		}),
		standbys: v.array(
			v.object({
				name: v.string(),
				/** A process not seen for a while is silent. */
				state: v.picklist(['joins', 'follows', 'differs', 'silent']),
				/** Its last applied batch; null while it joins. */
				batch: v.nullable(v.number()),
				batchesBehind: v.number(),
				seenSecondsAgo: v.number(),
				/** A detected difference. */
				difference: v.nullable(v.string()),
			}),
		),
		/** The last hand-over of this process; null before. */
		handOver: v.nullable(v.object({ heir: v.string(), state: v.picklist(['under way', 'handed over', 'taken back']) })),
	}),
	summary: 'How far each standby is behind and what it found to differ, and how the last hand-over went.',
});

export const handOver = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	isOwn: true,
	input: v.strictObject({}),
	response: v.object({ handsOverTo: v.string() }),
	summary: 'Lets a standby that follows go on in place of this process, without a refused call.',
});
