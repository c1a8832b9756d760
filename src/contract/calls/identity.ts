import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { ClientRequestId, Id, Money, Timestamp } from '#contract/fields.ts';
import { DOCUMENT_KINDS, IDENTITY_REASONS, MOST_DOCUMENT_PICTURES } from '#values/identity-documents.ts';

export const Identity = v.object({
	verifiedAt: v.nullable(Timestamp),
	/** Withdrawals that wait for it, with the reason; null if an operator asked. */
	waiting: v.array(v.object({ id: Id, amount: Money, reason: v.nullable(v.picklist(IDENTITY_REASONS)) })),
	/** When a withdrawal waits until the player is verified; whole major units, null for never. */
	rules: v.object({
		atFirstWithdrawal: v.boolean(),
		aboveWithdrawal: v.nullable(v.number()),
		aboveTotal: v.nullable(v.number()),
	}),
	/** Newest first. */
	documents: v.array(
		v.object({
			id: Id,
			kind: v.picklist(DOCUMENT_KINDS),
			/** The last characters of the number. */
			number: v.string(),
			pictures: v.number(),
			status: v.picklist(['SUBMITTED', 'ACCEPTED', 'REJECTED']),
			submittedAt: Timestamp,
			decidedAt: v.nullable(Timestamp),
			/** Why it was rejected; empty otherwise. */
			reason: v.string(),
		}),
	),
});

export const getIdentity = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetIdentity',
	auth: 'player',
	whileSuspended: true,
	summary: 'Whether the player is verified, what waits for it, and the documents that were sent.',
	request: v.object({}),
	response: Identity,
});

export const submitDocument = defineCall({
	method: 'POST',
	path: 'Account/SubmitDocument',
	auth: 'player',
	perMinute: 10,
	summary: 'Sends a document that proves who the player is: its kind, its number, and stored pictures of it.',
	request: v.strictObject({
		kind: v.picklist(DOCUMENT_KINDS),
		number: v.pipe(
			v.string(),
			v.trim(),
			v.regex(/^(?=(?:.*[A-Za-z0-9]){5})[A-Za-z0-9 /-]{5,24}$/, 'The number has 5 to 24 letters and digits.'),
		),
		imageRefs: v.pipe(
			v.array(Id),
			v.minLength(1, 'Add a picture of the document.'),
			v.maxLength(MOST_DOCUMENT_PICTURES, `At most ${MOST_DOCUMENT_PICTURES} pictures.`),
		),
		clientRequestId: ClientRequestId,
	}),
	response: Identity,
});
