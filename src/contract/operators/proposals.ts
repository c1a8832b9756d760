/** Acts that one member proposes and another confirms. */
import * as v from 'valibot';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

/** A moved amount, major units. */
export const PreviewLine = v.object({ what: v.string(), who: v.string(), pool: v.string(), amount: v.number() });

/** The effect of a confirmation. */
export const Preview = v.object({
	/** As text, one line each. */
	summary: v.array(v.string()),
	/** The largest movements; `total` counts all of them. */
	lines: v.array(PreviewLine),
	total: v.number(),
	sums: v.array(PreviewLine),
});

export const Proposal = v.object({
	proposalId: v.string(),
	act: v.string(),
	subject: v.string(),
	reason: v.string(),
	input: v.record(v.string(), v.unknown()),
	preview: Preview,
	state: v.picklist(['OPEN', 'APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN']),
	/** The member's name; for a feed's result, "the feed". */
	proposedBy: v.string(),
	isOfFeed: v.boolean(),
	proposedAt: v.string(),
	decidedBy: v.nullable(v.string()),
	decidedAt: v.nullable(v.string()),
	/**
	 * The code of the refusal, once there is one; REPLACED for a result that the feed corrected, RETRACTED for one that
	 * it took back.
	 */
	outcome: v.nullable(v.string()),
	/** While it is applied: the server's current step, and its start. The act is one batch, so it is atomic. */
	progress: v.nullable(v.object({ phase: v.picklist(['CHECKING', 'WRITING']), since: v.string() })),
	/** Whether the requesting member may confirm it. */
	mayConfirm: v.boolean(),
	/** The requesting member would confirm it, but its proposer may not propose it any more: it can be rejected alone. */
	hasProposerLeft: v.boolean(),
	mayWithdraw: v.boolean(),
});

const ActInput = v.record(v.string(), v.unknown());

export const preview = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({ act: v.string(), input: ActInput }),
	response: Preview,
	summary: 'What an act would do, without doing it.',
});

export const propose = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	input: v.strictObject({ act: v.string(), input: ActInput, reason: Reason }),
	/** With the proposing member's half of a password, if the act creates one; shown only once. */
	response: v.object({ ...Proposal.entries, half: v.nullable(v.string()) }),
	summary: 'Proposes an act that needs two persons. The permission of the act decides.',
});

export const confirm = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	input: v.strictObject({ proposalId: NumberId }),
	/** With the answer of the act. */
	response: v.object({ ...Proposal.entries, result: v.unknown() }),
	summary: 'Applies exactly what a proposal showed, or refuses because the state has moved on.',
});

export const withdraw = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	input: v.strictObject({ proposalId: NumberId }),
	response: Proposal,
	summary: 'Takes a proposal back, or rejects one of another member.',
});

export const proposals = defineOperatorCall({
	permission: 'today.read',
	about: 'own-brands',
	looks: true,
	/** With a market, only those about it. */
	input: v.strictObject({ open: v.optional(v.boolean(), true), marketId: v.optional(NumberId) }),
	response: v.array(Proposal),
	summary: 'Proposals, newest first; of those that wait, members’ before feeds’.',
});
