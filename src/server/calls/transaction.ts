/** The cash statement, read from the ledger's postings, and the details of one of its rows. */

import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { betProfits } from '#server/calls/bet-profits.ts';
import { gameName } from '#server/calls/game-name.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { moneySummary } from '#server/calls/money-summary.ts';
import { averageDecimal, isoTime, quotedMarket } from '#server/exchange/views/wire-views.ts';
import {
	MONEY_MOVES,
	MONEY_ROW,
	MONEY_ROWS,
	MONEY_SUMS,
	type MoneyRow,
	moneyCondition,
	NEWEST_FIRST,
	POSTINGS_OF_ROW,
} from '#server/money/funds/money-rows.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { NamedMarket } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { type AnyPrice, decimalFromPrice } from '#values/price-ladder.ts';
import { type SideCode, sideName } from '#values/sides.ts';

interface BetRow {
	betId: BetId;
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
	matched: AnyMinor;
	matchedValue: number;
	result: 'WON' | 'LOST' | 'VOID' | null;
	placedAtMs: number;
}

const ROW = `${MONEY_ROW} from (${MONEY_ROWS}) as statement`;
const MOST_BETS = 200;

/**
 * The name of the market, or the number that the posting refers to. The grant of a demo player is numbered by the
 * player, so it has no reference.
 */
function reference({ kind, ref }: MoneyRow, named: NamedMarket | undefined, playerId: PlayerId): string {
	if (kind === 'GRANT' && ref === playerId) return '';
	return named ? `${named.fixture.title} · ${named.listing.name}` : String(ref);
}

const rowView = (
	row: MoneyRow,
	named: NamedMarket | undefined,
	{ playerId, providers }: Pick<Parts, 'providers'> & { playerId: PlayerId },
) => ({
	id: row.id,
	kind: row.kind,
	category: row.category,
	reference: reference(row, named, playerId),
	game: row.game === null ? null : gameName(providers, row.game),
	amount: majorFromMinor(row.amount),
	commission: majorFromMinor(row.commission),
	balanceAfter: majorFromMinor(row.balanceAfter),
	at: isoTime(row.atMs),
});

const betView = (bet: BetRow, profit: number | undefined, named: NamedMarket | undefined) => ({
	betId: String(bet.betId),
	runnerName: named?.listing.runners[bet.runner]?.name ?? '',
	side: sideName(bet.side),
	price: decimalFromPrice(bet.price),
	averagePrice: averageDecimal(bet.matched, bet.matchedValue),
	stake: majorFromMinor(bet.stake),
	matchedStake: majorFromMinor(bet.matched),
	result: bet.result,
	profit: bet.result === null ? null : majorFromMinor(profit ?? 0),
	placedAt: isoTime(bet.placedAtMs),
});

export const transactionHandlers = (
	parts: Parts,
): HandlersOf<'getTransactionHistory' | 'getTransactionDetail' | 'getMoneySummary'> => {
	const { reads, fixtures, providers } = parts;
	return {
		getMoneySummary: (input, caller) => moneySummary(parts, playerOf(caller).playerId, input),

		getTransactionHistory: async (input, caller) => {
			const { playerId } = playerOf(caller);
			const values: unknown[] = [playerId];
			const filter = moneyCondition(input, values);
			const summed = await reads.query<{ count: number; credited: number; debited: number; held: number }>(
				`select count(*)::int as count, ${MONEY_SUMS} from (${MONEY_MOVES}) as statement where ${filter}`,
				values,
			);
			const all = summed.rows[0];
			const { rows } = await reads.query<MoneyRow>(
				`select ${ROW} where ${filter} order by ${NEWEST_FIRST} limit ${input.maxResultCount} offset ${input.skipCount}`,
				values,
			);
			const named = await fixtures.named(rows.flatMap(({ marketId }) => (marketId > 0 ? [marketId] : [])));
			return {
				totalCount: all?.count ?? 0,
				credited: majorFromMinor(all?.credited ?? 0),
				debited: majorFromMinor(all?.debited ?? 0),
				held: majorFromMinor(all?.held ?? 0),
				items: rows.map((row) => rowView(row, named.get(row.marketId), { playerId, providers })),
			};
		},

		getTransactionDetail: async ({ id }, caller) => {
			const { playerId } = playerOf(caller);
			const { rows } = await reads.query<MoneyRow>(`select ${ROW} where id = $2`, [playerId, id]);
			const row = rows[0];
			if (!row) throw new Refused('NOT_FOUND');
			const named = row.marketId > 0 ? (await fixtures.named([row.marketId])).get(row.marketId) : undefined;
			const bets = row.marketId > 0 ? await betsBehind(reads, playerId, row) : [];
			const profits = await betProfits(reads, playerId, bets.length > 0 ? [row.marketId] : []);
			return {
				...rowView(row, named, { playerId, providers }),
				postings: await postingsOf(reads, playerId, row),
				market: named
					? {
							marketId: String(row.marketId),
							name: named.listing.name,
							eventId: String(named.listing.fixtureId),
							eventTitle: named.fixture.title,
							sportId: named.fixture.sportId,
							...quotedMarket(named.listing, await resultsOf(reads, row.marketId)),
						}
					: null,
				bets: bets.map((bet) => betView(bet, profits.get(bet.betId), named)),
			};
		},
	};
};

/**
 * A command's postings share one kind and reference. A settlement has several steps; a player sees only the player's
 * own.
 */
async function postingsOf(
	reads: HeavyReads,
	playerId: PlayerId,
	{ id, atMs, ref, marketId }: MoneyRow,
): Promise<ResultOf<Calls['getTransactionDetail']>['postings']> {
	const { rows } = await reads.query<{ kind: string; debit: string; credit: string; amount: AnyMinor }>(
		POSTINGS_OF_ROW,
		[playerId, atMs, ref, marketId, id],
	);
	return rows.map(({ kind, debit, credit, amount }) => ({
		kind,
		debit: debit.toUpperCase(),
		credit: credit.toUpperCase(),
		amount: majorFromMinor(amount),
	}));
}

/** By runner; null before its settlement. */
async function resultsOf(reads: HeavyReads, marketId: MarketId): Promise<RunnerResult[] | null> {
	const { rows } = await reads.query<{ results: RunnerResult[] | null }>(
		`select results from market_state where market_id = $1 and status in ('SETTLING', 'SETTLED')`,
		[marketId],
	);
	return rows[0]?.results ?? null;
}

async function betsBehind(reads: HeavyReads, playerId: PlayerId, { marketId, atMs }: MoneyRow): Promise<BetRow[]> {
	const { rows } = await reads.query<BetRow>(
		`select bet_id as "betId", runner, side, price, stake, matched, matched_value as "matchedValue", result,
		   placed_at as "placedAtMs"
		 from bet where wallet_id = $1 and market_id = $2 and placed_at <= $3 order by bet_id limit ${MOST_BETS}`,
		[playerId, marketId, atMs],
	);
	return rows;
}
