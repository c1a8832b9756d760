/** Messages to players that left a brand or wait to: mail and texts, without what they say. */
import * as v from 'valibot';
import { DomainName } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';

const Channel = v.picklist(['MAIL', 'SMS']);
export const MESSAGE_STATES = ['WAITING', 'SENT', 'DEAD'] as const;
const MessageId = v.pipe(v.string(), v.uuid('The id of a message is a UUID.'));

export const messageList = defineOperatorCall({
	permission: 'support.read',
	about: 'brand',
	looks: true,
	input: v.strictObject({
		host: DomainName,
		channel: Channel,
		state: v.optional(v.picklist(MESSAGE_STATES)),
		/** Those that are older than that message; the newest by default. */
		before: v.optional(MessageId),
	}),
	response: v.array(
		v.object({
			messageId: v.string(),
			at: v.string(),
			/** Masked. */
			to: v.string(),
			/** Null for a text, which goes to a mobile. */
			userName: v.nullable(v.string()),
			/** What it is about; empty for a text. */
			kind: v.string(),
			/** DEAD was given up. */
			state: v.picklist(MESSAGE_STATES),
			/** When a gateway said that it arrived; null where none says so. */
			deliveredAt: v.nullable(v.string()),
			tries: v.number(),
			nextAt: v.nullable(v.string()),
			/** Why the last attempt failed. */
			reason: v.nullable(v.string()),
			/** Whether it can be sent again: a code that was given up is worth nothing any more. */
			mayRetry: v.boolean(),
		}),
	),
	summary: 'Messages of a brand to its players, newest first, a hundred at once.',
});

export const messageRetry = defineOperatorCall({
	permission: 'support.answer',
	about: 'brand',
	input: v.strictObject({ host: DomainName, channel: Channel, messageId: MessageId }),
	response: v.object({ messageId: v.string() }),
	summary: 'Sends a waiting message now, or again one that was given up.',
});
