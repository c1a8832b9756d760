/** Ended bets, read from the ledger's table. */
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { BetFill } from '#engine/bet-detail.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { betProfits } from '#server/calls/bet-profits.ts';
import type { Parts } from '#server/calls/handler.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { ENDED_BETS } from '#server/exchange/ledger/bet-ends.ts';
import { readRemovals, type WrittenRemoval } from '#server/exchange/recovery/market-removals.ts';
import { readTerms, type WrittenTerms } from '#server/exchange/recovery/market-terms.ts';
import { reductionView } from '#server/exchange/views/reduction-view.ts';
import { averageDecimal, betStatus, isoTime, quotedMarket } from '#server/exchange/views/wire-views.ts';
import { OF_SPORT_SQL } from '#server/money/funds/money-rows.ts';
import type { NamedMarket } from '#server/world/fixtures/fixtures.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { sideName } from '#values/sides.ts';

interface HistoryRow extends Omit<BetRecord, 'persist' | 'pool' | 'fillOrKill' | 'terms' | 'delay'> {
	endedAtMs: number;
	commission: AnyMinor | null;
	/** By runner, in the engine's terms; null while the market is not settled. */
	marketResults: RunnerResult[] | null;
	/** Of a result for fewer places than announced. */
	placesPaid: number | null;
	/** Null if its market does not store them, or for old bets. */
	fills: BetFill[] | null;
	/** Of its market; null if the market is no longer known. */
	removed: WrittenRemoval[] | null;
	terms: WrittenTerms | null;
}

const STATUS_SQL = {
	SETTLED: `result in ('WON', 'LOST')`,
	VOIDED: `result = 'VOID'`,
	LAPSED: 'result is null and lapsed > 0',
	CANCELLED: 'result is null and lapsed = 0',
} as const;

export async function betHistory(
	{ reads, fixtures }: Parts,
	playerId: PlayerId,
	input: RequestOf<Calls['getUserBetHistory']>,
): Promise<ResultOf<Calls['getUserBetHistory']>> {
	const values: unknown[] = [playerId];
	const where = ['wallet_id = $1'];
	const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
	if (input.from) add('ended_at >= ?', Date.parse(input.from));
	if (input.to) add('ended_at <= ?', Date.parse(input.to));
	if (input.status) where.push(STATUS_SQL[input.status]);
	if (input.sportId) add(OF_SPORT_SQL, input.sportId);
	const counted = await reads.query<{ count: number }>(
		`select count(*)::int as count from ${ENDED_BETS} where ${where.join(' and ')}`,
		values,
	);
	const { rows } = await reads.query<HistoryRow>(
		`select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", runner, side, price, stake,
		   matched, matched_value as "matchedValue", remaining, cancelled, lapsed, voided, placed_at as "placedAtMs",
		   matched_at as "matchedAtMs", result, ended_at as "endedAtMs", settlement.commission,
		   case when market_state.status in ('SETTLING', 'SETTLED') then market_state.results end as "marketResults",
		   (market_state.terms ->> 'placesPaid')::int as "placesPaid", bet.fills, market_state.removed,
		   market_state.terms
		 from ${ENDED_BETS} left join market_state using (market_id)
		   left join player_settlement as settlement using (market_id, wallet_id)
		 where ${where.join(' and ')} order by bet_id desc
		 limit ${input.maxResultCount} offset ${input.skipCount}`,
		values,
	);
	const marketIds = rows.map(({ marketId }) => marketId);
	const named = await fixtures.named(marketIds);
	const profits = await betProfits(reads, playerId, marketIds);
	return {
		totalCount: counted.rows[0]?.count ?? 0,
		items: rows.map((row) => historyBet(row, profits.get(row.betId) ?? 0, named.get(row.marketId))),
	};
}

/** Whether the bet's runner is tied: the result says so, or more have won than there are places. */
function isDeadHeat(
	{ runner, result, marketResults, placesPaid }: HistoryRow,
	listing: NamedMarket['listing'] | undefined,
): boolean {
	const said = marketResults?.[runner];
	if (!listing || result === 'VOID' || result === null) return false;
	const places = listing.eachWayDivisor === undefined ? (placesPaid ?? listing.numberOfWinners) : 1;
	const winners = (marketResults ?? []).filter((each) => each === 'WIN').length;
	return said === 'TIE' || (said === 'WIN' && places === 1 && winners > 1);
}

function reductionOf(row: HistoryRow, listing: NamedMarket['listing'] | undefined) {
	const { fills, removed, terms } = row;
	if (!fills || !removed || !terms) return {};
	return reductionView(row, listing ?? null, { ...readTerms(terms), ...readRemovals(removed) });
}

function historyBet(row: HistoryRow, profit: number, { listing, fixture }: Partial<NamedMarket> = {}) {
	const runner = listing?.runners[row.runner];
	return {
		betId: String(row.betId),
		eventId: String(listing?.fixtureId ?? 0),
		eventTitle: fixture?.title ?? '',
		sportId: fixture?.sportId ?? 0,
		marketId: String(row.marketId),
		marketName: listing?.name ?? '',
		runnerId: runner?.id ?? String(row.runner),
		runnerName: runner?.name ?? '',
		side: sideName(row.side),
		price: decimalFromPrice(row.price),
		averagePrice: averageDecimal(row.matched, row.matchedValue),
		stake: majorFromMinor(row.stake),
		matchedStake: majorFromMinor(row.matched),
		cancelledStake: majorFromMinor(row.cancelled),
		lapsedStake: majorFromMinor(row.lapsed),
		voidedStake: majorFromMinor(row.voided),
		status: betStatus(row),
		result: row.result,
		isDeadHeat: isDeadHeat(row, listing),
		...reductionOf(row, listing),
		profit: majorFromMinor(profit),
		commission: majorFromMinor(row.result === null ? 0 : (row.commission ?? 0)),
		placedAt: isoTime(row.placedAtMs),
		matchedAt: row.matchedAtMs === null || row.matched === 0 ? null : isoTime(row.matchedAtMs),
		settledAt: isoTime(row.endedAtMs),
		...quotedMarket(listing, row.marketResults),
	};
}
