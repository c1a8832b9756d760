/** Tickets: players' messages and complaints, and their bounds. */

export const TICKET_KINDS = ['MESSAGE', 'COMPLAINT'] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const TICKET_STATES = ['WAITING', 'ANSWERED', 'CLOSED'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

/** What of a player's own a ticket can be about; the words are those of references. */
export const TICKET_SUBJECTS = ['bet', 'round', 'deposit', 'payment', 'withdrawal'] as const;
export type TicketSubjectKind = (typeof TICKET_SUBJECTS)[number];

export interface TicketSubject {
	kind: TicketSubjectKind;
	id: number;
}

export const LONGEST_TOPIC = 100;
export const LONGEST_MESSAGE = 4_000;
/** Tickets that a player opened and that are not closed. */
export const MOST_OPEN_TICKETS = 5;
/** What a player writes in 24 hours, in all tickets. */
export const MOST_MESSAGES_A_DAY = 30;
/** Of one ticket, by both sides. */
export const MOST_MESSAGES = 200;
