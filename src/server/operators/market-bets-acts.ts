/** The bets of a market, from the ledger: those in memory are not all. */
import type * as v from 'valibot';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { listingOf, runnerOf } from '#server/operators/named-market.ts';
import { majorFromMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

type Asked = v.InferOutput<OperatorCalls['market-bets']['input']>;

/** Whole numbers, so that a page names the last one exactly. Bets without a result have the profit 0. */
const SORTS: Readonly<Record<Asked['sort'], string>> = {
	placed: 'placed_at',
	stake: 'stake',
	price: 'price',
	matched: 'matched',
	profit: 'coalesce(profit_exact / parts, 0)',
};
const STATES: Readonly<Record<NonNullable<Asked['state']>, string>> = {
	UNMATCHED: 'remaining > 0',
	MATCHED: 'matched > 0 and result is null',
	SETTLED: 'result is not null',
	CANCELLED: 'ended_at is not null and result is null',
};
/** `profit_exact` is in hundredths of a minor unit. */
const EXACT_OF_MINOR = 100;

interface Row {
	betId: number;
	walletId: number;
	pool: string;
	runner: number;
	side: 0 | 1;
	price: number;
	stake: number;
	matched: number;
	matchedValue: number;
	remaining: number;
	gone: number;
	result: string | null;
	profitExact: number | null;
	parts: number;
	placedAtMs: number;
	matchedAtMs: number | null;
	key: string;
}

async function pageOf(parts: OperatorOptions, asked: Asked) {
	const { marketId, sort, isDown, runner, side, playerId, state, before, count } = asked;
	const listing = await listingOf(parts, marketId);
	const values: unknown[] = [listing.id];
	const where = ['market_id = $1'];
	const add = (condition: string, ...given: unknown[]) =>
		where.push(given.reduce<string>((text, value) => text.replace('?', `$${values.push(value)}`), condition));
	if (runner !== undefined) add('runner = ?', runnerOf(listing, runner));
	if (side !== undefined) add('side = ?', side === 'BACK' ? 0 : 1);
	if (playerId !== undefined) add('wallet_id = ?', Number(playerId));
	if (state !== undefined) add(STATES[state]);
	const [key, betId] = before.split('.');
	if (key && betId) add(`(${SORTS[sort]}, bet_id) ${isDown ? '<' : '>'} (?::bigint, ?::bigint)`, key, betId);
	const direction = isDown ? 'desc' : 'asc';
	const { rows } = await parts.reads.query<Row>(
		`select bet_id as "betId", wallet_id as "walletId", pool, runner, side, price, stake, matched,
		   matched_value as "matchedValue", remaining, (cancelled + lapsed + voided)::bigint as gone, result,
		   profit_exact as "profitExact", parts, placed_at as "placedAtMs", matched_at as "matchedAtMs",
		   (${SORTS[sort]})::text as key
		 from bet where ${where.join(' and ')}
		 order by ${SORTS[sort]} ${direction}, bet_id ${direction} limit $${values.push(count + 1)}`,
		values,
	);
	return { listing, rows };
}

export const MARKET_BETS_ACTS: ActsOf<'market-bets'> = {
	'market-bets': async (asked, parts) => {
		const { listing, rows } = await pageOf(parts, asked);
		const { players, fixtures, exchange } = parts;
		const page = rows.slice(0, asked.count);
		const last = page.at(-1);
		return {
			market: listing.name,
			event: fixtures.fixture(listing.fixtureId)?.title ?? '',
			status: exchange.market(listing.id)?.status ?? '',
			runners: listing.runners.map(({ id, name }) => ({ id, name })),
			rows: page.map((row) => ({
				betId: String(row.betId),
				playerId: String(row.walletId),
				player: row.walletId < FIRST_PLAYER_ID ? `house ${row.walletId}` : players.user(row.walletId).userName,
				brand: players.brandOf(row.walletId),
				pool: row.pool,
				runner: listing.runners[row.runner]?.name ?? `line ${row.runner}`,
				side: sideName(row.side),
				price: decimalFromPrice(row.price),
				stake: majorFromMinor(row.stake),
				matched: majorFromMinor(row.matched),
				averagePrice: row.matched === 0 ? null : Math.round(row.matchedValue / row.matched) / 100,
				remaining: majorFromMinor(row.remaining),
				gone: majorFromMinor(row.gone),
				result: row.result,
				profit:
					row.profitExact === null ? null : majorFromMinor(Math.round(row.profitExact / EXACT_OF_MINOR / row.parts)),
				placedAt: isoTime(row.placedAtMs),
				matchedAt: row.matchedAtMs === null ? null : isoTime(row.matchedAtMs),
			})),
			next: rows.length > asked.count && last ? `${last.key}.${last.betId}` : null,
		};
	},
};
