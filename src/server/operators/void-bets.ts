/**
 * Voids matches: of one bet, of a runner, of a period, or of all three together. A match has two sides, so the bets on
 * the other side lose that part as well. The ledger identifies these matches.
 */
import type pg from 'pg';
import type { VoidMatches } from '#engine/command.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { isVoidByResult, PAID } from '#server/exchange/ledger/paid-settlement.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { listingOf, runnerOf } from '#server/operators/named-market.ts';
import { reverseSettlement } from '#server/operators/reopen-market.ts';
import { paidResult } from '#server/operators/resettlement.ts';
import { type CurrencySum, sumsByCurrency } from '#server/operators/sums-by-currency.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export interface Which {
	marketId: string;
	betId?: string | undefined;
	betIds?: readonly string[] | undefined;
	runner?: string | undefined;
	/** Times of the matches, inclusive. */
	from?: string | undefined;
	to?: string | undefined;
}

/**
 * The selected matches.
 * @throws Refused VALIDATION_FAILED if nothing selects bets, ORDER_NOT_ACTIVE if no match is selected
 */
export async function selectedMatches(
	{ db, exchange, fixtures }: { db: pg.Pool; exchange: Exchange; fixtures: Fixtures },
	{ marketId, betId, betIds = [], runner, from, to }: Which,
): Promise<{ listing: MarketListing; matches: VoidMatches['matches'] }> {
	const listing = await listingOf({ fixtures, exchange }, marketId);
	const { status, changing } = exchange.market(listing.id) ?? {};
	if (status === 'SETTLING') throw new Refused('MARKET_SETTLING');
	if (changing) throw new Refused('MARKET_CHANGING');
	if (status === undefined || status === 'VOIDED') throw new Refused('WRONG_MARKET_STATE');
	const values: unknown[] = [listing.id];
	const where: string[] = [];
	const add = (condition: string, value: unknown) => where.push(condition.replaceAll('?', `$${values.push(value)}`));
	const bets = [...betIds, ...(betId === undefined ? [] : [betId])].map(Number);
	if (bets.length > 0) add('(met.taker_bet_id = any(?) or met.maker_bet_id = any(?))', bets);
	if (runner !== undefined) add('met.runner = ?', runnerOf(listing, runner));
	// Matches without a time of their own have the time of their taker.
	if (from !== undefined) add('coalesce(met.at, taker.placed_at) >= ?', Date.parse(from));
	if (to !== undefined) add('coalesce(met.at, taker.placed_at) <= ?', Date.parse(to));
	if (where.length === 0) throw new Refused('VALIDATION_FAILED', {}, 'Say which: a bet, a runner or a time.');
	const matches = await standingMatches(db, where.join(' and '), values);
	if (matches.length === 0) throw new Refused('ORDER_NOT_ACTIVE');
	return { listing, matches };
}

/** Whether none of the selected matches counts any more. */
export const areAllVoid = (parts: { db: pg.Pool; exchange: Exchange; fixtures: Fixtures }, which: Which) =>
	selectedMatches(parts, which).then(
		() => false,
		(error: unknown) => error instanceof Refused && error.code === 'ORDER_NOT_ACTIVE',
	);

/** The players on both sides of the selected matches; none where no match counts any more. */
export async function playersIn(
	parts: { db: pg.Pool; exchange: Exchange; fixtures: Fixtures },
	which: Which,
): Promise<PlayerId[]> {
	const matches = await selectedMatches(parts, which).then(
		(selected) => selected.matches,
		(error: unknown) => {
			if (error instanceof Refused && error.code === 'ORDER_NOT_ACTIVE') return [];
			throw error;
		},
	);
	const { rows } = await parts.db.query<{ playerId: PlayerId }>(
		'select distinct wallet_id as "playerId" from bet where bet_id = any ($1)',
		[matches.flatMap(({ takerBetId, makerBetId }) => [takerBetId, makerBetId])],
	);
	return rows.map(({ playerId }) => playerId);
}

/**
 * In a market that is not settled, many matches are void some at a time, the last ones first, so that the numbers of the
 * other fills stay right. A voiding that is cut short leaves the rest, and the same one again voids it.
 * @throws Refused as `selectedMatches`, and the refusals of the engine
 */
export async function voidBets(
	parts: { db: pg.Pool; exchange: Exchange; fixtures: Fixtures },
	which: Which,
): Promise<{ matches: number; stake: CurrencySum[] }> {
	const { db, exchange } = parts;
	const { listing, matches } = await selectedMatches(parts, which);
	const market = exchange.market(listing.id);
	const stake = await stakesOf(db, matches);
	if (market?.status === 'SETTLED')
		await reverseSettlement({ db, exchange }, listing.id, { next: paidResult(market), matches });
	else {
		for (let to = matches.length; to > 0; to -= exchange.mostBetsAtOnce) {
			const some = matches.slice(Math.max(0, to - exchange.mostBetsAtOnce), to);
			await exchange.submit({ kind: 'void-matches', marketId: listing.id, matches: some });
		}
	}
	return { matches: matches.length, stake };
}

/** Backers' stakes of matches. */
export async function stakesOf(db: pg.Pool, matches: VoidMatches['matches']): Promise<CurrencySum[]> {
	const { rows } = await db.query<{ betId: number; pool: Pool }>(
		'select bet_id as "betId", pool from bet where bet_id = any ($1)',
		[[...new Set(matches.map(({ takerBetId }) => takerBetId))]],
	);
	const pools = new Map(rows.map(({ betId, pool }) => [betId, pool]));
	return sumsByCurrency(
		matches.flatMap(({ takerBetId, stake: amount }) => {
			const pool = pools.get(takerBetId);
			return pool ? [{ pool, amount }] : [];
		}),
	);
}

/**
 * The matches of a market that still count, with their positions among the matches of each bet. A match that a removed
 * runner voided does not count; one that the settlement voided does.
 * @param where a condition on `met` and `taker`
 * @param values its parameters, the market's id first
 */
export async function standingMatches(
	db: pg.Pool,
	where: string,
	values: readonly unknown[],
): Promise<VoidMatches['matches']> {
	const { rows } = await db.query<StandingMatch>(
		`with paid as (${PAID})
		 select met.batch, met.line as "rowNumber", met.taker_bet_id as "takerBetId", met.maker_bet_id as "makerBetId",
		   met.price, met.stake,
		   (taker.result is distinct from 'VOID' or ${isVoidByResult('taker')}) and ${where} as "isWanted"
		 from bet_match as met left join void_match using (batch, line)
		 join bet as taker on taker.bet_id = met.taker_bet_id left join paid on true
		 where met.market_id = $1 and void_match.batch is null
		 order by met.batch, met.line`,
		[...values],
	);
	// Numbered here: the database would join all matches with all matches.
	const fills = new Map<number, number>();
	const next = (betId: number): number => {
		const fill = fills.get(betId) ?? 0;
		fills.set(betId, fill + 1);
		return fill;
	};
	const numbered = rows.map(({ isWanted, ...match }) => {
		const fill = { takerFill: next(match.takerBetId), makerFill: next(match.makerBetId) };
		return { isWanted, match: { ...match, ...fill } };
	});
	return numbered.filter(({ isWanted }) => isWanted).map(({ match }) => match);
}

/** A match that counts, and whether it is selected. */
type StandingMatch = VoidMatches['matches'][number] & { isWanted: boolean };
