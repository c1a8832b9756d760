/**
 * Mail on its way. A message is a row first and is sent later, so that no request waits for a mail server and a crash
 * loses none. A server that is away is asked with one message at a time, at growing pauses; a message that it refuses
 * waits by itself. A message whose outcome a kill left open is sent again, under the same id.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type MailOutcome, MOST_CONNECTIONS, type SentMail, type Smtp } from '#server/platform/mail/smtp.ts';
import { BackOff, isLogged } from '#server/platform/pacing/back-off.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

export interface NewMail extends Omit<SentMail, 'id'> {
	/** Host of the brand that writes. */
	brand: string;
	playerId: number;
	/** What it is about, as operators read it. */
	kind: string;
	/** A code that a player waits for: it goes first, and a full queue keeps room for it. */
	isCode: boolean;
	/** What a message is written about once; null if it may be written again. */
	about: string | null;
	/** How long it is worth being sent. */
	worthMs: number;
}

/** A message of the table, without its text. */
export interface KeptMail {
	at: string;
	brand: string;
	to: string;
	kind: string;
	subject: string;
	state: 'WAITING' | 'SENT' | 'DEAD';
	reason: string | null;
	/** Null when it was sent, and of a code that was given up. */
	text: string | null;
}

/** A message as operators see it. */
export interface ListedMail {
	messageId: string;
	atMs: number;
	to: string;
	playerId: number;
	kind: string;
	state: KeptMail['state'];
	tries: number;
	/** Null when it has ended. */
	nextAtMs: number | null;
	reason: string | null;
	mayRetry: boolean;
}

const LOOK_EVERY_MS = 1_000;
/** An attempt ends sooner; one that a kill interrupted is repeated after this. */
const ATTEMPT_MS = 30_000;
/** Between attempts of a message that the server did not take yet; the last one repeats. */
const PAUSES_MS = [30_000, 2 * 60_000, 10 * 60_000, HOUR_MS];
const LONGEST_PAUSE_MS = HOUR_MS;
const AWAY_LIMITS = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** Longer than anything asks whether it was written about before. */
const KEPT_MS = 7 * DAY_MS;
const LISTED = 50;
const A_PAGE = 100;
/** How long a message that is sent again is worth being sent, at least. */
const AGAIN_WORTH_MS = DAY_MS;
/** How long the end of the process waits for attempts under way. */
const STOP_MS = 2_000;
/** Messages that wait at most: a server that is away for long fills no disk. */
const MOST_NOTICES = 20_000;
const MOST_WAITING = 25_000;

interface MailOutboxOptions {
	db: pg.Pool;
	/** Null keeps messages in the table, where operators read them. */
	smtp: Smtp | null;
	log: Pick<Logger, 'warn' | 'error'>;
	clock?: () => number;
	mostNotices?: number;
}

interface TakenMail extends SentMail {
	tries: number;
}

export class MailOutbox {
	readonly #options: MailOutboxOptions;
	readonly #clock: () => number;
	readonly #backOff = new BackOff(AWAY_LIMITS);
	#openAtMs = 0;
	/** Attempts under way. */
	readonly #sending = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> | null = null;
	#isAskedAgain = false;
	#isStarted = false;
	#isStopped = false;
	#faults = 0;
	#tidiedAtMs = Number.NEGATIVE_INFINITY;

	constructor(options: MailOutboxOptions) {
		this.#options = options;
		this.#clock = options.clock ?? Date.now;
	}

	/** Whether messages leave. */
	get delivers(): boolean {
		return this.#options.smtp !== null;
	}

	/** Sends what is due, and what an earlier process left. */
	start(): void {
		this.#isStarted = true;
		this.wake();
	}

	/** Waits for attempts under way, but not for long: what they leave open is sent again. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		let limit: NodeJS.Timeout | undefined;
		await Promise.race([
			this.#looking,
			new Promise((resolve) => {
				limit = setTimeout(resolve, STOP_MS);
			}),
		]);
		clearTimeout(limit);
		this.#options.smtp?.close();
	}

	/**
	 * Stores a message, in the transaction of what it tells where there is one; `wake` afterwards sends it.
	 * @returns false if too many wait, or the same was written about before
	 */
	async add(client: Pick<pg.ClientBase, 'query'>, mail: NewMail): Promise<boolean> {
		const now = this.#clock();
		const { brand, playerId, senderName, to, kind, subject, text, html, about, isCode, worthMs } = mail;
		const most = isCode ? MOST_WAITING : (this.#options.mostNotices ?? MOST_NOTICES);
		const { rowCount } = await client.query(
			`insert into mail (mail_id, at, brand, player_id, sender_name, recipient, kind, subject, text, html, about, is_code,
			   worth_until, state, next_at)
			 select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'WAITING', $2
			 where $14 > (select count(*) from (select from mail where state = 'WAITING' limit $14) as waiting)
			 on conflict (about) do nothing`,
			[
				randomUUID(),
				now,
				brand,
				playerId,
				senderName,
				to,
				kind,
				subject,
				text,
				html,
				about,
				isCode,
				now + worthMs,
				most,
			],
		);
		return rowCount === 1;
	}

	/** Looks for due messages now. */
	wake(): void {
		if (!this.#isStarted || this.#isStopped || !this.delivers) return;
		if (this.#looking) {
			this.#isAskedAgain = true;
			return;
		}
		clearTimeout(this.#timer);
		this.#isAskedAgain = false;
		this.#looking = this.#look().finally(() => {
			this.#looking = null;
			if (this.#isStopped) return;
			if (this.#isAskedAgain) this.wake();
			else this.#timer = setTimeout(() => this.wake(), LOOK_EVERY_MS).unref();
		});
	}

	/** The latest messages, newest first. */
	async latest(): Promise<KeptMail[]> {
		const { rows } = await this.#options.db.query<Omit<KeptMail, 'at'> & { at: number }>(
			`select at, brand, recipient as to, kind, subject, state, reason, text from mail order by at desc, mail_id limit $1`,
			[LISTED],
		);
		return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
	}

	/**
	 * Messages of a brand, newest first, a hundred at once.
	 * @param before an id; those after it in this order
	 */
	async list({
		brand,
		state,
		before,
	}: {
		brand: string;
		state: KeptMail['state'] | null;
		before: string | null;
	}): Promise<ListedMail[]> {
		const { rows } = await this.#options.db.query<ListedMail>(
			`select mail_id as "messageId", at as "atMs", recipient as to, player_id as "playerId", kind, state, tries,
			   case when state = 'WAITING' then next_at end as "nextAtMs", reason, text is not null as "mayRetry"
			 from mail
			 where brand = $1 and ($2::text is null or state = $2)
			   and ($3::uuid is null or (at, mail_id) < (select at, mail_id from mail where mail_id = $3))
			 order by at desc, mail_id desc limit ${A_PAGE}`,
			[brand, state, before],
		);
		return rows;
	}

	/**
	 * Sends a waiting message now, or again one that was given up; one whose attempt is under way is left to it.
	 * @returns false for one that was sent, is not there, or whose text is gone
	 */
	async retry(brand: string, messageId: string): Promise<boolean> {
		if (this.#sending.has(messageId)) return true;
		const now = this.#clock();
		const { rowCount } = await this.#options.db.query(
			`update mail set state = 'WAITING', ended_at = null, next_at = $3, tries = 0,
			   worth_until = case when state = 'DEAD' then greatest(worth_until, $4) else worth_until end
			 where mail_id = $1 and brand = $2 and text is not null`,
			[messageId, brand, now, now + AGAIN_WORTH_MS],
		);
		if (rowCount !== 1) return false;
		this.#openAtMs = 0;
		this.wake();
		return true;
	}

	async #look(): Promise<void> {
		try {
			await this.#tidy();
			while (!this.#isStopped && this.#isOpen()) {
				const taken = await this.#take(this.#backOff.failures > 0 ? 1 : MOST_CONNECTIONS);
				if (taken.length === 0) return;
				this.#paceBy(await Promise.all(taken.map((mail) => this.#attempt(mail))));
			}
			this.#faults = 0;
		} catch (error) {
			// The database is away: what is durable is sent later.
			if (!this.#isStopped && isLogged(++this.#faults)) this.#options.log.warn({ err: error }, 'mail waits');
		}
	}

	/** The pauses are on the monotonic clock: setting the wall clock lengthens none. */
	#isOpen(): boolean {
		return performance.now() >= this.#openAtMs;
	}

	/** Gives up what is not worth sending any more, and forgets what has ended. */
	async #tidy(): Promise<void> {
		const { db } = this.#options;
		const now = this.#clock();
		await db.query(
			`update mail set state = 'DEAD', ended_at = $1, text = case when not is_code then text end,
			   html = case when not is_code then html end, reason = coalesce(reason, 'the mail server was away')
			 where state = 'WAITING' and worth_until < $1`,
			[now],
		);
		if (performance.now() - this.#tidiedAtMs < HOUR_MS) return;
		this.#tidiedAtMs = performance.now();
		await db.query(`delete from mail where state <> 'WAITING' and ended_at < $1`, [now - KEPT_MS]);
	}

	/** One that is due later than the longest pause was written before the clock was set back. */
	async #take(most: number): Promise<TakenMail[]> {
		const { rows } = await this.#options.db.query<TakenMail>(
			`update mail set next_at = $1::bigint + ${ATTEMPT_MS}, tries = tries + 1 where mail_id in (
			   select mail_id from mail where state = 'WAITING'
			     and (next_at <= $1 or next_at > $1::bigint + ${LONGEST_PAUSE_MS})
			   order by is_code desc, next_at limit $2 for update skip locked)
			 returning mail_id as id, sender_name as "senderName", recipient as to, subject, text, html, tries`,
			[this.#clock(), most],
		);
		return rows;
	}

	async #attempt({ tries, ...mail }: TakenMail): Promise<MailOutcome> {
		const { smtp } = this.#options;
		if (!smtp) throw new Error('there is no mail server');
		this.#sending.add(mail.id);
		try {
			const outcome = await smtp.send(mail);
			await this.#note(mail.id, tries, outcome);
			return outcome;
		} finally {
			this.#sending.delete(mail.id);
		}
	}

	/** Messages of one turn that find the server away are one failure. */
	#paceBy(outcomes: readonly MailOutcome[]): void {
		const away = outcomes.find((outcome) => !outcome.taken && outcome.kind === 'away');
		if (outcomes.some((outcome) => outcome.taken || outcome.kind !== 'away') || !away || away.taken) {
			this.#backOff.succeeded();
			this.#openAtMs = 0;
			return;
		}
		this.#openAtMs = performance.now() + this.#backOff.failed();
		if (isLogged(this.#backOff.failures))
			this.#options.log.warn({ reason: away.reason }, 'the mail server takes no mail');
	}

	/** The text of a message that has ended is deleted, but not of a notice that may be sent again. */
	async #note(id: string, tries: number, outcome: MailOutcome): Promise<void> {
		const { db, log } = this.#options;
		const now = this.#clock();
		if (outcome.taken || outcome.kind === 'never') {
			if (!outcome.taken) log.warn({ mailId: id, reason: outcome.reason }, 'a message was refused');
			await db.query(
				`update mail set state = $2, ended_at = $3, reason = $4,
				   text = case when $2 = 'DEAD' and not is_code then text end,
				   html = case when $2 = 'DEAD' and not is_code then html end
				 where mail_id = $1 and state = 'WAITING'`,
				[id, outcome.taken ? 'SENT' : 'DEAD', now, outcome.taken ? null : outcome.reason],
			);
			return;
		}
		// An absent server says nothing about the message, which is due again as soon as the server is.
		const pauseMs = outcome.kind === 'away' ? 0 : (PAUSES_MS[tries - 1] ?? LONGEST_PAUSE_MS);
		await db.query(`update mail set next_at = $2, reason = $3 where mail_id = $1 and state = 'WAITING'`, [
			id,
			now + pauseMs,
			outcome.reason,
		]);
	}
}
