/**
 * Support: players' messages and complaints, which are tickets, and what staff answer. This file reads them; `tickets.ts`
 * changes them.
 */
import type pg from 'pg';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { TicketKind, TicketState, TicketSubject, TicketSubjectKind } from '#values/tickets.ts';

type Db = Pick<pg.ClientBase, 'query'>;

export interface TicketRow {
	ticketId: number;
	playerId: PlayerId;
	kind: TicketKind;
	/** Empty once the person was erased. */
	topic: string;
	about: TicketSubject | null;
	openedAtMs: number;
	/** The member of staff; null for a ticket that the player opened. */
	openedBy: string | null;
	state: TicketState;
	dueAtMs: number | null;
	/** The member of staff who looks after it. */
	assignee: string | null;
	messageCount: number;
	/** Messages that the player has read, from the first on. */
	readCount: number;
	/** Messages of the staff after those. */
	unreadCount: number;
	changedAtMs: number;
}

export interface TicketMessage {
	number: number;
	atMs: number;
	/** The member of staff; null for the player. */
	author: string | null;
	/** Null once the person was erased. */
	text: string | null;
}

/** A ticket in the queue, with its player. */
export interface QueuedTicket extends TicketRow {
	userName: string;
	brand: string;
}

const COLUMNS = `ticket_id as "ticketId", ticket.player_id as "playerId", ticket.kind, coalesce(topic, '') as topic,
	about_kind as "aboutKind", about_id as "aboutId", opened_at as "openedAtMs", opened_by as "openedBy", state,
	due_at as "dueAtMs", staff.name as assignee, messages as "messageCount", read_messages as "readCount",
	changed_at as "changedAtMs", (select count(*)::int from ticket_message where ticket_message.ticket_id = ticket.ticket_id
	  and author is not null and number > read_messages) as "unreadCount"`;
const TICKETS = 'ticket left join staff on staff_id = assignee_id';

interface StoredRow extends Omit<QueuedTicket, 'about'> {
	aboutKind: TicketSubjectKind | null;
	aboutId: number | null;
}

const rowOf = ({ aboutKind, aboutId, ...row }: StoredRow): QueuedTicket => ({
	...row,
	about: aboutKind === null || aboutId === null ? null : { kind: aboutKind, id: aboutId },
});

/** @throws Refused NOT_FOUND for a ticket that is not of this player */
export async function ticketOf(db: Db, playerId: PlayerId, ticketId: number): Promise<TicketRow> {
	const { rows } = await db.query<StoredRow>(
		`select ${COLUMNS} from ${TICKETS} where ticket_id = $1 and ticket.player_id = $2`,
		[ticketId, playerId],
	);
	const [row] = rows;
	if (!row) throw new Refused('NOT_FOUND');
	return rowOf(row);
}

/** Oldest first. */
export async function messagesOf(db: Db, ticketId: number): Promise<TicketMessage[]> {
	const { rows } = await db.query<TicketMessage>(
		'select number, at as "atMs", author, text from ticket_message where ticket_id = $1 order by number',
		[ticketId],
	);
	return rows;
}

/** A player's tickets, those changed last first, and how many messages of all of them are unread. */
export async function inboxOf(
	db: Db,
	playerId: PlayerId,
	{ take, skip }: { take: number; skip: number },
): Promise<{ unread: number; totalCount: number; rows: TicketRow[] }> {
	const [counted, found] = await Promise.all([
		db.query<{ unread: number; totalCount: number }>(
			`select count(*)::int as "totalCount", (select count(*)::int from ticket join ticket_message using (ticket_id)
			   where ticket.player_id = $1 and author is not null and number > read_messages) as unread
			 from ticket where player_id = $1`,
			[playerId],
		),
		db.query<StoredRow>(
			`select ${COLUMNS} from ${TICKETS} where ticket.player_id = $1 order by changed_at desc, ticket_id desc limit $2 offset $3`,
			[playerId, take, skip],
		),
	]);
	const { unread = 0, totalCount = 0 } = counted.rows[0] ?? {};
	return { unread, totalCount, rows: found.rows.map(rowOf) };
}

/** Limit of listed tickets. */
const MOST_LISTED = 500;

const LISTED = {
	open: { where: `state <> 'CLOSED'`, order: 'due_at nulls last, ticket_id' },
	closed: { where: `state = 'CLOSED'`, order: 'changed_at desc, ticket_id desc' },
	ofPlayer: { where: 'ticket.player_id = $2', order: 'changed_at desc, ticket_id desc' },
};

/**
 * Tickets of some brands: the open ones, soonest due first, those closed last, or a player's, changed last first.
 * @param brands hosts; null for all
 */
export async function queuedTickets(
	db: Db,
	brands: readonly string[] | null,
	of: 'open' | 'closed' | PlayerId,
): Promise<QueuedTicket[]> {
	const { where, order } = typeof of === 'number' ? LISTED.ofPlayer : LISTED[of];
	const { rows } = await db.query<StoredRow>(
		`select ${COLUMNS}, user_name as "userName", brand from ${TICKETS} join player on player.player_id = ticket.player_id
		 where ${where} and ($1::text[] is null or brand = any ($1)) order by ${order} limit ${MOST_LISTED}`,
		typeof of === 'number' ? [brands, of] : [brands],
	);
	return rows.map(rowOf);
}

/** How many tickets of some brands wait for the staff, and how many are past their deadline. */
export async function countTickets(
	db: Db,
	brands: readonly string[] | null,
	nowMs: number,
): Promise<{ waiting: number; overdue: number }> {
	const { rows } = await db.query<{ waiting: number; overdue: number }>(
		`select count(*) filter (where state = 'WAITING')::int as waiting, count(*) filter (where due_at < $2)::int as overdue
		 from ticket join player using (player_id)
		 where state <> 'CLOSED' and ($1::text[] is null or brand = any ($1))`,
		[brands, nowMs],
	);
	return rows[0] ?? { waiting: 0, overdue: 0 };
}
