/** Identity documents of players: pending ones, each one, and its decision. */
import * as v from 'valibot';
import { Id } from '#contract/fields.ts';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { DOCUMENT_KINDS, OF_AGE } from '#values/identity-documents.ts';

const OnDocument = v.strictObject({ playerId: NumberId, documentId: Id });

/** A document without its number and its pictures. */
export const DocumentView = v.object({
	documentId: v.string(),
	playerId: v.string(),
	kind: v.picklist(DOCUMENT_KINDS),
	/** The last characters of the number. */
	masked: v.string(),
	pictures: v.number(),
	state: v.string(),
	at: v.string(),
	decidedAt: v.nullable(v.string()),
	decidedBy: v.nullable(v.string()),
	/** Why it was rejected. */
	reason: v.nullable(v.string()),
});

export const documentQueue = defineOperatorCall({
	permission: 'documents.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			...DocumentView.entries,
			who: v.string(),
			brand: v.string(),
			/** Of the withdrawals that wait for it, in major units. */
			waiting: v.number(),
		}),
	),
	summary: 'Identity documents that wait for a decision, the oldest first.',
});

/** Recorded, although it only reads: a document has a person's data. */
export const documentShow = defineOperatorCall({
	permission: 'documents.read',
	about: 'player',
	input: OnDocument,
	response: v.object({
		number: v.string(),
		/** Data addresses. */
		images: v.array(v.string()),
	}),
	summary: 'The number and the pictures of a player’s document.',
});

export const documentAccept = defineOperatorCall({
	permission: 'documents.decide',
	about: 'player',
	input: v.strictObject({
		...OnDocument.entries,
		/** As stated in the document; the date of birth is not stored. */
		age: v.pipe(v.number(), v.integer(), v.minValue(OF_AGE, 'This player is not of age.'), v.maxValue(120)),
	}),
	response: v.object({ state: v.string() }),
	summary: 'Accepts a document: the player is verified, and withdrawals that wait for it go on.',
});

export const documentReject = defineOperatorCall({
	permission: 'documents.decide',
	about: 'player',
	input: v.strictObject({ ...OnDocument.entries, reason: Reason }),
	response: v.object({ state: v.string() }),
	summary: 'Rejects a document with a reason, which the player reads.',
});
