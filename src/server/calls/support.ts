import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { inboxOf, type TicketRow } from '#server/people/support/ticket-rows.ts';
import type { Writer } from '#server/people/support/tickets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

type RowView = ResultOf<Calls['getInbox']>['items'][number];

function rowView({ ticketId, kind, topic, about, state, dueAtMs, ...ticket }: TicketRow): RowView {
	return {
		id: String(ticketId),
		kind,
		topic,
		about: about && { kind: about.kind, id: String(about.id) },
		state,
		openedAt: isoTime(ticket.openedAtMs),
		changedAt: isoTime(ticket.changedAtMs),
		dueAt: dueAtMs === null ? null : isoTime(dueAtMs),
		unread: ticket.unreadCount,
	};
}

async function ticketView(
	{ tickets }: Parts,
	playerId: PlayerId,
	ticketId: number,
): Promise<ResultOf<Calls['getTicket']>> {
	const { thread, ...ticket } = await tickets.find(playerId, ticketId);
	return {
		...rowView(ticket),
		// The player reads the brand's answers, and not the names of its staff.
		messages: thread.map(({ number, atMs, author, text }) => ({
			number,
			at: isoTime(atMs),
			isOwn: author === null,
			text: text ?? '',
		})),
	};
}

/** @throws Refused FORBIDDEN for a demo player, whom no answer would find again */
function writerOf(caller: Caller): Writer & { playerId: PlayerId } {
	const { playerId, isDemo } = playerOf(caller);
	if (isDemo) throw new Refused('FORBIDDEN');
	return { playerId, actor: 'player', address: caller.visitor.address, isPlayer: true };
}

const UNREAD_ONLY = { take: 0, skip: 0 };

export const supportHandlers = (
	parts: Parts,
): HandlersOf<'getInbox' | 'getTicket' | 'readTicket' | 'openTicket' | 'writeTicket'> => ({
	getInbox: async ({ maxResultCount, skipCount }, caller) => {
		const { playerId } = playerOf(caller);
		const { rows, ...counts } = await inboxOf(parts.db, playerId, { take: maxResultCount, skip: skipCount });
		return { ...counts, items: rows.map(rowView) };
	},
	getTicket: ({ ticketId }, caller) => ticketView(parts, playerOf(caller).playerId, ticketId),
	readTicket: async ({ ticketId, messages }, caller) => {
		const { playerId } = playerOf(caller);
		await parts.tickets.read(playerId, ticketId, messages);
		return { unread: (await inboxOf(parts.db, playerId, UNREAD_ONLY)).unread };
	},
	openTicket: async ({ kind, topic, text, about, clientRequestId }, caller) => {
		const by = writerOf(caller);
		const subject = about ? { kind: about.kind, id: Number(about.id) } : null;
		const message = { text, requestId: clientRequestId };
		const ticketId = await parts.tickets.open(by.playerId, { kind, topic, about: subject }, message, by);
		return await ticketView(parts, by.playerId, ticketId);
	},
	writeTicket: async ({ ticketId, text, clientRequestId }, caller) => {
		const by = writerOf(caller);
		await parts.tickets.write(by.playerId, ticketId, { text, requestId: clientRequestId }, by);
		return await ticketView(parts, by.playerId, ticketId);
	},
});
