/**
 * Notices to players by mail, made of what is durable: rows of the journal about passwords, mobiles and limits, paid
 * withdrawals, and a statement for each month. They are written in a transaction with the mark of what was read, or under a name that
 * is stored once, so that a kill loses none and repeats none.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { zoneAt } from '#contract/rules-at.ts';
import type { MonthlyStatements } from '#server/operators/notices/monthly-statements.ts';
import { moneyText, timeText } from '#server/operators/references/texts/answer-texts.ts';
import type { Players } from '#server/people/players/players.ts';
import { type MailKind, type ValuesOf, writeMail } from '#server/people/players/write-mail.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { isLogged } from '#server/platform/pacing/back-off.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Minor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

const LOOK_EVERY_MS = 2_000;
/** Rows of the journal in one look. */
const MOST_AT_ONCE = 500;
/** Withdrawals that were paid before are old news; shorter than messages are kept. */
const NEWS_MS = 2 * DAY_MS;

/** Acts of the journal that are told, and whether the player may switch it off. */
const OF_ACTS: Readonly<
	Record<string, { kind: 'passwordChanged' | 'mobileProven' | 'limitsChanged'; switchedBy: 'tells_limits' | null }>
> = {
	PASSWORD_CHANGED: { kind: 'passwordChanged', switchedBy: null },
	MOBILE_PROVEN: { kind: 'mobileProven', switchedBy: null },
	LIMITS_SET: { kind: 'limitsChanged', switchedBy: 'tells_limits' },
	LIMIT_RAISED: { kind: 'limitsChanged', switchedBy: 'tells_limits' },
};

interface MailNoticesOptions {
	db: pg.Pool;
	mails: MailOutbox;
	players: Pick<Players, 'languageOf'>;
	brands: Pick<Brands, 'byName'>;
	statements: Pick<MonthlyStatements, 'write'>;
	clock: () => number;
	log: Pick<Logger, 'warn'>;
}

interface Reader {
	playerId: PlayerId;
	brand: string;
	address: string;
}

export class MailNotices {
	readonly #options: MailNoticesOptions;
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> = Promise.resolve();
	#faults = 0;
	#isStopped = false;

	constructor(options: MailNoticesOptions) {
		this.#options = options;
	}

	start(): void {
		if (this.#isStopped) return;
		this.#looking = this.look().finally(() => {
			if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), LOOK_EVERY_MS).unref();
		});
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#looking;
	}

	/** Writes what is due now. A fault of one kind holds up no other. */
	async look(): Promise<void> {
		const { statements, mails } = this.#options;
		const kinds = [() => this.#writeAllActs(), () => this.#writeWithdrawals(), () => statements.write()];
		for (const write of kinds) {
			if (this.#isStopped) return;
			await write().catch((error: unknown) => {
				if (isLogged(++this.#faults)) this.#options.log.warn({ err: error }, 'notices by mail wait');
			});
		}
		mails.wake();
	}

	async #writeAllActs(): Promise<void> {
		while (!this.#isStopped && (await this.#writeActs()));
	}

	/** @returns whether there may be more */
	async #writeActs(): Promise<boolean> {
		return await inTransaction(this.#options.db, async (client) => {
			const { rows: cursors } = await client.query<{ seq: number }>(
				'select journal_seq as seq from mail_cursor where id = 1 for update',
			);
			const { rows } = await client.query<
				Partial<Reader> & { seq: number; atMs: number; act: string; isWanted: boolean }
			>(
				`select seq, at as "atMs", act, mail_address.player_id as "playerId", mail_address.brand, mail_address.address,
				   coalesce(tells_limits, false) as "isWanted"
				 from journal left join mail_address on act = any ($2)
				   and mail_address.player_id = substring(subject from '^player (\\d+)$')::bigint and proven_at <= at
				 where seq > $1 order by seq limit ${MOST_AT_ONCE}`,
				[cursors[0]?.seq ?? 0, Object.keys(OF_ACTS)],
			);
			const last = rows.at(-1);
			if (!last) return false;
			for (const { act, atMs, seq, playerId, brand, address, isWanted } of rows) {
				const notice = OF_ACTS[act];
				if (!notice || !playerId || !brand || !address || (notice.switchedBy !== null && !isWanted)) continue;
				const at = this.#timeOf({ playerId, brand }, atMs);
				if (at !== null) await this.#add(client, { playerId, brand, address }, notice.kind, { at }, `journal ${seq}`);
			}
			await client.query('update mail_cursor set journal_seq = $1 where id = 1', [last.seq]);
			return rows.length === MOST_AT_ONCE;
		});
	}

	async #writeWithdrawals(): Promise<void> {
		const { db, clock } = this.#options;
		const { rows } = await db.query<Reader & { id: number; atMs: number; amount: Minor; pool: Pool }>(
			`select id, workflow.at as "atMs", (data ->> 'amount')::bigint as amount, workflow.pool, player_id as "playerId",
			   mail_address.brand, address
			 from workflow join mail_address on player_id = wallet_id and tells_withdrawals and proven_at <= workflow.at
			 where workflow.kind = 'WITHDRAWAL' and workflow.state = 'PAID' and workflow.at > $1
			   and not exists (select from mail where about = 'withdrawal ' || id)
			 order by workflow.at limit ${MOST_AT_ONCE}`,
			[clock() - NEWS_MS],
		);
		for (const { id, atMs, amount, pool, ...reader } of rows) {
			const at = this.#timeOf(reader, atMs);
			if (at === null) continue;
			const values = { amount: moneyText(pool, amount), at };
			await this.#add(db, reader, 'withdrawalPaid', values, `withdrawal ${id}`);
		}
	}

	async #add<Kind extends MailKind>(
		client: Pick<pg.ClientBase, 'query'> | pg.Pool,
		{ playerId, brand, address: to }: Reader,
		kind: Kind,
		values: ValuesOf<Kind>,
		about: string,
	): Promise<void> {
		const { mails, players, brands } = this.#options;
		const own = brands.byName(brand);
		if (!own) return;
		const written = writeMail(own, players.languageOf(playerId), kind, values);
		await mails.add(client, { ...written, playerId, to, isCode: false, about, worthMs: NEWS_MS });
	}

	/** In the time of the player's brand; null for a brand that is gone. */
	#timeOf({ playerId, brand }: Pick<Reader, 'playerId' | 'brand'>, atMs: number): string | null {
		const own = this.#options.brands.byName(brand);
		if (!own) return null;
		const language = this.#options.players.languageOf(playerId) ?? own.setting.defaultLanguage;
		return timeText(`${language}-IN`, atMs, zoneAt(own.setting, atMs));
	}
}
