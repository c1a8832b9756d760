import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { ClientRequestId, Id, page, queryPaging, Timestamp } from '#contract/fields.ts';
import { LONGEST_MESSAGE, LONGEST_TOPIC, TICKET_KINDS, TICKET_STATES, TICKET_SUBJECTS } from '#values/tickets.ts';

/** Plain text: pages show it as it is. Line breaks are the only control characters. */
const plainText = (most: number, empty: string) =>
	v.pipe(
		v.string(),
		v.trim(),
		v.minLength(1, empty),
		v.maxLength(most, `At most ${most} characters.`),
		v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'No control characters.'),
	);

export const TicketTopic = plainText(LONGEST_TOPIC, 'Say in a few words what it is about.');
export const TicketText = v.pipe(
	v.string(),
	v.trim(),
	v.minLength(1, 'Write a message.'),
	v.maxLength(LONGEST_MESSAGE, `At most ${LONGEST_MESSAGE} characters.`),
	v.regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\r\n])*$/u, 'No control characters.'),
);

/** The handler receives the number. */
const TicketId = v.pipe(Id, v.regex(/^\d{1,15}$/, 'The id is not valid.'), v.transform(Number));

/** What of the player's own it is about. */
const About = v.strictObject({
	kind: v.picklist(TICKET_SUBJECTS),
	id: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'The number is digits alone.')),
});

const TicketRow = v.object({
	id: Id,
	kind: v.picklist(TICKET_KINDS),
	topic: v.string(),
	about: v.nullable(v.object({ kind: v.picklist(TICKET_SUBJECTS), id: Id })),
	state: v.picklist(TICKET_STATES),
	openedAt: Timestamp,
	/** When it was last written in, closed or reopened. */
	changedAt: Timestamp,
	/** When an answer is due at the latest, and of a complaint its end; null while nothing is due. */
	dueAt: v.nullable(Timestamp),
	/** Messages that the player has not read. */
	unread: v.number(),
});

export const Ticket = v.object({
	...TicketRow.entries,
	/** Oldest first. */
	messages: v.array(v.object({ number: v.number(), at: Timestamp, isOwn: v.boolean(), text: v.string() })),
});

export const getInbox = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Support/GetInbox',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'The player’s messages and complaints, those changed last first, and how many answers are unread.',
	request: v.object(queryPaging),
	response: v.object({ unread: v.number(), ...page(TicketRow).entries }),
});

export const getTicket = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Support/GetTicket',
	auth: 'player',
	whileSuspended: true,
	summary: 'One of the player’s messages or complaints, with all that was written.',
	request: v.object({ ticketId: TicketId }),
	response: Ticket,
});

export const readTicket = defineCall({
	method: 'POST',
	path: 'Support/ReadTicket',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'Says how many messages of a ticket the player has read; fewer than before change nothing.',
	request: v.strictObject({ ticketId: TicketId, messages: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
	response: v.object({ unread: v.number() }),
});

export const openTicket = defineCall({
	method: 'POST',
	path: 'Support/OpenTicket',
	auth: 'player',
	perMinute: 20,
	whileSuspended: true,
	summary: 'Writes a message or a complaint to the operator, about one of the player’s own bets or payments if wanted.',
	request: v.strictObject({
		kind: v.picklist(TICKET_KINDS),
		topic: TicketTopic,
		text: TicketText,
		about: v.optional(About),
		clientRequestId: ClientRequestId,
	}),
	response: Ticket,
});

export const writeTicket = defineCall({
	method: 'POST',
	path: 'Support/WriteTicket',
	auth: 'player',
	perMinute: 20,
	whileSuspended: true,
	summary: 'Writes once more in a message or complaint that is not closed.',
	request: v.strictObject({ ticketId: TicketId, text: TicketText, clientRequestId: ClientRequestId }),
	response: Ticket,
});
