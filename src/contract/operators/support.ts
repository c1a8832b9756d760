/** Players' messages and complaints: the queue, each one, and the answers. */
import * as v from 'valibot';
import { TicketText, TicketTopic } from '#contract/calls/support.ts';
import { ClientRequestId } from '#contract/fields.ts';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { LANGUAGES } from '#values/languages.ts';
import { TICKET_KINDS, TICKET_STATES, TICKET_SUBJECTS } from '#values/tickets.ts';

const OnTicket = v.strictObject({ playerId: NumberId, ticketId: NumberId });
/** How many messages the member saw: an act on a ticket that was written in since is refused. */
const Seen = v.pipe(v.number(), v.integer(), v.minValue(1));

export const TicketView = v.object({
	ticketId: v.string(),
	playerId: v.string(),
	who: v.string(),
	brand: v.string(),
	kind: v.picklist(TICKET_KINDS),
	topic: v.string(),
	/** A reference of the player's own, such as `bet 7`; null without one. */
	about: v.nullable(v.object({ kind: v.picklist(TICKET_SUBJECTS), id: v.string() })),
	state: v.picklist(TICKET_STATES),
	/** The member of staff who opened it; null for the player. */
	openedBy: v.nullable(v.string()),
	openedAt: v.string(),
	changedAt: v.string(),
	/** Null while nothing is due. */
	dueAt: v.nullable(v.string()),
	isOverdue: v.boolean(),
	assignee: v.nullable(v.string()),
	messages: v.number(),
});

export const ticketQueue = defineOperatorCall({
	permission: 'support.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		closed: v.optional(v.boolean(), false),
		/** All of one player's, open and closed. */
		playerId: v.optional(NumberId),
	}),
	response: v.array(TicketView),
	summary:
		'Players’ messages and complaints that are not closed, soonest due first; those closed last, or all of a player.',
});

export const ticketShow = defineOperatorCall({
	permission: 'support.read',
	about: 'player',
	looks: true,
	input: OnTicket,
	response: v.object({
		...TicketView.entries,
		/** The player's own, or the brand's. */
		language: v.picklist(LANGUAGES),
		/** How many messages the player has read. */
		read: v.number(),
		/** Oldest first; the author is null for the player, the text for a person who was erased. */
		thread: v.array(
			v.object({ number: v.number(), at: v.string(), author: v.nullable(v.string()), text: v.nullable(v.string()) }),
		),
	}),
	summary: 'One message or complaint with all that was written.',
});

const Changed = v.object({ ticketId: v.string(), state: v.picklist(TICKET_STATES) });

export const ticketAnswer = defineOperatorCall({
	permission: 'support.answer',
	about: 'player',
	input: v.strictObject({
		...OnTicket.entries,
		seen: Seen,
		text: TicketText,
		closes: v.optional(v.boolean(), false),
		clientRequestId: ClientRequestId,
	}),
	response: Changed,
	summary: 'Answers a player; an answer is never changed.',
});

export const ticketAssign = defineOperatorCall({
	permission: 'support.answer',
	about: 'player',
	input: v.strictObject({
		...OnTicket.entries,
		/** A member's name; null for no member. */
		to: v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))),
	}),
	response: v.object({ ticketId: v.string(), assignee: v.nullable(v.string()) }),
	summary: 'Says which member looks after a message or complaint.',
});

export const ticketClose = defineOperatorCall({
	permission: 'support.answer',
	about: 'player',
	input: v.strictObject({ ...OnTicket.entries, seen: Seen, reason: Reason }),
	response: Changed,
	summary: 'Closes a message without a further answer; a complaint only after one.',
});

export const ticketReopen = defineOperatorCall({
	permission: 'support.answer',
	about: 'player',
	input: v.strictObject({ ...OnTicket.entries, reason: Reason }),
	response: Changed,
	summary: 'Opens a closed message or complaint again, with a new deadline.',
});

export const ticketOpen = defineOperatorCall({
	permission: 'support.answer',
	about: 'player',
	input: v.strictObject({
		playerId: NumberId,
		topic: TicketTopic,
		text: TicketText,
		clientRequestId: ClientRequestId,
	}),
	response: Changed,
	summary: 'Writes a message to a player, who reads it in the inbox and may answer.',
});
