/** The health of a process: what an operator would look at, and the drills that were done. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

export const doctor = defineOperatorCall({
	permission: 'audit.read',
	about: 'platform',
	looks: true,
	isOwn: true,
	input: v.strictObject({
		/** The release's files are compared now; otherwise the comparison of the last 24 hours serves. */
		comparesFiles: v.optional(v.boolean(), true),
	}),
	response: v.array(
		v.object({
			name: v.string(),
			/** `warning`: soon a fault, or less safe than it could be. `failing`: act now. */
			state: v.picklist(['ok', 'warning', 'failing']),
			/** What was found. */
			words: v.string(),
			/** What to do; empty when all is well. */
			todo: v.string(),
		}),
	),
	summary:
		'Checks keys, clock, database, archive, standbys, disk, files, certificate, beacon, returns, unknown payouts and drills.',
});

export const noteDrill = defineOperatorCall({
	permission: 'staff.edit',
	about: 'platform',
	input: v.strictObject({
		drill: v.picklist(
			['audit', 'backup', 'restore', 'takeover', 'day-files'],
			'The drill is audit, backup, restore, takeover or day-files.',
		),
	}),
	response: v.null(),
	summary: 'Notes in the journal that a drill was done; the doctor asks for it again when it is too long ago.',
});
