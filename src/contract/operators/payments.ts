/** Money other than bets: open work for operators, and their decisions. */
import * as v from 'valibot';
import { Amount, SignedAmount } from '#contract/fields.ts';
import { NamedPlayer, ofWorkflow, PlayerOfBrand, REASON_CODES, Reason, SpokenId } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { Preview } from '#contract/operators/proposals.ts';

const Kind = v.pipe(v.string(), v.regex(/^[A-Z_]{1,40}$/, 'A kind is written in capital letters.'));
const NAMED = { kind: Kind, id: SpokenId };
const OnWorkflow = ofWorkflow(v.strictObject(NAMED));
/** The subject of a new dispute; by default the whole undisputed amount. */
const Disputed = v.optional(Amount);
const Event = v.pipe(v.string(), v.maxLength(40));

/** The holder of a payment, and the end of the claim unless it ends earlier. */
export const PaymentClaim = v.object({ holder: v.string(), since: v.string(), until: v.string() });

/** Details of a workflow besides its state; amounts in major units. */
export const WorkflowView = v.looseObject({
	kind: v.string(),
	id: v.string(),
	player: v.nullable(v.string()),
	who: v.nullable(v.string()),
	brand: v.nullable(v.string()),
	pool: v.string(),
	state: v.string(),
	since: v.string(),
	at: v.string(),
	/** The proposer and the decision. */
	proposedEvent: v.nullable(v.string()),
	proposedBy: v.nullable(v.string()),
	/** Null if every member may decide. */
	claim: v.nullable(PaymentClaim),
});

export const paymentQueue = defineOperatorCall({
	permission: 'payments.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({ kind: v.optional(Kind) }),
	response: v.array(WorkflowView),
	summary: 'What waits for a person, the oldest first.',
});

export const paymentShow = defineOperatorCall({
	permission: 'payments.read',
	about: 'workflow',
	looks: true,
	input: OnWorkflow,
	response: v.looseObject({
		...WorkflowView.entries,
		/** The possible decisions now. */
		decisions: v.array(v.object({ event: v.string(), twoPersons: v.boolean() })),
		steps: v.array(v.object({ step: v.number(), to: v.string(), actor: v.string(), at: v.string() })),
		postings: v.array(v.object({ at: v.string(), debit: v.string(), credit: v.string(), amount: v.number() })),
		/** Of a dispute, its payment. */
		payment: v.optional(v.number()),
		/** For a dispute, the evidence sent to the bank; oldest first. */
		evidence: v.optional(v.array(v.object({ atMs: v.number(), by: v.string(), text: v.string() }))),
		/** For a payment, its disputes, in order. */
		disputes: v.array(
			v.object({
				id: v.string(),
				cycle: v.number(),
				state: v.string(),
				amount: v.number(),
				held: v.number(),
				taken: v.number(),
				/** The house's share. */
				rest: v.number(),
				since: v.string(),
				/** The bank's deadline for evidence; null if unknown. */
				deadline: v.nullable(v.string()),
			}),
		),
		/** Payments and deposits with the same bank reference or picture. */
		sameTransfer: v.array(v.object({ kind: v.string(), id: v.string(), state: v.string() })),
		/** It is in the queue, so it can be claimed. */
		waits: v.boolean(),
		/** `payment-receipt` shows it. */
		hasReceipt: v.boolean(),
		/** The progress of OCR on the receipt; null without one, or if it was decided before. */
		reading: v.nullable(v.picklist(['READ', 'NOT_READ_YET', 'TOO_SLOW'])),
	}),
	summary: 'One payment, deposit, withdrawal, adjustment or finding with its steps and postings.',
});

/** Recorded, although it only reads: a receipt has a player's bank data. */
export const paymentReceipt = defineOperatorCall({
	permission: 'payments.read',
	about: 'workflow',
	input: OnWorkflow,
	response: v.object({ image: v.pipe(v.string(), v.description('A data address')) }),
	summary: 'The receipt that a player sent with a deposit.',
});

export const paymentPreview = defineOperatorCall({
	permission: 'payments.read',
	about: 'workflow',
	looks: true,
	input: ofWorkflow(v.strictObject({ ...NAMED, event: Event, amount: Disputed })),
	response: Preview,
	summary: 'What a decision would move.',
});

export const paymentDecide = defineOperatorCall({
	permission: 'payments.decide',
	about: 'workflow',
	input: ofWorkflow(
		v.strictObject({
			...NAMED,
			event: Event,
			reason: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ''),
			amount: Disputed,
		}),
	),
	response: v.object({ kind: v.string(), id: v.string(), state: v.string(), isProposed: v.boolean() }),
	summary: 'Decides about one; some decisions are made by a second member who decides the same.',
});

export const paymentClaim = defineOperatorCall({
	permission: 'payments.decide',
	about: 'workflow',
	input: OnWorkflow,
	response: PaymentClaim,
	summary: 'Claims what waits, so that no other member decides about it; a second call prolongs the claim.',
});

export const paymentRelease = defineOperatorCall({
	permission: 'payments.decide',
	about: 'workflow',
	input: OnWorkflow,
	response: v.object({}),
	summary: 'Lets go of one’s own claim.',
});

export const paymentTakeOver = defineOperatorCall({
	permission: 'payments.take-over',
	about: 'workflow',
	input: ofWorkflow(v.strictObject({ ...NAMED, reason: Reason })),
	response: PaymentClaim,
	summary: 'Claims what another member has claimed.',
});

export const adjust = defineOperatorCall({
	permission: 'payments.adjust',
	about: 'player',
	input: v.strictObject({
		...NamedPlayer.entries,
		amount: SignedAmount,
		reasonCode: v.picklist(REASON_CODES, `A reason code is one of ${REASON_CODES.join(', ')}.`),
		reason: Reason,
	}),
	response: v.object({ kind: v.literal('ADJUSTMENT'), id: v.string(), state: v.string() }),
	summary: 'Requests an adjustment of a balance, which another member approves.',
});

export const addMoney = defineOperatorCall({
	permission: 'payments.adjust',
	about: 'player',
	input: v.strictObject({
		...PlayerOfBrand.entries,
		amount: Amount,
		/** Identifies the grant: a repeated request grants nothing more. */
		grantId: v.pipe(v.number(), v.safeInteger()),
	}),
	response: v.object({ userName: v.string(), added: v.number(), balance: v.number() }),
	summary: 'Gives play money.',
});
