/** Acts on players' messages and complaints. */
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { languageOf } from '#server/operators/player-language.ts';
import { type QueuedTicket, queuedTickets } from '#server/people/support/ticket-rows.ts';
import type { Writer } from '#server/people/support/tickets.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

type View = OperatorResult<OperatorCalls['ticket-queue']>[number];

interface OnTicket {
	playerId: string;
	ticketId: string;
}

function view({ ticketId, playerId, about, dueAtMs, ...ticket }: QueuedTicket): View {
	return {
		ticketId: String(ticketId),
		playerId: String(playerId),
		who: ticket.userName,
		brand: ticket.brand,
		kind: ticket.kind,
		topic: ticket.topic,
		about: about && { kind: about.kind, id: String(about.id) },
		state: ticket.state,
		openedBy: ticket.openedBy,
		openedAt: isoTime(ticket.openedAtMs),
		changedAt: isoTime(ticket.changedAtMs),
		dueAt: dueAtMs === null ? null : isoTime(dueAtMs),
		isOverdue: dueAtMs !== null && dueAtMs < Date.now(),
		assignee: ticket.assignee,
		messages: ticket.messageCount,
	};
}

/** @throws Refused UNKNOWN_USER */
function playerNamed({ players }: OperatorOptions, playerId: PlayerId): { userName: string; brand: string } {
	const userName = players.nameOf(playerId);
	if (userName === null) throw new Refused('UNKNOWN_USER');
	return { userName, brand: players.brandOf(playerId) ?? '' };
}

const writerOf = ({ actor, address }: Actor): Writer => ({ actor, address, isPlayer: false });

async function changed({ tickets }: OperatorOptions, { playerId, ticketId }: OnTicket) {
	const { state } = await tickets.find(Number(playerId), Number(ticketId));
	return { ticketId, state };
}

/** @throws Refused UNKNOWN_STAFF */
function memberNamed({ staff }: OperatorOptions, name: string): { staffId: number; name: string } {
	const member = staff.directory.byName(name);
	if (!member) throw new Refused('UNKNOWN_STAFF');
	return member;
}

export const SUPPORT_ACTS: ActsOf<
	'ticket-queue' | 'ticket-show' | 'ticket-answer' | 'ticket-assign' | 'ticket-close' | 'ticket-reopen' | 'ticket-open'
> = {
	'ticket-queue': async ({ closed, playerId }, { db }, { member }) => {
		const of = playerId === undefined ? (closed ? 'closed' : 'open') : Number(playerId);
		return (await queuedTickets(db, member?.brands ?? null, of)).map(view);
	},
	'ticket-show': async ({ playerId, ticketId }, parts) => {
		const { thread, ...ticket } = await parts.tickets.find(Number(playerId), Number(ticketId));
		return {
			...view({ ...ticket, ...playerNamed(parts, ticket.playerId) }),
			language: languageOf(parts, ticket.playerId),
			read: ticket.readCount,
			thread: thread.map(({ number, atMs, author, text }) => ({ number, at: isoTime(atMs), author, text })),
		};
	},
	'ticket-answer': async ({ seen, text, closes, clientRequestId, ...on }, parts, by) => {
		const [playerId, ticketId] = [Number(on.playerId), Number(on.ticketId)];
		const message = { text, requestId: clientRequestId };
		await parts.tickets.answer({ playerId, ticketId, seen }, message, writerOf(by), closes);
		return await changed(parts, on);
	},
	'ticket-assign': async ({ to, ...on }, parts) => {
		const member = to === null ? null : memberNamed(parts, to);
		await parts.tickets.assign(Number(on.playerId), Number(on.ticketId), member?.staffId ?? null);
		return { ticketId: on.ticketId, assignee: member?.name ?? null };
	},
	'ticket-close': async ({ seen, ...on }, parts) => {
		await parts.tickets.close({ playerId: Number(on.playerId), ticketId: Number(on.ticketId), seen });
		return await changed(parts, on);
	},
	'ticket-reopen': async (on, parts) => {
		await parts.tickets.reopen(Number(on.playerId), Number(on.ticketId));
		return await changed(parts, on);
	},
	'ticket-open': async ({ topic, text, clientRequestId, ...on }, parts, by) => {
		const playerId = Number(on.playerId);
		playerNamed(parts, playerId);
		const ticket = { kind: 'MESSAGE', topic, about: null } as const;
		const message = { text, requestId: clientRequestId };
		const ticketId = await parts.tickets.open(playerId, ticket, message, writerOf(by));
		return await changed(parts, { ...on, ticketId: String(ticketId) });
	},
};
