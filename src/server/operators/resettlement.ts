/**
 * Corrects the payment of a settled market: another result, or another factor of a removed runner. The market is never
 * closed in between, and the preview names each player whose money changes.
 */
import type { MarketView } from '#engine/engine.ts';
import { priceNow } from '#engine/market-types/reduced-price.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { ActPreview } from '#server/operators/act.ts';
import { reverseSettlement } from '#server/operators/reopen-market.ts';
import {
	changesOf,
	fullNameOf,
	inWords,
	type Move,
	netsBy,
	type Previewing,
	previewOf,
	type Result,
	standingMarket,
} from '#server/operators/result-previews.ts';
import { flatMapInTurns } from '#server/platform/pacing/in-turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import { BACK } from '#values/sides.ts';

/** Null returns every stake. */
export type OtherResult = Result | null;

export interface Correction {
	/** Index of a removed runner. */
	runner: number;
	reductionBp: number;
}

/** @throws Refused MARKET_SETTLING; WRONG_MARKET_STATE for an unpaid market */
function paidMarket({ exchange }: Pick<Previewing, 'exchange'>, { id }: MarketListing): MarketView {
	const market = exchange.market(id);
	if (market?.status === 'SETTLING') throw new Refused('MARKET_SETTLING');
	if (market?.status !== 'SETTLED' && market?.status !== 'VOIDED') throw new Refused('WRONG_MARKET_STATE');
	return market;
}

/** The result by which a settled market was paid. */
export const paidResult = ({ results, placesPaid }: Pick<MarketView, 'results' | 'placesPaid'>): OtherResult =>
	results && { results: [...results], ...(placesPaid === null ? {} : { places: placesPaid }) };

/** If every stake is returned, no profit or loss remains. @throws Refused INCOMPLETE_RESULT */
const netsOfOther = async (market: MarketView, bets: Parameters<typeof netsBy>[1], result: OtherResult) =>
	result ? await netsBy(market, bets, result) : new Map<number, number>();

/** @throws Refused WRONG_MARKET_STATE; INCOMPLETE_RESULT */
export async function resettle(parts: Previewing, listing: MarketListing, result: OtherResult): Promise<void> {
	paidMarket(parts, listing);
	await reverseSettlement(parts, listing.id, { next: result ?? { results: null } });
}

/** @throws Refused WRONG_MARKET_STATE; INCOMPLETE_RESULT */
export async function resettlementPreview(
	parts: Previewing,
	listing: MarketListing,
	result: OtherResult,
): Promise<ActPreview> {
	const market = paidMarket(parts, listing);
	const { bets, payments, nextStep } = await settlementOf(parts.db, listing.id);
	const moves = await changesOf(parts, market, payments, await netsOfOther(market, bets, result));
	const summary = [
		`The settlement of ${fullNameOf(parts, listing)} is taken back, and ${result ? 'it is settled anew' : 'every stake is returned'}, at once.`,
		...(market.results ? [`It was paid by ${inWords(listing, market.results).join(', ')}.`] : ['It was void.']),
		...(result ? inWords(listing, result.results) : []),
		`The results of ${new Set(moves.map(({ walletId }) => walletId)).size} players change. A player who has spent the winnings goes below zero.`,
	];
	return await previewOf(summary, moves, [market.status, nextStep, result]);
}

/** For a paid market the difference is posted. @throws Refused UNKNOWN_RUNNER, INVALID_REDUCTION, WRONG_MARKET_STATE */
export async function correctReduction(
	parts: Previewing,
	{ id: marketId }: MarketListing,
	correction: Correction,
): Promise<void> {
	const market = parts.exchange.market(marketId);
	if (market?.status !== 'SETTLED')
		return void (await parts.exchange.submit({ kind: 'correct-reduction', marketId, ...correction }));
	await reverseSettlement(parts, marketId, { next: paidResult(market) ?? { results: null }, correction });
}

/** @throws Refused UNKNOWN_RUNNER for one that was not removed; WRONG_MARKET_STATE; MARKET_NOT_SUSPENDED */
export async function correctionPreview(
	parts: Previewing,
	listing: MarketListing,
	correction: Correction,
): Promise<ActPreview> {
	const isPaid = parts.exchange.market(listing.id)?.status === 'SETTLED';
	const market = isPaid ? paidMarket(parts, listing) : standingMarket(parts, listing);
	const before = market.removed.find(([runner]) => runner === correction.runner)?.[1];
	if (before === undefined) throw new Refused('UNKNOWN_RUNNER');
	const settlement = isPaid ? await settlementOf(parts.db, listing.id) : null;
	const bets = settlement?.bets ?? parts.exchange.betsIn([listing.id]);
	const repriced = await repricedBets(bets, market, correction);
	const moves = settlement
		? await changesOf(parts, market, settlement.payments, await netsOfOther(market, repriced, paidResult(market)))
		: await changesIfWon(parts, bets, repriced);
	const name = listing.runners[correction.runner]?.name ?? '';
	let changed = 0;
	for (const [at, { matchedValue }] of repriced.entries()) if (matchedValue !== bets[at]?.matchedValue) changed++;
	const summary = [
		`The factor of ${name} in ${fullNameOf(parts, listing)} is ${percent(correction.reductionBp)} % instead of ${percent(before)} %.`,
		`The matched prices of ${changed} bets change${isPaid ? '; the market is settled again by the same result, at once' : ''}.`,
	];
	return await previewOf(summary, moves, [market.status, market.version, settlement?.nextStep, before, correction]);
}

const percent = (bp: number): number => bp / 100;

/** The bets at their effective prices with the other factor. */
async function repricedBets<Bet extends Pick<BetRecord, 'matchedValue' | 'fills'>>(
	bets: readonly Bet[],
	market: MarketView,
	{ runner, reductionBp }: Correction,
): Promise<Bet[]> {
	const removals = market.removals.map((removal) =>
		removal.runner === runner && !removal.returned ? { ...removal, reductionBp } : removal,
	);
	return await flatMapInTurns(bets, (bet) => {
		const fills = (bet.fills ?? []).map((fill) => ({ ...fill, price: priceNow(removals, market, fill) }));
		return fills.length === 0
			? [bet]
			: [{ ...bet, fills, matchedValue: fills.reduce((sum, { stake, price }) => sum + stake * price, 0) }];
	});
}

/** The change of each bet's payout if its runner wins. */
async function changesIfWon(
	parts: Previewing,
	before: readonly BetRecord[],
	after: readonly BetRecord[],
): Promise<Move[]> {
	return await flatMapInTurns(after, ({ walletId, side, matchedValue }, at): Move[] => {
		const more = Math.round((matchedValue - (before[at]?.matchedValue ?? matchedValue)) / 100);
		const pool = parts.exchange.wallet(walletId)?.pool ?? '';
		const amount = side === BACK ? more : -more;
		return more === 0 ? [] : [{ walletId, pool, what: 'changes if the runner wins', amount }];
	});
}
