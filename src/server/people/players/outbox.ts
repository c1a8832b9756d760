/**
 * Text messages to players. A message is stored first and sent by a gateway later, so that no call waits for another
 * server and a crash loses no message. Without a gateway it stays in the table, where operators read it.
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

/** Delivers a message to a mobile. Resolves when the message was accepted, throws when it was not. */
export type SmsGateway = (message: TextMessage) => Promise<void>;

export interface StoredMessage extends TextMessage {
	at: string;
	/** Null while it is queued, or permanently without a gateway. */
	sentAt: string | null;
}

const RETRY_MS = 5000;
const MOST_TRIES = 5;
/** How long messages are kept: a code is valid for ten minutes. */
const KEPT_MS = DAY_MS;
const WORTH_SENDING_MS = 10 * 60_000;
const LISTED = 50;
const A_TURN = 20;

interface UnsentRow extends TextMessage {
	messageId: string;
}

export class Outbox {
	readonly #db: pg.Pool;
	readonly #gateway: SmsGateway | null;
	readonly #log: Logger;
	readonly #clock: () => number;
	#turn: Promise<void> = Promise.resolve();
	#retry: ReturnType<typeof setTimeout> | undefined;
	#stopped = false;

	constructor(options: { db: pg.Pool; gateway: SmsGateway | null; log: Logger; clock?: () => number }) {
		this.#db = options.db;
		this.#gateway = options.gateway;
		this.#log = options.log;
		this.#clock = options.clock ?? Date.now;
	}

	/** Sends the messages that an earlier process left. */
	start(): void {
		this.#sendSoon();
	}

	/** Resolves when the message is stored. */
	async send({ brand, mobile, text }: TextMessage): Promise<void> {
		const now = this.#clock();
		await this.#db.query('delete from outbox where at < $1', [now - KEPT_MS]);
		await this.#db.query(
			`insert into outbox (message_id, at, brand, mobile, text, tries, sent_at) values ($1, $2, $3, $4, $5, 0, null)`,
			[randomUUID(), now, brand, mobile, text],
		);
		this.#sendSoon();
	}

	/** The latest messages, newest first; the text of a delivered message is deleted. */
	async latest(): Promise<StoredMessage[]> {
		const { rows } = await this.#db.query<TextMessage & { at: number; sentAt: number | null }>(
			`select at, brand, mobile, text, sent_at as "sentAt" from outbox order by at desc, message_id limit $1`,
			[LISTED],
		);
		return rows.map((row) => ({
			...row,
			at: new Date(row.at).toISOString(),
			sentAt: row.sentAt === null ? null : new Date(row.sentAt).toISOString(),
		}));
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		clearTimeout(this.#retry);
		await this.#turn;
	}

	#sendSoon(): void {
		const gateway = this.#gateway;
		if (!gateway || this.#stopped) return;
		clearTimeout(this.#retry);
		this.#turn = this.#turn
			.then(() => this.#sendUnsent(gateway))
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

	async #sendUnsent(gateway: SmsGateway): Promise<void> {
		const { rows } = await this.#db.query<UnsentRow>(
			`select message_id as "messageId", brand, mobile, text from outbox
			 where sent_at is null and tries < $1 and at > $2 order by at limit $3`,
			[MOST_TRIES, this.#clock() - WORTH_SENDING_MS, A_TURN],
		);
		const taken = await Promise.all(rows.map((row) => this.#sendOne(gateway, row)));
		if (taken.includes(false)) this.#retryLater();
		else if (rows.length === A_TURN) this.#sendSoon();
	}

	async #sendOne(gateway: SmsGateway, { messageId, ...message }: UnsentRow): Promise<boolean> {
		try {
			await gateway(message);
		} catch (error) {
			this.#log.warn({ err: error, messageId }, 'the gateway did not take a message');
			await this.#db.query('update outbox set tries = tries + 1 where message_id = $1', [messageId]);
			return false;
		}
		const sql = `update outbox set tries = tries + 1, sent_at = $2, text = '' where message_id = $1`;
		await this.#db.query(sql, [messageId, this.#clock()]);
		return true;
	}
}
