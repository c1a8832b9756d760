/** The effect of voiding matches: on money held for them, or on results settled with them. */
import type { VoidMatches } from '#engine/command.ts';
import type { MarketView } from '#engine/engine.ts';
import { payableFor } from '#engine/market-types/runner-result.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import type { ActPreview } from '#server/operators/act.ts';
import {
	changesOf,
	fullNameOf,
	type Move,
	netsOf,
	type Previewing,
	previewOf,
	standingMarket,
} from '#server/operators/result-previews.ts';
import { selectedMatches, type Which } from '#server/operators/void-bets.ts';
import { Refused } from '#values/error-catalogue.ts';
import { exposurePaise } from '#values/exposure.ts';
import { majorFromPaise } from '#values/money.ts';

type Matches = VoidMatches['matches'];

/**
 * @throws Refused VALIDATION_FAILED if nothing selects bets; ORDER_NOT_ACTIVE if no match is selected;
 *   MARKET_NOT_SUSPENDED
 */
export async function voidBetsPreview(parts: Previewing, which: Which): Promise<ActPreview> {
	const { listing, matches } = await selectedMatches(parts, which);
	const market = parts.exchange.market(listing.id);
	const isSettled = market?.status === 'SETTLED';
	const moves = isSettled
		? await movesOfSettled(parts, market, matches)
		: movesOfStanding(parts, standingMarket(parts, listing), matches);
	const stake = matches.reduce((sum, match) => sum + match.stake, 0);
	const summary = [
		`${matches.length} matches of ${fullNameOf(parts, listing)} are void, on both sides: a stake of ${majorFromPaise(stake)} in all.`,
		...(isSettled ? ['The market is reopened and settled again by the same result, at once.'] : []),
	];
	const named = matches.map(({ batch, rowNumber }) => [batch, rowNumber]);
	return previewOf(summary, moves, [market?.status, market?.version, named]);
}

/** A settled market: the change of each player's result and commission. */
async function movesOfSettled({ db, exchange }: Previewing, market: MarketView, matches: Matches): Promise<Move[]> {
	const { bets, payments } = await settlementOf(db, market.marketId);
	const { results, placesPaid, numberOfWinners, removed } = market;
	const payable = results && payableFor(results, placesPaid ?? numberOfWinners, market, new Map(removed));
	if (!payable) throw new Refused('WRONG_MARKET_STATE');
	return changesOf({ exchange }, market, payments, netsOf(withoutMatches(bets, matches), payable));
}

/**
 * An unsettled market: the released amounts, and the additional holds for risks that a voided match had covered,
 * limited by cash.
 */
function movesOfStanding({ exchange }: Previewing, market: MarketView, matches: Matches): Move[] {
	const bets = exchange.betsIn([market.marketId]);
	const touched = new Set(matches.flatMap(({ takerBetId, makerBetId }) => [takerBetId, makerBetId]));
	const wallets = new Set(bets.filter(({ betId }) => touched.has(betId)).map(({ walletId }) => walletId));
	const before = Map.groupBy(bets, ({ walletId }) => walletId);
	const after = Map.groupBy(withoutMatches(bets, matches), ({ walletId }) => walletId);
	return [...wallets].flatMap((walletId): Move[] => {
		const wallet = exchange.wallet(walletId);
		const exposures = [before, after].map((of) => exposurePaise(positionOf(market, of.get(walletId) ?? [])));
		const change = (exposures[0] ?? 0) - (exposures[1] ?? 0);
		const amount = Math.max(change, -Math.max(wallet?.cash ?? 0, 0));
		const what = amount > 0 ? 'gets back what is held' : 'is held for';
		return amount === 0 ? [] : [{ walletId, pool: wallet?.pool ?? '', what, amount }];
	});
}

/** The bets after the matches are voided, at their effective prices. */
function withoutMatches<Bet extends BetRecord>(bets: readonly Bet[], matches: Matches): Bet[] {
	const left = new Map(bets.map((bet) => [bet.betId, { ...bet }]));
	const gone = new Map<number, Set<number>>();
	for (const { takerBetId, makerBetId, takerFill = -1, makerFill = -1, price, stake } of matches) {
		for (const [betId, fill] of [
			[takerBetId, takerFill],
			[makerBetId, makerFill],
		] as const) {
			const bet = left.get(betId);
			if (!bet) continue;
			bet.matched -= stake;
			bet.matchedValue -= stake * (bet.fills?.[fill]?.price ?? price);
			gone.set(betId, (gone.get(betId) ?? new Set()).add(fill));
		}
	}
	for (const [betId, fills] of gone) {
		const bet = left.get(betId);
		if (bet?.fills) bet.fills = bet.fills.filter((_, at) => !fills.has(at));
	}
	return [...left.values()];
}
