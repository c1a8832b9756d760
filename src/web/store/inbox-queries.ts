/** The player's messages and complaints. A hub message that one of them changed asks for all of it again. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';

export type InboxRow = AnswerOf<'getInbox'>['items'][number];
export type Ticket = AnswerOf<'getTicket'>;

/** The key of all of it. */
export const INBOX = ['player', 'inbox'] as const;
export const INBOX_PAGE = 25;

/** Of the first page also the frame shows how much is unread. */
export const inboxQuery = (skipCount = 0) =>
	queryOptions({
		queryKey: [...INBOX, 'page', skipCount],
		queryFn: ({ signal }) =>
			call('getInbox', { maxResultCount: String(INBOX_PAGE), skipCount: String(skipCount) }, { signal }),
	});

export const ticketQuery = (ticketId: string) =>
	queryOptions({
		queryKey: [...INBOX, 'ticket', ticketId],
		queryFn: ({ signal }) => call('getTicket', { ticketId }, { signal }),
		staleTime: 0,
	});
