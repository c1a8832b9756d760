/** The ledger's postings behind the figures of the console's screens. */

import { zoneAt } from '#contract/rules-at.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActingMember, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { MOST_DAYS } from '#server/operators/zone-reports.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { dayName, dayNumber, dayOf, daysBetween, hoursBetween } from '#values/zoned-calendar.ts';

const PAGE = 500;
const DAY_LENGTH = 'yyyy-mm-dd'.length;

interface Row {
	batch: number;
	line: number;
	at: number;
	kind: string;
	ref: number;
	pool: string;
	debit: string;
	credit: string;
	amount: AnyMinor;
	walletId: number;
	marketId: number;
	userName: string | null;
	brand: string | null;
}

/** A day or an hour of the zone; an hour that its clocks leave out is an instant. */
function spanOf(text: string, zone: string): { fromMs: number; toMs: number } {
	const day = dayNumber(text.slice(0, DAY_LENGTH));
	const spans = text.length === DAY_LENGTH ? daysBetween(day, day, zone) : hoursBetween(day, day, zone);
	const from = spans.findIndex(({ name }) => name >= text);
	const fromMs = spans[from]?.fromMs ?? 0;
	return { fromMs, toMs: spans[from]?.name === text ? (spans[from + 1]?.fromMs ?? fromMs) : fromMs };
}

/** @throws Refused VALIDATION_FAILED */
function periodOf(asked: { from: string; to: string }, zone: string): { fromMs: number; toMs: number } {
	const from = asked.from || dayName(dayOf(Date.now(), zone));
	const to = asked.to || from;
	const { fromMs } = spanOf(from, zone);
	const { toMs } = spanOf(to, zone);
	const days = dayNumber(to.slice(0, DAY_LENGTH)) - dayNumber(from.slice(0, DAY_LENGTH));
	if (toMs < fromMs || days < 0 || days >= MOST_DAYS)
		throw new Refused('VALIDATION_FAILED', {}, `The period has at most ${MOST_DAYS} days.`);
	return { fromMs, toMs };
}

/** Staff of single brands see the postings of their players; the house's own belong to no brand. */
export const POSTINGS = `
	from posting left join player on player_id = wallet_id
	where ($1::bigint is null or at >= $1) and ($2::bigint is null or at < $2)
		and ($3::text[] is null or brand = any ($3)) and ($4 = '' or posting.pool = $4)
		and ($5 = '' or debit = $5 or credit = $5) and ($6 = '' or kind = $6) and ($7::bigint = 0 or market_id = $7)`;
/** Separate, so that a player's postings are read by their index. */
const OF_PLAYER = 'and wallet_id = $8';

/** The balance of one of the house's accounts, or of all players' together, before a time: credits less debits. */
async function openingOf(
	{ reads }: Pick<OperatorOptions, 'reads'>,
	{ pool, account, fromMs }: { pool: string; account: string; fromMs: number },
): Promise<number | null> {
	try {
		const { rows } = await reads.query<{ balance: AnyMinor }>(
			`select coalesce(sum(case when credit = $2 then amount else 0 end - case when debit = $2 then amount else 0 end), 0)
			   ::bigint as balance
			 from posting where pool = $1 and (debit = $2 or credit = $2) and at < $3`,
			[pool, account, fromMs],
		);
		return majorFromMinor(rows[0]?.balance ?? 0);
	} catch (error) {
		// The postings are useful without it.
		if (error instanceof Refused && error.code === 'OVERLOADED') return null;
		throw error;
	}
}

/**
 * Whose postings are asked for, null for all, and by which days: a brand's own, those of the brands of a zone, or the
 * books'.
 */
function calendarOf(
	{ brand, zone }: { brand: string; zone: string },
	parts: OperatorOptions,
	member: ActingMember | null,
): { hosts: string[] | null; zone: string } {
	const nowMs = parts.exchange.now();
	const own = visibleBrands(parts, member);
	const hostsOf = (of: typeof own) => of.map(({ host }) => host);
	if (brand !== '') {
		const named = own.filter(({ host }) => host === brand);
		return { hosts: hostsOf(named), zone: named[0] ? zoneAt(named[0].setting, nowMs) : parts.booksZone };
	}
	if (zone !== '') return { hosts: hostsOf(own.filter(({ setting }) => zoneAt(setting, nowMs) === zone)), zone };
	return { hosts: member?.brands ? hostsOf(own) : null, zone: parts.booksZone };
}

export const POSTING_ACTS: ActsOf<'postings'> = {
	postings: async (asked, parts, { member }) => {
		const { playerId, pool, account, kind, marketId, before } = asked;
		const { hosts, zone } = calendarOf(asked, parts, member);
		const isOfPlayer = playerId !== '';
		const isWhole = isOfPlayer && asked.from === '' && asked.to === '';
		const { fromMs, toMs } = isWhole ? { fromMs: null, toMs: null } : periodOf(asked, zone);
		const values = [fromMs, toMs, hosts, pool, account, kind, marketId === '' ? 0 : Number(marketId)];
		const [where, all] = isOfPlayer ? [`${POSTINGS} ${OF_PLAYER}`, [...values, Number(playerId)]] : [POSTINGS, values];
		const [batch = 0, line = 0] = before.split('-').map(Number);
		const isAccountAlone = account !== '' && pool !== '' && hosts === null && kind + marketId + playerId === '';
		const isOpeningAsked = asked.opening && isAccountAlone;
		const [opening, sums, page] = await Promise.all([
			isOpeningAsked && fromMs !== null ? openingOf(parts, { pool, account, fromMs }) : null,
			parts.reads.query<{ count: number; debits: AnyMinor; credits: AnyMinor }>(
				`select count(*)::int as count, coalesce(sum(amount) filter (where $5 = '' or debit = $5), 0)::bigint as debits,
				   coalesce(sum(amount) filter (where $5 = '' or credit = $5), 0)::bigint as credits ${where}`,
				all,
			),
			parts.reads.query<Row>(
				`select batch, line, at, kind, ref, posting.pool, debit, credit, amount, wallet_id as "walletId",
				   market_id as "marketId", user_name as "userName", brand
				 ${where} and ($${all.length + 1} = '' or (batch, line) < ($${all.length + 2}::bigint, $${all.length + 3}::int))
				 order by batch desc, line desc limit ${PAGE + 1}`,
				[...all, before, batch, line],
			),
		]);
		const rows = page.rows.slice(0, PAGE);
		const last = rows.at(-1);
		const { count = 0, debits = 0, credits = 0 } = sums.rows[0] ?? {};
		return {
			count,
			debits: majorFromMinor(debits),
			credits: majorFromMinor(credits),
			opening,
			next: page.rows.length > PAGE && last ? `${last.batch}-${last.line}` : null,
			rows: rows.map((row) => ({
				id: `${row.batch}-${row.line}`,
				at: isoTime(row.at),
				kind: row.kind,
				ref: String(row.ref),
				pool: row.pool,
				debit: row.debit,
				credit: row.credit,
				amount: majorFromMinor(row.amount),
				playerId: row.userName === null ? null : String(row.walletId),
				userName: row.userName,
				brand: row.brand,
				marketId: row.marketId === 0 ? null : String(row.marketId),
			})),
		};
	},
};
