/**
 * Text messages to players. A message is stored first and sent by a gateway later, so that no call waits for another
 * server and a crash loses no message. One that a gateway refuses, or says that it did not deliver, goes to the next
 * gateway. Without a gateway it stays in the table, where operators read it.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { DAY_MS } from '#values/time.ts';

interface TextMessage {
	/** Host of the sending brand. */
	brand: string;
	/** `+91` and ten digits. */
	mobile: string;
	text: string;
}

/**
 * Delivers a message to a mobile, under an id that its receipt names. Resolves when the message was accepted, throws
 * when it was not.
 */
export type SmsGateway = (message: TextMessage & { id: string }) => Promise<void>;

/** A message as one gateway had it. */
interface Attempt {
	messageId: string;
	/** As the row counts it. */
	gateway: number;
}

export interface StoredMessage extends TextMessage {
	at: string;
	/** Null while it is queued, or permanently without a gateway. */
	sentAt: string | null;
	/** Null until a gateway says that it arrived. */
	deliveredAt: string | null;
}

/** A message as operators see it. */
export interface ListedText {
	messageId: string;
	atMs: number;
	mobile: string;
	/** DEAD was given up: tried too often, or too old. */
	state: 'WAITING' | 'SENT' | 'DEAD';
	deliveredAtMs: number | null;
	tries: number;
	reason: string | null;
	mayRetry: boolean;
}

const RETRY_MS = 5000;
const MOST_TRIES = 5;
/** How long messages are kept: a code is valid for ten minutes. */
const KEPT_MS = DAY_MS;
const WORTH_SENDING_MS = 10 * 60_000;
const LISTED = 50;
const A_PAGE = 100;
const LONGEST_REASON = 300;
const A_TURN = 20;

interface UnsentRow extends TextMessage, Attempt {}

interface OutboxOptions {
	db: pg.Pool;
	/** In the order in which they are tried. */
	gateways: readonly SmsGateway[];
	/** Whether gateways say which messages arrived: a text is kept until then. */
	hasReceipts: boolean;
	log: Logger;
	clock?: () => number;
}

export class Outbox {
	readonly #db: pg.Pool;
	readonly #gateways: readonly SmsGateway[];
	readonly #hasReceipts: boolean;
	readonly #log: Logger;
	readonly #clock: () => number;
	#turn: Promise<void> = Promise.resolve();
	#retry: ReturnType<typeof setTimeout> | undefined;
	#stopped = false;

	constructor(options: OutboxOptions) {
		this.#db = options.db;
		this.#gateways = options.gateways;
		this.#hasReceipts = options.hasReceipts;
		this.#log = options.log;
		this.#clock = options.clock ?? Date.now;
	}

	/** Whether messages leave: without a gateway, operators read them. */
	get delivers(): boolean {
		return this.#gateways.length > 0;
	}

	/** Sends the messages that an earlier process left. */
	start(): void {
		this.#sendSoon();
	}

	/** Resolves when the message is stored. */
	async send({ brand, mobile, text }: TextMessage): Promise<void> {
		const now = this.#clock();
		await this.#db.query('delete from outbox where at < $1', [now - KEPT_MS]);
		// A receipt that has not come by now will not send it again.
		await this.#db.query(`update outbox set text = '' where sent_at is not null and text <> '' and at < $1`, [
			now - WORTH_SENDING_MS,
		]);
		await this.#db.query(
			`insert into outbox (message_id, at, brand, mobile, text, tries, sent_at) values ($1, $2, $3, $4, $5, 0, null)`,
			[randomUUID(), now, brand, mobile, text],
		);
		this.#sendSoon();
	}

	/** The latest messages, newest first; the text of a delivered message is deleted. */
	async latest(): Promise<StoredMessage[]> {
		const { rows } = await this.#db.query<
			TextMessage & { at: number; sentAt: number | null; deliveredAt: number | null }
		>(
			`select at, brand, mobile, text, sent_at as "sentAt", delivered_at as "deliveredAt" from outbox order by at desc, message_id limit $1`,
			[LISTED],
		);
		return rows.map((row) => ({
			...row,
			at: new Date(row.at).toISOString(),
			sentAt: row.sentAt === null ? null : new Date(row.sentAt).toISOString(),
			deliveredAt: row.deliveredAt === null ? null : new Date(row.deliveredAt).toISOString(),
		}));
	}

	/**
	 * Messages of a brand, newest first, a hundred at once. Without a gateway, one that is worth sending waits.
	 * @param before an id; those after it in this order
	 */
	async list({
		brand,
		state,
		before,
	}: {
		brand: string;
		state: ListedText['state'] | null;
		before: string | null;
	}): Promise<ListedText[]> {
		const { rows } = await this.#db.query<ListedText>(
			`select * from (
			   select message_id as "messageId", at as "atMs", mobile, tries, reason, delivered_at as "deliveredAtMs",
			     sent_at is null and at > $2 and text <> '' as "mayRetry",
			     case when sent_at is not null then 'SENT' when at > $2 and tries < ${MOST_TRIES} then 'WAITING' else 'DEAD' end as state
			   from outbox where brand = $1
			     and ($4::text is null or (at, message_id) < (select at, message_id from outbox where message_id = $4))
			 ) as listed where $3::text is null or state = $3
			 order by "atMs" desc, "messageId" desc limit ${A_PAGE}`,
			[brand, this.#clock() - WORTH_SENDING_MS, state, before],
		);
		return rows;
	}

	/**
	 * Sends a message now that was not sent, by all gateways once more, while what it says is worth something.
	 * @returns false for any other
	 */
	async retry(brand: string, messageId: string): Promise<boolean> {
		const { rowCount } = await this.#db.query(
			`update outbox set tries = 0 where message_id = $1 and brand = $2 and sent_at is null and text <> '' and at > $3`,
			[messageId, brand, this.#clock() - WORTH_SENDING_MS],
		);
		if (rowCount === 1) this.#sendSoon();
		return rowCount === 1;
	}

	/**
	 * A gateway's receipt. One that says that the message did not arrive hands it to the next gateway, once; a receipt of a
	 * gateway that no longer has the message changes nothing.
	 */
	async receive({ messageId, gateway }: Attempt, status: 'DELIVERED' | 'FAILED'): Promise<void> {
		if (status === 'DELIVERED') {
			await this.#db.query(
				`update outbox set delivered_at = $2, text = '' where message_id = $1 and sent_at is not null and delivered_at is null`,
				[messageId, this.#clock()],
			);
			return;
		}
		if (this.#gateways.length < 2) return;
		const { rowCount } = await this.#db.query(
			`update outbox set sent_at = null, gateway = gateway + 1, reason = 'the gateway did not deliver it' where message_id = $1 and gateway = $2
			   and sent_at is not null and delivered_at is null and text <> ''`,
			[messageId, gateway],
		);
		if (rowCount === 1) this.#sendSoon();
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#retry);
		await this.#turn;
	}

	#sendSoon(): void {
		if (!this.delivers || this.#stopped) return;
		clearTimeout(this.#retry);
		this.#turn = this.#turn
			.then(() => this.#sendUnsent())
			.catch((error) => {
				this.#log.error({ err: error }, 'the outbox could not be read');
				this.#retryLater();
			});
	}

	#retryLater(): void {
		if (this.#stopped) return;
		clearTimeout(this.#retry);
		this.#retry = setTimeout(() => this.#sendSoon(), RETRY_MS);
	}

	async #sendUnsent(): Promise<void> {
		const { rows } = await this.#db.query<UnsentRow>(
			`select message_id as "messageId", gateway, brand, mobile, text from outbox
			 where sent_at is null and tries < $1 and at > $2 order by at limit $3`,
			[MOST_TRIES, this.#clock() - WORTH_SENDING_MS, A_TURN],
		);
		const taken = await Promise.all(rows.map((row) => this.#sendOne(row)));
		const isOthersTurn = rows.some((row, at) => !taken[at] && (row.gateway + 1) % this.#gateways.length !== 0);
		if (isOthersTurn || (rows.length === A_TURN && !taken.includes(false))) this.#sendSoon();
		else if (taken.includes(false)) this.#retryLater();
	}

	async #sendOne({ messageId, gateway, ...message }: UnsentRow): Promise<boolean> {
		try {
			await this.#gateways[gateway % this.#gateways.length]?.({ ...message, id: `${messageId}.${gateway}` });
		} catch (error) {
			this.#log.warn({ err: error, messageId, gateway }, 'a gateway did not take a message');
			const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON);
			await this.#db.query(
				'update outbox set tries = tries + 1, gateway = gateway + 1, reason = $2 where message_id = $1',
				[messageId, reason],
			);
			return false;
		}
		const sql = `update outbox set tries = tries + 1, sent_at = $2, text = case when $3 then text else '' end where message_id = $1`;
		await this.#db.query(sql, [messageId, this.#clock(), this.#hasReceipts]);
		return true;
	}
}
