/**
 * The statement of a month by mail, from the rows that the player's own statement has. Written once: the month's mark is
 * set in the transaction that stores the message.
 */
import type pg from 'pg';
import { zoneAt } from '#contract/rules-at.ts';
import { moneySummary, type SummaryParts } from '#server/calls/money-summary.ts';
import { signedMoneyText } from '#server/operators/references/texts/answer-texts.ts';
import type { Players } from '#server/people/players/players.ts';
import { writeMail } from '#server/people/players/write-mail.ts';
import type { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import type { Brand, Brands } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS, MINUTE_MS } from '#values/time.ts';
import { monthsAfter, startsOf } from '#values/zoned-calendar.ts';

/** Of one look, so that other notices wait for no thousand statements. */
const A_TURN = 20;
/** A statement that could not be written by then is not news any more. */
const WORTH_MS = 5 * DAY_MS;
/** A player who switches the statement on late has it by then. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
/** Rows of a month's last moments are durable by then. */
const SETTLED_MS = MINUTE_MS;

interface MonthlyStatementsOptions extends SummaryParts {
	db: pg.Pool;
	mails: MailOutbox;
	players: Pick<Players, 'languageOf'>;
	brands: Pick<Brands, 'all'>;
	clock: () => number;
}

/** A month of a brand's calendar. */
interface Month {
	/** Such as 202611. */
	number: number;
	fromMs: number;
	toMs: number;
}

export class MonthlyStatements {
	readonly #options: MonthlyStatementsOptions;
	/** By brand: the month that has all its statements, and when it is looked at again. */
	readonly #written = new Map<string, { month: number; untilMs: number }>();
	/** By zone: the month that ended last, and when the next one does. To read a zone's calendar at each look takes longer than the look. */
	readonly #ended = new Map<string, { month: Month; untilMs: number }>();

	constructor(options: MonthlyStatementsOptions) {
		this.#options = options;
	}

	/** Writes some that are due. */
	async write(): Promise<void> {
		const { db, brands, clock } = this.#options;
		const nowMs = clock();
		for (const brand of brands.all()) {
			const month = this.#lastMonth(nowMs, zoneAt(brand.setting, nowMs));
			if (nowMs < month.toMs + SETTLED_MS || nowMs > month.toMs + WORTH_MS) continue;
			const known = this.#written.get(brand.host);
			if (known?.month === month.number && nowMs < known.untilMs) continue;
			const { rows } = await db.query<{ playerId: PlayerId; address: string }>(
				`select player_id as "playerId", address from mail_address
				 where brand = $1 and tells_statement and proven_at < $2 and coalesce(statement_month, 0) < $3
				 order by player_id limit ${A_TURN}`,
				[brand.host, month.toMs, month.number],
			);
			if (rows.length === 0) this.#written.set(brand.host, { month: month.number, untilMs: nowMs + LOOK_AGAIN_MS });
			for (const row of rows) await this.#one(row, brand, month);
		}
	}

	#lastMonth(nowMs: number, zone: string): Month {
		const known = this.#ended.get(zone);
		if (known && nowMs >= known.month.toMs && nowMs < known.untilMs) return known.month;
		const month = lastMonth(nowMs, zone);
		this.#ended.set(zone, { month, untilMs: monthsAfter(month.toMs, 1, zone) });
		return month;
	}

	async #one(
		{ playerId, address }: { playerId: PlayerId; address: string },
		brand: Brand,
		month: Month,
	): Promise<void> {
		const { db, reads, providers, mails, players } = this.#options;
		const period = { from: new Date(month.fromMs).toISOString(), to: new Date(month.toMs).toISOString() };
		const { before, after, sports, casino, others } = await moneySummary({ reads, providers }, playerId, period);
		const language = players.languageOf(playerId) ?? brand.setting.defaultLanguage;
		const sum = (amounts: readonly number[]): AnyMinor =>
			amounts.reduce((total, amount) => total + Math.round(amount * MINOR_PER_MAJOR), 0);
		const nets = (rows: readonly { net: number }[]) => sum(rows.map(({ net }) => net));
		const of = (isOne: (category: string) => boolean) =>
			sum(others.filter(({ category }) => isOne(category)).map(({ amount }) => amount));
		const named = new Intl.DateTimeFormat(`${language}-IN`, {
			timeZone: zoneAt(brand.setting, month.toMs),
			numberingSystem: 'latn',
			month: 'long',
			year: 'numeric',
		});
		const written = writeMail(brand, language, 'statement', {
			month: named.format(month.fromMs),
			before: signedMoneyText(brand.pool, sum([before.balance, before.held])),
			paidIn: signedMoneyText(
				brand.pool,
				of((category) => category === 'DEPOSIT'),
			),
			paidOut: signedMoneyText(
				brand.pool,
				of((category) => category === 'WITHDRAWAL'),
			),
			sports: signedMoneyText(brand.pool, nets(sports)),
			casino: signedMoneyText(brand.pool, nets(casino)),
			others: signedMoneyText(
				brand.pool,
				of((category) => category !== 'DEPOSIT' && category !== 'WITHDRAWAL'),
			),
			after: signedMoneyText(brand.pool, sum([after.balance, after.held])),
		});
		await inTransaction(db, async (client) => {
			const { rowCount } = await client.query(
				`update mail_address set statement_month = $2
				 where player_id = $1 and tells_statement and coalesce(statement_month, 0) < $2`,
				[playerId, month.number],
			);
			// Another process wrote it, or the player switched it off meanwhile.
			if (rowCount !== 1) return;
			const about = `statement ${playerId} ${month.number}`;
			await mails.add(client, { ...written, playerId, to: address, isCode: false, about, worthMs: WORTH_MS });
		});
	}
}

function lastMonth(nowMs: number, zone: string): Month {
	const toMs = startsOf(nowMs, zone).month;
	const fromMs = monthsAfter(toMs, -1, zone);
	const [year = '', month = ''] = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(fromMs).split('-');
	return { number: Number(`${year}${month}`), fromMs, toMs };
}
