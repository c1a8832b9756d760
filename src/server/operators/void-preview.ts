/** The effect of voiding matches: on money held for them, or on results settled with them. */
import type { VoidMatches } from '#engine/command.ts';
import type { MarketView } from '#engine/engine.ts';
import { payableFor } from '#engine/market-types/runner-result.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import type { ActPreview, OperatorOptions } from '#server/operators/act.ts';
import {
	changesOf,
	fullNameOf,
	type Move,
	netsOf,
	type Previewing,
	previewOf,
	standingMarket,
} from '#server/operators/result-previews.ts';
import { sumsText } from '#server/operators/sums-by-currency.ts';
import { selectedMatches, stakesOf, type Which } from '#server/operators/void-bets.ts';
import { flatMapInTurns, groupInTurns, visitInTurns } from '#server/platform/pacing/in-turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import { exposureMinor } from '#values/exposure.ts';
import type { BetId, WalletId } from '#values/ids.ts';

type Matches = VoidMatches['matches'];

/**
 * @throws Refused VALIDATION_FAILED if nothing selects bets; ORDER_NOT_ACTIVE if no match is selected;
 *   MARKET_NOT_SUSPENDED
 */
export async function voidBetsPreview(
	parts: Pick<OperatorOptions, 'exchange' | 'db' | 'fixtures'>,
	which: Which,
): Promise<ActPreview> {
	const { listing, matches } = await selectedMatches(parts, which);
	const market = parts.exchange.market(listing.id);
	const isSettled = market?.status === 'SETTLED';
	const moves = isSettled
		? await movesOfSettled(parts, market, matches)
		: await movesOfStanding(parts, standingMarket(parts, listing), matches);
	const summary = [
		`${matches.length} matches of ${fullNameOf(parts, listing)} are void, on both sides: a stake of ${sumsText(await stakesOf(parts.db, matches))} in all.`,
		...(isSettled ? ['The market is reopened and settled again by the same result, at once.'] : []),
	];
	const named = matches.map(({ batch, rowNumber }) => [batch, rowNumber]);
	return await previewOf(summary, moves, [market?.status, market?.version, named]);
}

/** A settled market: the change of each player's result and commission. */
async function movesOfSettled({ db, exchange }: Previewing, market: MarketView, matches: Matches): Promise<Move[]> {
	const { bets, payments } = await settlementOf(db, market.marketId);
	const { results, placesPaid, numberOfWinners, removed } = market;
	const payable = results && payableFor(results, placesPaid ?? numberOfWinners, market, new Map(removed));
	if (!payable) throw new Refused('WRONG_MARKET_STATE');
	const nets = await netsOf(await withoutMatches(bets, matches), payable);
	return await changesOf({ exchange }, market, payments, nets);
}

/**
 * An unsettled market: the released amounts, and the additional holds for risks that a voided match had covered,
 * limited by cash.
 */
async function movesOfStanding({ exchange }: Previewing, market: MarketView, matches: Matches): Promise<Move[]> {
	const bets = exchange.betsIn([market.marketId]);
	const touched = new Set(matches.flatMap(({ takerBetId, makerBetId }) => [takerBetId, makerBetId]));
	const wallets = new Set<WalletId>();
	for (const { betId, walletId } of bets) if (touched.has(betId)) wallets.add(walletId);
	const own = bets.filter(({ walletId }) => wallets.has(walletId));
	const before = await groupInTurns(own, ({ walletId }) => walletId);
	const after = await groupInTurns(await withoutMatches(own, matches), ({ walletId }) => walletId);
	return await flatMapInTurns(wallets, (walletId): Move[] => {
		const wallet = exchange.wallet(walletId);
		const exposures = [before, after].map((of) => exposureMinor(positionOf(market, of.get(walletId) ?? [])));
		const change = (exposures[0] ?? 0) - (exposures[1] ?? 0);
		const amount = Math.max(change, -Math.max(wallet?.cash ?? 0, 0));
		const what = amount > 0 ? 'gets back what is held' : 'is held for';
		return amount === 0 ? [] : [{ walletId, pool: wallet?.pool ?? '', what, amount }];
	});
}

/** The bets after the matches are voided, at their effective prices. */
async function withoutMatches<Bet extends BetRecord>(bets: readonly Bet[], matches: Matches): Promise<Bet[]> {
	const left = new Map<BetId, Bet>();
	await visitInTurns(bets, (bet) => void left.set(bet.betId, { ...bet }));
	const gone = new Map<number, Set<number>>();
	await visitInTurns(matches, ({ takerBetId, makerBetId, takerFill = -1, makerFill = -1, price, stake }) => {
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
	});
	for (const [betId, fills] of gone) {
		const bet = left.get(betId);
		if (bet?.fills) bet.fills = bet.fills.filter((_, at) => !fills.has(at));
	}
	return [...left.values()];
}
