/** The ledger's postings behind the figures of the console's screens. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

const PAGE = 500;
/** A longer period has to be requested in parts, or for one player. */
const MOST_DAYS = 92;
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
	amount: AnyPaise;
	walletId: number;
	marketId: number;
	userName: string | null;
	brand: string | null;
}

/** The start and length of a day or an hour of Indian time. */
function spanOf(text: string): { startMs: number; lengthMs: number } {
	const isDay = text.length === DAY_LENGTH;
	const startMs = Date.parse(isDay ? text : `${text.replace(' ', 'T')}Z`) - INDIA_OFFSET_MS;
	return { startMs, lengthMs: isDay ? DAY_MS : HOUR_MS };
}

const today = (): string => new Date(Date.now() + INDIA_OFFSET_MS).toISOString().slice(0, DAY_LENGTH);

/** @throws Refused VALIDATION_FAILED */
function periodOf(from: string, to: string): { fromMs: number; toMs: number } {
	const { startMs: fromMs } = spanOf(from);
	const last = spanOf(to);
	const toMs = last.startMs + last.lengthMs;
	if (toMs <= fromMs || toMs - fromMs > MOST_DAYS * DAY_MS)
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
		const { rows } = await reads.query<{ balance: AnyPaise }>(
			`select coalesce(sum(case when credit = $2 then amount else 0 end - case when debit = $2 then amount else 0 end), 0)
			   ::bigint as balance
			 from posting where pool = $1 and (debit = $2 or credit = $2) and at < $3`,
			[pool, account, fromMs],
		);
		return majorFromPaise(rows[0]?.balance ?? 0);
	} catch (error) {
		// The postings are useful without it.
		if (error instanceof Refused && error.code === 'OVERLOADED') return null;
		throw error;
	}
}

export const POSTING_ACTS: ActsOf<'postings'> = {
	postings: async (asked, parts, { member }) => {
		const { playerId, brand, pool, account, kind, marketId, before } = asked;
		const isOfPlayer = playerId !== '';
		const isWhole = isOfPlayer && asked.from === '' && asked.to === '';
		const { fromMs, toMs } = isWhole
			? { fromMs: null, toMs: null }
			: periodOf(asked.from || today(), asked.to || asked.from || today());
		const own = member?.brands ? visibleBrands(parts, member).map(({ host }) => host) : null;
		const hosts = brand === '' ? own : [brand].filter((host) => own === null || own.includes(host));
		const values = [fromMs, toMs, hosts, pool, account, kind, marketId === '' ? 0 : Number(marketId)];
		const [where, all] = isOfPlayer ? [`${POSTINGS} ${OF_PLAYER}`, [...values, Number(playerId)]] : [POSTINGS, values];
		const [batch = 0, line = 0] = before.split('-').map(Number);
		const isAccountAlone = account !== '' && pool !== '' && hosts === null && kind + marketId + playerId === '';
		const isOpeningAsked = asked.opening && isAccountAlone;
		const [opening, sums, page] = await Promise.all([
			isOpeningAsked && fromMs !== null ? openingOf(parts, { pool, account, fromMs }) : null,
			parts.reads.query<{ count: number; debits: AnyPaise; credits: AnyPaise }>(
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
			debits: majorFromPaise(debits),
			credits: majorFromPaise(credits),
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
				amount: majorFromPaise(row.amount),
				playerId: row.userName === null ? null : String(row.walletId),
				userName: row.userName,
				brand: row.brand,
				marketId: row.marketId === 0 ? null : String(row.marketId),
			})),
		};
	},
};
