import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, Id } from '#contract/fields.ts';

/** Five megabytes in base64, and the JSON around it. */
const LARGEST_BODY = 7_000_000;

export const storeImage = defineCall({
	method: 'POST',
	path: 'Setting/StoreImage',
	auth: 'player',
	perMinute: 20,
	largestBody: LARGEST_BODY,
	summary: 'Stores a picture of a receipt: JPEG, PNG or WebP, at most 5 MB, which its owner and operators can see.',
	request: v.strictObject({
		/** The file as base64, without a data: prefix. */
		image: v.pipe(
			v.string(),
			v.minLength(16, 'There is no picture.'),
			v.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'The picture is not base64.'),
		),
	}),
	response: v.object({ imageRef: Id, width: v.number(), height: v.number() }),
});

export const getImage = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Setting/GetImage',
	auth: 'player',
	whileSuspended: true,
	summary: 'A picture that the player stored, as base64.',
	request: v.object({ imageRef: Id }),
	response: v.object({ type: v.string(), image: v.string() }),
});

export const readReceipt = defineCall({
	method: 'POST',
	path: 'Setting/ReadReceipt',
	auth: 'player',
	perMinute: 20,
	quiet: true,
	summary:
		'What OCR finds on a stored receipt. It proposes a reference, and never an amount. One that is not read yet can be asked for again.',
	request: v.strictObject({ imageRef: Id, amount: v.optional(Amount) }),
	response: v.object({
		/** Only a picture that was READ can have missing fields; TOO_SLOW: the reading was given up. */
		state: v.picklist(['READ', 'NOT_READ_YET', 'TOO_SLOW']),
		/** Null for none, or more than one. */
		utr: v.nullable(v.string()),
		/** Whether the given amount was found; AMBIGUOUS: with one odd digit in front, which may be the rupee sign. */
		amount: v.nullable(v.picklist(['FOUND', 'AMBIGUOUS', 'NOT_FOUND'])),
	}),
});
