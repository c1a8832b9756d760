/**
 * `getAccountStatement`: what changed what the player has, newest first: each settled bet with its profit, the commission of
 * its market, deposits, withdrawals, and whatever else came in or went out. Money that is held, or comes back unspent, is no
 * item. The balance after an item is the sum of the items up to it: what is free and what is held, open bets before their
 * result.
 *
 * The rows are those of the site's statement. A market's settlement is one row there, and an item for each bet here, as long
 * as the bets say how it came about: one that was reversed, or whose bets were detached, is one item.
 */
import * as v from 'valibot';
import { betProfits } from '#server/calls/bet-profits.ts';
import {
	type MoneyCategory,
	type SettledBet,
	type StatementRow,
	settledBets,
	statementRows,
} from '#server/calls/statement-rows.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	bettingTypeOf,
	eventTypeOf,
	selectionIdOf,
	wireAverage,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import { type BotParts, given, Text, TimeRange, Whole } from '#server/doors/bots-api/operation.ts';
import type { NamedMarket } from '#server/world/fixtures/fixtures.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

const MOST_ITEMS = 100;

export const StatementRequest = v.object({
	locale: given(Text),
	fromRecord: v.nullish(Whole, 0),
	recordCount: v.nullish(v.pipe(Whole, v.maxValue(MOST_ITEMS)), MOST_ITEMS),
	itemDateRange: TimeRange,
	includeItem: v.nullish(v.picklist(['ALL', 'DEPOSITS_WITHDRAWALS', 'EXCHANGE', 'POKER_ROOM']), 'ALL'),
	wallet: given(Text),
});
type StatementRequest = v.InferOutput<typeof StatementRequest>;

/** The categories of rows that a call asks for; null for all. There is no poker. */
const CATEGORIES: ReadonlyMap<StatementRequest['includeItem'], readonly MoneyCategory[] | null> = new Map([
	['ALL', null],
	['DEPOSITS_WITHDRAWALS', ['DEPOSIT', 'WITHDRAWAL']],
	['EXCHANGE', ['SPORTS']],
	['POKER_ROOM', []],
]);

/** One line of the statement, before its balance is known. */
interface Item {
	refId: string;
	amount: AnyMinor;
	legacy: Partial<LegacyData>;
}

/** Fields of an interface before this one, which clients still read. */
type LegacyData = ReturnType<typeof legacyData>;
function legacyData(row: StatementRow, named: NamedMarket | undefined, amount: AnyMinor) {
	const name = named?.listing.name ?? '';
	return {
		avgPrice: 0,
		betSize: 0,
		betType: '',
		betCategoryType: 'NONE',
		commissionRate: '',
		eventId: row.marketId,
		eventTypeId: named ? Number(eventTypeOf(named.fixture.sportId)) : 0,
		fullMarketName: named ? `${named.fixture.competition} / ${named.fixture.title} / ${name}` : row.kind,
		grossBetAmount: 0,
		marketName: named ? name : row.kind,
		marketType: named ? MARKET_TYPES[bettingTypeOf(named.listing)] : 'NOT_APPLICABLE',
		placedDate: wireTime(row.atMs),
		selectionId: 0,
		selectionName: '',
		startDate: wireTime(named?.fixture.startsAtMs ?? row.atMs),
		transactionType: amount < 0 ? 'ACCOUNT_DEBIT' : 'ACCOUNT_CREDIT',
		transactionId: 0,
		winLose: 'RESULT_NOT_APPLICABLE',
	};
}
const MARKET_TYPES = { ODDS: 'O', LINE: 'L', ASIAN_HANDICAP_SINGLE_LINE: 'A' } as const;

const betItem = (bet: SettledBet, profit: AnyMinor, named: NamedMarket | undefined): Item => ({
	refId: String(bet.betId),
	amount: profit,
	legacy: {
		avgPrice: wireAverage(bet.matched, bet.matchedValue),
		betSize: wireSize(bet.matched),
		betType: bet.side === 0 ? 'B' : 'L',
		betCategoryType: 'E',
		placedDate: wireTime(bet.placedAtMs),
		selectionId: named ? selectionIdOf(named.listing, bet.runner) : 0,
		selectionName: named?.listing.runners[bet.runner]?.name ?? '',
		winLose: bet.result === 'WON' ? 'RESULT_WON' : 'RESULT_LOST',
	},
});

/** Newest first: the commission was taken after the bets were settled. */
function itemsOf(
	row: StatementRow,
	bets: readonly SettledBet[],
	profits: ReadonlyMap<BetId, number>,
	named?: NamedMarket,
) {
	if (!row.isStanding) {
		const winLose = { MARKET_REOPENED: 'RESULT_FIX', MARKET_SETTLED: 'RESULT_ERR' }[row.kind];
		return [{ refId: String(row.ref), amount: row.amount, legacy: winLose ? { winLose } : {} }];
	}
	const gross = row.amount + row.commission;
	const taken = { refId: String(row.marketId), amount: -row.commission, legacy: { grossBetAmount: wireSize(gross) } };
	const ofBets = bets.map((bet) => betItem(bet, profits.get(bet.betId) ?? 0, named)).reverse();
	return row.commission === 0 ? ofBets : [taken, ...ofBets];
}

export async function accountStatement(parts: BotParts, input: StatementRequest, { login }: BotCaller) {
	const { reads, fixtures } = parts;
	const { playerId } = login;
	const { fromRecord, itemDateRange: range } = input;
	const size = input.recordCount === 0 ? MOST_ITEMS : input.recordCount;
	const end = fromRecord + size;
	const asked = { categories: CATEGORIES.get(input.includeItem) ?? null, ...range, fromItem: fromRecord, toItem: end };
	const rows = await statementRows(reads, playerId, asked);
	const named = await fixtures.named(rows.flatMap(({ marketId }) => (marketId > 0 ? [marketId] : [])));
	const expanded = rows.flatMap(({ isStanding, marketId }) => (isStanding ? [marketId] : []));
	const [bets, profits] = [await settledBets(reads, playerId, expanded), await betProfits(reads, playerId, expanded)];
	const items = rows.flatMap((row) => {
		let balance = row.balanceAfter;
		return itemsOf(row, bets.get(row.marketId) ?? [], profits, named.get(row.marketId)).map((item, at) => {
			const view = itemView(row, item, { balance, named: named.get(row.marketId) });
			balance -= item.amount;
			return { at: row.newer + at, view };
		});
	});
	const page = items.filter(({ at }) => at >= fromRecord && at < end);
	return { accountStatement: page.map(({ view }) => view), moreAvailable: items.some(({ at }) => at >= end) };
}

function itemView(
	row: StatementRow,
	item: Item,
	{ balance, named }: { balance: AnyMinor; named: NamedMarket | undefined },
) {
	const legacy = { ...legacyData(row, named, item.amount), ...item.legacy };
	return {
		refId: item.refId,
		itemDate: wireTime(row.atMs),
		amount: wireSize(item.amount),
		balance: wireSize(balance),
		itemClass: 'UNKNOWN',
		itemClassData: { unknownStatementItem: JSON.stringify(legacy) },
		legacyData: legacy,
	};
}
