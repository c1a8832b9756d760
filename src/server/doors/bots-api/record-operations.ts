/** Operations that report orders: of unsettled markets, from memory; ended ones, from the tables. */
import * as v from 'valibot';
import type { OnClose } from '#engine/bet-detail.ts';
import { betProfits } from '#server/calls/bet-profits.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	eventTypeName,
	eventTypeOf,
	handicapOf,
	marketIdOf,
	marketTypeCode,
	orderTypeOf,
	selectionIdOf,
	sportOf,
	wireAverage,
	wireMarketId,
	wirePersistence,
	wirePrice,
	wireSide,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import {
	type BotParts,
	Flag,
	given,
	isAmong,
	isWithin,
	Numeric,
	operation,
	Text,
	Texts,
	TimeRange,
	Whole,
} from '#server/doors/bots-api/operation.ts';
import { currentOrder, currentTrigger } from '#server/doors/bots-api/order-views.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { ENDED_BETS } from '#server/exchange/ledger/bet-ends.ts';
import type { NamedMarket } from '#server/world/fixtures/fixtures.ts';
import type { BetId, MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

const MOST_RECORDS = 1_000;
const Paged = { fromRecord: v.nullish(Whole, 0), recordCount: v.nullish(Whole, 0) };
/** The service treats 0 as the largest allowed number. */
const sizeOf = (recordCount: number): number =>
	recordCount === 0 ? MOST_RECORDS : Math.min(recordCount, MOST_RECORDS);

const CurrentOrders = v.object({
	betIds: Texts,
	marketIds: Texts,
	orderProjection: v.nullish(v.picklist(['ALL', 'EXECUTABLE', 'EXECUTION_COMPLETE']), 'ALL'),
	customerOrderRefs: Texts,
	customerStrategyRefs: Texts,
	placedDateRange: TimeRange,
	dateRange: TimeRange,
	orderBy: v.nullish(
		v.picklist(['BY_BET', 'BY_MARKET', 'BY_MATCH_TIME', 'BY_PLACE_TIME', 'BY_SETTLED_TIME', 'BY_VOID_TIME']),
		'BY_BET',
	),
	sortDir: v.nullish(v.picklist(['EARLIEST_TO_LATEST', 'LATEST_TO_EARLIEST']), 'EARLIEST_TO_LATEST'),
	includeItemDescription: Flag,
	...Paged,
});
type CurrentOrders = v.InferOutput<typeof CurrentOrders>;

/** The sort key of each order, before the bet's id, which follows the time of placing. */
const SORTED_BY: Record<CurrentOrders['orderBy'], (bet: BetRecord) => number> = {
	BY_BET: ({ betId }) => betId,
	BY_MARKET: ({ marketId }) => marketId,
	BY_MATCH_TIME: ({ matchedAtMs }) => matchedAtMs ?? 0,
	BY_PLACE_TIME: ({ placedAtMs }) => placedAtMs,
	BY_SETTLED_TIME: ({ betId }) => betId,
	BY_VOID_TIME: ({ betId }) => betId,
};

function currentOrders(parts: BotParts, input: CurrentOrders, caller: BotCaller) {
	const { exchange, fixtures } = parts;
	const range = input.placedDateRange ?? input.dateRange;
	const sortedBy = SORTED_BY[input.orderBy];
	const sign = input.sortDir === 'EARLIEST_TO_LATEST' ? 1 : -1;
	const orders = exchange
		.openBets(caller.login.playerId)
		.filter(
			({ betId, marketId, placedAtMs, references }) =>
				isAmong(String(betId), input.betIds) &&
				isAmong(wireMarketId(marketId), input.marketIds) &&
				isAmong(references?.orderRef ?? '', input.customerOrderRefs) &&
				isAmong(references?.strategyRef ?? '', input.customerStrategyRefs) &&
				isWithin(placedAtMs, range),
		)
		.sort((one, other) => sign * (sortedBy(one) - sortedBy(other) || one.betId - other.betId))
		.flatMap((bet) => {
			const listing = fixtures.market(bet.marketId);
			if (!listing) return [];
			const version = exchange.market(bet.marketId)?.version ?? 0;
			const description = { currentItemDescription: { marketVersion: { version } } };
			return [{ ...currentOrder(bet, listing), ...(input.includeItemDescription ? description : {}) }];
		})
		.filter(({ status }) => input.orderProjection === 'ALL' || status === input.orderProjection);
	const end = input.fromRecord + sizeOf(input.recordCount);
	const currentTriggers = triggersOf(parts, input, caller);
	return {
		currentOrders: orders.slice(input.fromRecord, end),
		moreAvailable: orders.length > end,
		// A field of this exchange.
		...(currentTriggers.length > 0 ? { currentTriggers } : {}),
	};
}

/** The caller's triggers that wait or are due: at most a hundred. */
function triggersOf({ exchange, fixtures }: BotParts, { betIds, marketIds }: CurrentOrders, { login }: BotCaller) {
	return exchange
		.triggers(login.playerId)
		.filter(
			({ triggerId, marketId }) => isAmong(String(triggerId), betIds) && isAmong(wireMarketId(marketId), marketIds),
		)
		.flatMap((trigger) => {
			const listing = fixtures.market(trigger.marketId);
			return listing ? [currentTrigger(trigger, listing)] : [];
		});
}

const ClearedOrders = v.object({
	betStatus: v.picklist(['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED']),
	eventTypeIds: Texts,
	eventIds: Texts,
	marketIds: Texts,
	runnerIds: given(v.array(v.object({ marketId: Text, selectionId: Whole, handicap: given(Numeric) }))),
	betIds: Texts,
	customerOrderRefs: Texts,
	customerStrategyRefs: Texts,
	side: given(v.picklist(['BACK', 'LAY'])),
	settledDateRange: TimeRange,
	groupBy: v.nullish(v.picklist(['EVENT_TYPE', 'EVENT', 'MARKET', 'SIDE', 'BET']), 'BET'),
	includeItemDescription: Flag,
	...Paged,
});
type ClearedOrders = v.InferOutput<typeof ClearedOrders>;

/** The bets of each status, and the part of a bet that the status covers. */
const STATUS_SQL: Record<ClearedOrders['betStatus'], { where: string; size: string }> = {
	SETTLED: { where: `result in ('WON', 'LOST')`, size: 'matched' },
	VOIDED: { where: 'voided > 0', size: 'voided' },
	LAPSED: { where: 'lapsed > 0', size: 'lapsed' },
	CANCELLED: { where: 'cancelled > 0', size: 'cancelled' },
};

interface ClearedRow {
	betId: BetId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	price: AnyPrice;
	persist: boolean;
	onClose: OnClose | null;
	takesStart: boolean;
	matched: AnyMinor;
	matchedValue: number;
	size: AnyMinor;
	result: 'WON' | 'LOST' | 'VOID' | null;
	placedAtMs: number;
	matchedAtMs: number | null;
	endedAtMs: number;
	orderRef: string | null;
	strategyRef: string | null;
}

/** The filter as SQL with its values. */
function clearedWhere(input: ClearedOrders, caller: BotCaller): { where: string; values: unknown[] } {
	const values: unknown[] = [caller.login.playerId];
	const where = ['wallet_id = $1', STATUS_SQL[input.betStatus].where];
	const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
	const numbers = (texts: readonly string[]) => texts.map(Number).filter(Number.isSafeInteger);
	const inFixture = (condition: string) =>
		`market_id in (select listed.id from market_listing as listed
		   join fixture on fixture.id = listed.fixture_id where ${condition})`;
	if (input.eventTypeIds?.length) {
		add(inFixture('fixture.sport_id = any(?::bigint[])'), numbers(input.eventTypeIds.map((id) => String(sportOf(id)))));
	}
	if (input.eventIds?.length) add(inFixture('fixture.id = any(?)'), numbers(input.eventIds));
	if (input.marketIds?.length) add('market_id = any(?)', input.marketIds.map(marketIdOf).filter(Number.isSafeInteger));
	if (input.betIds?.length) add('bet.bet_id = any(?)', numbers(input.betIds));
	if (input.customerOrderRefs?.length) add('order_ref = any(?)', input.customerOrderRefs);
	if (input.customerStrategyRefs?.length) add('strategy_ref = any(?)', input.customerStrategyRefs);
	if (input.side) add('side = ?', input.side === 'BACK' ? 0 : 1);
	if (input.settledDateRange?.from !== undefined) add('ended_at >= ?', input.settledDateRange.from);
	if (input.settledDateRange?.to !== undefined) add('ended_at <= ?', input.settledDateRange.to);
	return { where: where.join(' and '), values };
}

const FROM = `from ${ENDED_BETS} left join bet_reference using (bet_id)`;

async function clearedRows(parts: BotParts, input: ClearedOrders, caller: BotCaller, most: number, skip: number) {
	const { where, values } = clearedWhere(input, caller);
	const { rows } = await parts.reads.query<ClearedRow>(
		`select bet_id as "betId", market_id as "marketId", runner, side, price, persist,
		   on_close as "onClose", coalesce(takes_start, false) as "takesStart", matched,
		   matched_value as "matchedValue", ${STATUS_SQL[input.betStatus].size} as size, result,
		   placed_at as "placedAtMs", matched_at as "matchedAtMs", ended_at as "endedAtMs",
		   order_ref as "orderRef", strategy_ref as "strategyRef"
		 ${FROM} where ${where} order by ended_at desc, bet_id desc limit ${most} offset ${skip}`,
		values,
	);
	const marketIds = [...new Set(rows.map(({ marketId }) => marketId))];
	const [named, profits] = await Promise.all([
		parts.fixtures.named(marketIds),
		betProfits(parts.reads, caller.login.playerId, input.betStatus === 'SETTLED' ? marketIds : []),
	]);
	return rows.map((row) => ({ row, named: named.get(row.marketId), profit: profits.get(row.betId) ?? 0 }));
}

type Cleared = Awaited<ReturnType<typeof clearedRows>>[number];

const idsOf = ({ fixture }: NamedMarket) => ({
	eventTypeId: eventTypeOf(fixture.sportId),
	eventId: String(fixture.id),
});

function itemDescription({ listing, fixture }: NamedMarket, runner: number) {
	return {
		itemDescription: {
			eventTypeDesc: eventTypeName(fixture.sportId),
			eventDesc: fixture.title,
			marketDesc: listing.name,
			marketType: marketTypeCode(listing),
			marketStartTime: wireTime(fixture.startsAtMs),
			runnerDesc: listing.runners[runner]?.name ?? '',
			numberOfWinners: Math.max(1, listing.numberOfWinners),
		},
	};
}

function clearedBet({ row, named, profit }: Cleared, input: ClearedOrders) {
	const isSettled = input.betStatus === 'SETTLED';
	return {
		...(named ? idsOf(named) : {}),
		marketId: wireMarketId(row.marketId),
		selectionId: named ? selectionIdOf(named.listing, row.runner) : 0,
		handicap: named ? handicapOf(named.listing, row.runner) : 0,
		betId: String(row.betId),
		placedDate: wireTime(row.placedAtMs),
		persistenceType: wirePersistence(row),
		orderType: orderTypeOf(row),
		side: wireSide(row.side),
		...(isSettled ? { betOutcome: row.result } : {}),
		priceRequested: wirePrice(row.price),
		settledDate: wireTime(row.endedAtMs),
		...(row.matchedAtMs === null ? {} : { lastMatchedDate: wireTime(row.matchedAtMs) }),
		betCount: 1,
		...(isSettled ? { priceMatched: wireAverage(row.matched, row.matchedValue) } : {}),
		priceReduced: false,
		...(isSettled ? { sizeSettled: wireSize(row.size) } : { sizeCancelled: wireSize(row.size) }),
		profit: wireSize(profit),
		...(row.orderRef === null ? {} : { customerOrderRef: row.orderRef }),
		...(row.strategyRef === null ? {} : { customerStrategyRef: row.strategyRef }),
		...(input.includeItemDescription && named ? itemDescription(named, row.runner) : {}),
	};
}

/** Limit of summed bets; an answer that leaves some out says so. */
const MOST_SUMMED = 20_000;

type GroupBy = Exclude<ClearedOrders['groupBy'], 'BET'>;
const GROUPS: Record<GroupBy, (cleared: Cleared) => Record<string, unknown>> = {
	EVENT_TYPE: ({ named }) => (named ? { eventTypeId: eventTypeOf(named.fixture.sportId) } : {}),
	EVENT: ({ named }) => (named ? idsOf(named) : {}),
	MARKET: ({ row, named }) => ({ ...(named ? idsOf(named) : {}), marketId: wireMarketId(row.marketId) }),
	SIDE: ({ row, named }) => ({
		...(named ? idsOf(named) : {}),
		marketId: wireMarketId(row.marketId),
		selectionId: named ? selectionIdOf(named.listing, row.runner) : 0,
		side: wireSide(row.side),
	}),
};

function groupedBets(cleared: readonly Cleared[], groupBy: GroupBy, commissions: ReadonlyMap<MarketId, AnyMinor>) {
	const groups = Map.groupBy(cleared, (one) => JSON.stringify(GROUPS[groupBy](one)));
	return [...groups.values()].map((group) => {
		const first = group[0] as Cleared;
		const sum = (of: (one: Cleared) => number) => group.reduce((total, one) => total + of(one), 0);
		return {
			...GROUPS[groupBy](first),
			settledDate: wireTime(first.row.endedAtMs),
			betCount: group.length,
			...(groupBy === 'MARKET' ? { commission: wireSize(commissions.get(first.row.marketId) ?? 0) } : {}),
			sizeSettled: wireSize(sum(({ row }) => row.size)),
			profit: wireSize(sum(({ profit }) => profit)),
		};
	});
}

async function commissionsOf({ reads }: BotParts, cleared: readonly Cleared[], caller: BotCaller) {
	const { rows } = await reads.query<{ marketId: MarketId; commission: AnyMinor }>(
		`select market_id as "marketId", commission from player_settlement
		 where wallet_id = $1 and market_id = any($2)`,
		[caller.login.playerId, [...new Set(cleared.map(({ row }) => row.marketId))]],
	);
	return new Map(rows.map(({ marketId, commission }) => [marketId, commission]));
}

/** Runners have numbers of their own on the wire, so a filter on them is applied after the query. */
const isOfRunners = ({ row, named }: Cleared, runnerIds: ClearedOrders['runnerIds']): boolean =>
	!runnerIds?.length ||
	runnerIds.some(
		({ marketId, selectionId }) =>
			marketIdOf(marketId) === row.marketId && named && selectionIdOf(named.listing, row.runner) === selectionId,
	);

async function clearedOrders(parts: BotParts, input: ClearedOrders, caller: BotCaller) {
	const size = sizeOf(input.recordCount);
	const { fromRecord, runnerIds } = input;
	// The service sums up settled bets alone, and lists the others bet by bet.
	const groupBy = input.betStatus === 'SETTLED' ? input.groupBy : 'BET';
	if (groupBy === 'BET' && !runnerIds?.length) {
		const found = await clearedRows(parts, input, caller, size + 1, fromRecord);
		const page = found.slice(0, size).map((one) => clearedBet(one, input));
		return { clearedOrders: page, moreAvailable: found.length > size };
	}
	const all = (await clearedRows(parts, input, caller, MOST_SUMMED, 0)).filter((one) => isOfRunners(one, runnerIds));
	const rows: object[] =
		groupBy === 'BET'
			? all.map((one) => clearedBet(one, input))
			: groupedBets(all, groupBy, await commissionsOf(parts, all, caller));
	const end = fromRecord + size;
	return { clearedOrders: rows.slice(fromRecord, end), moreAvailable: rows.length > end || all.length === MOST_SUMMED };
}

export const RECORD_OPERATIONS = {
	listCurrentOrders: operation({ request: CurrentOrders, run: currentOrders }),
	listClearedOrders: operation({ request: ClearedOrders, readsHistory: true, run: clearedOrders }),
};
