/**
 * Changes of tickets. A message is a row that is never changed; the journal has its keyed hash, and not its text, which
 * can be erased. Changes of a player's tickets take turns, so that limits hold and a repeated request writes nothing.
 */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { messagesOf, type TicketMessage, type TicketRow, ticketOf } from '#server/people/support/ticket-rows.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { Act, Journal } from '#server/platform/postgres/journal.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import {
	MOST_MESSAGES,
	MOST_MESSAGES_A_DAY,
	MOST_OPEN_TICKETS,
	type TicketKind,
	type TicketState,
	type TicketSubject,
} from '#values/tickets.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

const SALT_BYTES = 16;

/** A brand's deadlines. */
interface SupportRules {
	/** Of the first answer to a message, and of each further one. */
	answerHours: number;
	/** Of the end of a complaint. */
	complaintDays: number;
}

interface TicketsOptions {
	db: pg.Pool;
	journal: Journal;
	clock: () => number;
	rulesOf: (playerId: PlayerId) => SupportRules;
	/** A ticket changed: the player's inbox and the staff's queue are updated. */
	onChanged: (playerId: PlayerId, ticketId: number) => void;
}

/** The writer of a message: the player, or a member of staff. */
export interface Writer extends Pick<Act, 'actor' | 'address'> {
	isPlayer: boolean;
}

interface NewTicket {
	kind: TicketKind;
	topic: string;
	about: TicketSubject | null;
}

interface NewMessage {
	text: string;
	/** The writer's own name of the request. */
	requestId: string;
}

/** A member's act on a ticket as it was on the screen. */
interface SeenTicket {
	playerId: PlayerId;
	ticketId: number;
	/** How many messages the member saw. */
	seen: number;
}

interface Stored extends NewMessage {
	messageId: number;
	ticketId: number;
}

export class Tickets {
	readonly #options: TicketsOptions;
	/** By player. */
	readonly #turns = new Turns<PlayerId>();

	constructor(options: TicketsOptions) {
		this.#options = options;
	}

	/** @throws Refused NOT_FOUND */
	async find(playerId: PlayerId, ticketId: number): Promise<TicketRow & { thread: TicketMessage[] }> {
		const ticket = await ticketOf(this.#options.db, playerId, ticketId);
		return { ...ticket, thread: await messagesOf(this.#options.db, ticketId) };
	}

	/**
	 * Opens a ticket with its first message. A repeated request opens none.
	 * @returns its id
	 * @throws Refused UNKNOWN_REFERENCE, REQUEST_ID_REUSED; for a player TOO_MANY_TICKETS, THROTTLED
	 */
	async open(playerId: PlayerId, ticket: NewTicket, message: NewMessage, by: Writer): Promise<number> {
		return await this.#turns.take(playerId, async () => {
			const earlier = await this.#earlier(playerId, message, by);
			if (earlier !== null) return earlier;
			if (ticket.about) await this.#checkOwn(playerId, ticket.about);
			if (by.isPlayer) await this.#checkBounds(playerId, true);
			const ticketId = await this.#insertTicket(playerId, ticket, message, by);
			this.#options.onChanged(playerId, ticketId);
			return ticketId;
		});
	}

	/**
	 * Adds the player's message to a ticket, which then waits for the staff. A repeated request adds none.
	 * @throws Refused NOT_FOUND, TICKET_CLOSED, REQUEST_ID_REUSED, THROTTLED
	 */
	async write(playerId: PlayerId, ticketId: number, message: NewMessage, by: Writer): Promise<void> {
		await this.#turns.take(playerId, async () => {
			const ticket = await ticketOf(this.#options.db, playerId, ticketId);
			const earlier = await this.#earlier(playerId, message, by);
			if (earlier === ticketId) return;
			if (earlier !== null) throw new Refused('REQUEST_ID_REUSED');
			if (ticket.state === 'CLOSED') throw new Refused('TICKET_CLOSED');
			await this.#checkBounds(playerId, false);
			await this.#add(ticket, message, by, 'WAITING');
		});
	}

	/**
	 * Adds a member's answer, and closes the ticket if wanted. A repeated request adds none.
	 * @throws Refused NOT_FOUND, TICKET_CLOSED, REQUEST_ID_REUSED; WRONG_STATE if a message was added since the member
	 * looked, so of two members who answer at once, the second one reads the first answer
	 */
	async answer(on: SeenTicket, message: NewMessage, by: Writer, closes: boolean): Promise<void> {
		const { playerId, ticketId, seen } = on;
		await this.#turns.take(playerId, async () => {
			const ticket = await ticketOf(this.#options.db, playerId, ticketId);
			const earlier = await this.#earlier(playerId, message, by);
			if (earlier === ticketId) return;
			if (earlier !== null) throw new Refused('REQUEST_ID_REUSED');
			if (ticket.state === 'CLOSED') throw new Refused('TICKET_CLOSED');
			if (ticket.messageCount !== seen) throw new Refused('WRONG_STATE');
			await this.#add(ticket, message, by, closes ? 'CLOSED' : 'ANSWERED');
		});
	}

	/**
	 * Closes a ticket without a further answer.
	 * @throws Refused NOT_FOUND; WRONG_STATE if a message was added since the member looked, and for a complaint that
	 * has no answer to its last message
	 */
	async close({ playerId, ticketId, seen }: SeenTicket): Promise<void> {
		await this.#change(playerId, ticketId, (ticket) => {
			if (ticket.messageCount !== seen) throw new Refused('WRONG_STATE');
			if (ticket.kind === 'COMPLAINT' && ticket.state === 'WAITING') throw new Refused('WRONG_STATE');
			return { state: 'CLOSED', dueAtMs: null };
		});
	}

	/** The staff look at a closed ticket once more; it is due as if it were new. @throws Refused NOT_FOUND */
	async reopen(playerId: PlayerId, ticketId: number): Promise<void> {
		await this.#change(playerId, ticketId, (ticket) =>
			ticket.state === 'CLOSED'
				? { state: 'WAITING', dueAtMs: this.#newDeadline(ticket, this.#options.clock()) }
				: null,
		);
	}

	/** @param staffId null for no member. @throws Refused NOT_FOUND */
	async assign(playerId: PlayerId, ticketId: number, staffId: number | null): Promise<void> {
		const { db, onChanged } = this.#options;
		const { rowCount } = await db.query('update ticket set assignee_id = $3 where ticket_id = $1 and player_id = $2', [
			ticketId,
			playerId,
			staffId,
		]);
		if (rowCount !== 1) throw new Refused('NOT_FOUND');
		onChanged(playerId, ticketId);
	}

	/** The player has read that many messages; a smaller number changes nothing. @throws Refused NOT_FOUND */
	async read(playerId: PlayerId, ticketId: number, count: number): Promise<void> {
		const { db, onChanged } = this.#options;
		const { readCount } = await ticketOf(db, playerId, ticketId);
		if (count <= readCount) return;
		await db.query(
			`update ticket set read_messages = least(messages, greatest(read_messages, $3))
			 where ticket_id = $1 and player_id = $2`,
			[ticketId, playerId, count],
		);
		onChanged(playerId, ticketId);
	}

	/**
	 * The ticket of a request that was carried out before; null for a new request.
	 * @throws Refused REQUEST_ID_REUSED if it wrote something else
	 */
	async #earlier(playerId: PlayerId, { text, requestId }: NewMessage, by: Writer): Promise<number | null> {
		const { rows } = await this.#options.db.query<{ ticketId: number; text: string | null }>(
			`select ticket_id as "ticketId", text from ticket_message
			 where player_id = $1 and coalesce(author, '') = $2 and request_id = $3`,
			[playerId, authorOf(by) ?? '', requestId],
		);
		const [earlier] = rows;
		if (earlier && earlier.text !== text) throw new Refused('REQUEST_ID_REUSED');
		return earlier?.ticketId ?? null;
	}

	/** @throws Refused UNKNOWN_REFERENCE for what is not the player's */
	async #checkOwn(playerId: PlayerId, { kind, id }: TicketSubject): Promise<void> {
		const own =
			kind === 'bet'
				? { sql: 'select from bet where wallet_id = $1 and bet_id = $2', values: [playerId, id] }
				: {
						sql: 'select from workflow where wallet_id = $1 and id = $2 and kind = $3',
						values: [playerId, id, kind === 'round' ? 'CASINO' : kind.toUpperCase()],
					};
		const { rowCount } = await this.#options.db.query(own.sql, own.values);
		if (rowCount === 0) throw new Refused('UNKNOWN_REFERENCE');
	}

	/** @throws Refused TOO_MANY_TICKETS, THROTTLED */
	async #checkBounds(playerId: PlayerId, isNew: boolean): Promise<void> {
		const { db, clock } = this.#options;
		const { rows } = await db.query<{ open: number; ofToday: number }>(
			`select (select count(*)::int from ticket where player_id = $1 and opened_by is null and state <> 'CLOSED') as open,
			   (select count(*)::int from ticket_message where player_id = $1 and author is null and at > $2) as "ofToday"`,
			[playerId, clock() - DAY_MS],
		);
		const { open = 0, ofToday = 0 } = rows[0] ?? {};
		if (ofToday >= MOST_MESSAGES_A_DAY) throw new Refused('THROTTLED');
		if (isNew && open >= MOST_OPEN_TICKETS) throw new Refused('TOO_MANY_TICKETS');
	}

	async #insertTicket(playerId: PlayerId, ticket: NewTicket, message: NewMessage, by: Writer): Promise<number> {
		const { journal, clock } = this.#options;
		const { kind, topic, about } = ticket;
		const atMs = clock();
		const dueAtMs = by.isPlayer ? this.#newDeadline({ kind, playerId }, atMs) : null;
		return await journal.change(async (client) => {
			const { rows } = await client.query<{ ticketId: number }>(
				`insert into ticket (player_id, kind, topic, about_kind, about_id, opened_at, opened_by, state, due_at, messages,
				   read_messages, changed_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, 0, $6) returning ticket_id as "ticketId"`,
				[
					playerId,
					kind,
					topic,
					about?.kind ?? null,
					about?.id ?? null,
					atMs,
					authorOf(by),
					by.isPlayer ? 'WAITING' : 'ANSWERED',
					dueAtMs,
				],
			);
			const ticketId = rows[0]?.ticketId as number;
			const act = await this.#insertMessage(client, { playerId, ticketId, number: 1, atMs }, message, by);
			return { result: ticketId, act };
		});
	}

	/** @throws Refused THROTTLED for a ticket of very many messages */
	async #add(ticket: TicketRow, message: NewMessage, by: Writer, state: TicketState): Promise<void> {
		const { playerId, ticketId, messageCount } = ticket;
		const { journal, clock, onChanged } = this.#options;
		if (messageCount >= MOST_MESSAGES) throw new Refused('THROTTLED');
		const atMs = clock();
		const dueAtMs =
			state === 'WAITING' ? this.#deadline(ticket, atMs) : state === 'ANSWERED' ? keptDeadline(ticket) : null;
		await journal.change(async (client) => {
			const number = messageCount + 1;
			const act = await this.#insertMessage(client, { playerId, ticketId, number, atMs }, message, by);
			await client.query(
				'update ticket set state = $2, due_at = $3, messages = $4, changed_at = $5 where ticket_id = $1',
				[ticketId, state, dueAtMs, number, atMs],
			);
			return { result: undefined, act };
		});
		onChanged(playerId, ticketId);
	}

	/** @returns the act of the journal */
	async #insertMessage(
		client: pg.PoolClient,
		{ playerId, ticketId, number, atMs }: { playerId: PlayerId; ticketId: number; number: number; atMs: number },
		{ text, requestId }: NewMessage,
		by: Writer,
	): Promise<Act> {
		const salt = randomBytes(SALT_BYTES);
		const digest = createHash('sha256').update(salt).update(text, 'utf8').digest();
		const { rows } = await client.query<Pick<Stored, 'messageId'>>(
			`insert into ticket_message (ticket_id, number, player_id, at, author, request_id, text, salt, digest)
			 values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning message_id as "messageId"`,
			[ticketId, number, playerId, atMs, authorOf(by), requestId, text, salt, digest],
		);
		const row = await this.#options.journal.keep(client, 'ticket_message', rows[0]?.messageId as number);
		const { actor, address } = by;
		const details = { ticketId, number };
		return { actor, address, act: 'TICKET_MESSAGE', subject: `player ${playerId}`, details, row };
	}

	async #change(
		playerId: PlayerId,
		ticketId: number,
		changeOf: (ticket: TicketRow) => { state: TicketState; dueAtMs: number | null } | null,
	): Promise<void> {
		const { db, clock, onChanged } = this.#options;
		await this.#turns.take(playerId, async () => {
			const change = changeOf(await ticketOf(db, playerId, ticketId));
			if (!change) return;
			await db.query('update ticket set state = $2, due_at = $3, changed_at = $4 where ticket_id = $1', [
				ticketId,
				change.state,
				change.dueAtMs,
				clock(),
			]);
			onChanged(playerId, ticketId);
		});
	}

	/**
	 * When the staff have to act on what the player wrote now. A complaint keeps its first deadline, and a message that
	 * already waits its earlier one: writing again delays nothing.
	 */
	#deadline(ticket: TicketRow, atMs: number): number {
		return ticket.dueAtMs ?? this.#newDeadline(ticket, atMs);
	}

	#newDeadline({ kind, playerId }: Pick<TicketRow, 'kind' | 'playerId'>, atMs: number): number {
		const { answerHours, complaintDays } = this.#options.rulesOf(playerId);
		return atMs + (kind === 'COMPLAINT' ? complaintDays * DAY_MS : answerHours * HOUR_MS);
	}
}

const authorOf = ({ isPlayer, actor }: Writer): string | null => (isPlayer ? null : actor);

/** An answered complaint is due until it is closed; an answered message no more. */
const keptDeadline = ({ kind, dueAtMs }: TicketRow): number | null => (kind === 'COMPLAINT' ? dueAtMs : null);
