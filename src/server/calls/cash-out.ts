/** Cashing out: a quote at the current prices, and the bets that execute it. */
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, listingOf, type Parts, playerOf } from '#server/calls/handler.ts';
import type { Receipt, RequestKey } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { averageDecimal, commitView, isoTime, netsView, outcomeId } from '#server/exchange/views/wire-views.ts';
import { standing } from '#server/money/cash-out/standing.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { MarketCashOut, NoCashOut } from '#values/market-cash-out.ts';
import { ENDED_STATUSES } from '#values/market-statuses.ts';
import { majorFromMinor } from '#values/money.ts';
import { sideName } from '#values/sides.ts';

/** How long a quote is valid while the player decides. */
const QUOTE_LIVES_MS = 5000;

interface Quote {
	listing: MarketListing;
	/** Net per runner now, minor units. */
	nets: number[];
	plan: MarketCashOut | Exclude<NoCashOut, 'NOTHING_TO_CASH_OUT'>;
	/** At the requested share. */
	part: MarketCashOut | Exclude<NoCashOut, 'NOTHING_TO_CASH_OUT'>;
}

/** @throws Refused if the market takes no bets or there is nothing to hedge */
function quoteOf({ exchange, fixtures }: Parts, marketId: string, share: number, caller: Caller): Quote {
	const { playerId } = playerOf(caller);
	const listing = listingOf(fixtures, marketId);
	const market = exchange.market(listing.id);
	if (!market || ENDED_STATUSES.has(market.status)) throw new Refused('MARKET_CLOSED');
	if (market.status !== 'OPEN') throw new Refused('MARKET_SUSPENDED');
	const { nets, plan, part } = standing(exchange, playerId, listing.id, share);
	if (plan === 'NOTHING_TO_CASH_OUT') throw new Refused(plan);
	if (part === 'NOTHING_TO_CASH_OUT') throw new Refused(part);
	return { listing, nets, plan, part };
}

const runnerIdOf = (listing: MarketListing, runner: number): string => listing.runners[runner]?.id ?? String(runner);

/**
 * The end of the quote's validity, and the figures to compare a cash-out with: of the whole position, as in the engine.
 */
const versionOf = (expiresAtMs: number, plan: MarketCashOut | null, cancelled: number): string =>
	[expiresAtMs, plan?.certain ?? 0, plan?.lines ?? 0, Math.max(plan?.cancelled ?? 0, cancelled)].join('.');

export function cashOutQuote(
	parts: Parts,
	input: RequestOf<Calls['cashOutQuote']>,
	caller: Caller,
): ResultOf<Calls['cashOutQuote']> {
	const { percent = 100 } = input;
	const { listing, nets, plan: whole, part } = quoteOf(parts, input.marketId, percent / 100, caller);
	const found = typeof whole === 'string' ? whole : part;
	const [plan, unavailable] = typeof found === 'string' ? [null, found] : [found, null];
	const expiresAtMs = Date.now() + QUOTE_LIVES_MS;
	return {
		marketId: input.marketId,
		quoteVersion: versionOf(expiresAtMs, typeof whole === 'string' ? null : whole, plan?.cancelled ?? 0),
		percent,
		expiresAt: isoTime(expiresAtMs),
		runners: nets.map((net, runner) => ({
			runnerId: outcomeId(listing, runner),
			now: majorFromMinor(net),
			after: majorFromMinor(plan?.after[runner] ?? net),
		})),
		amount: plan && majorFromMinor(plan.certain),
		unavailable,
		target: targetOf(parts, playerOf(caller).playerId, listing.id),
		bets: (plan?.hedges ?? []).map(({ runner, side, stake, value }) => ({
			runnerId: runnerIdOf(listing, runner),
			side: sideName(side),
			price: averageDecimal(stake, value) ?? 0,
			stake: majorFromMinor(stake),
		})),
		cancels: (plan?.cancels ?? []).map(({ betId, remaining }) => ({
			betId: String(betId),
			stake: majorFromMinor(remaining),
		})),
	};
}

function targetOf({ exchange }: Parts, playerId: PlayerId, marketId: MarketId): number | null {
	const target = exchange.cashOutTarget(playerId, marketId);
	return target === null ? null : majorFromMinor(target);
}

export function getCashOutTarget(
	parts: Parts,
	{ marketId }: RequestOf<Calls['getCashOutTarget']>,
	caller: Caller,
): ResultOf<Calls['getCashOutTarget']> {
	const { id } = listingOf(parts.fixtures, marketId);
	return { marketId, target: targetOf(parts, playerOf(caller).playerId, id) };
}

export async function setCashOutTarget(
	parts: Parts,
	input: RequestOf<Calls['setCashOutTarget']>,
	caller: Caller,
): Promise<ResultOf<Calls['setCashOutTarget']>> {
	const { playerId } = playerOf(caller);
	const { id: marketId } = listingOf(parts.fixtures, input.marketId);
	const { target } = input;
	const request = { kind: 'set-cash-out-target', walletId: playerId, marketId, target } as const;
	const { untilMs, requestId, trace } = caller;
	await parts.exchange.submit(request, undefined, { untilMs, requestId, trace });
	return { marketId: input.marketId, target: targetOf(parts, playerId, marketId) };
}

/** Checks the cash-out against the quote that the player was shown. @throws Refused QUOTE_MOVED if it expired */
function agreedTo(quoteVersion: string) {
	const [, expires, certain, lines, cancelled] =
		/^(\d{1,15})\.(-?\d{1,15})\.(-?\d{1,15})\.(\d{1,15})$/.exec(quoteVersion) ?? [];
	if (expires === undefined || Number(expires) < Date.now()) throw new Refused('QUOTE_MOVED');
	return { certain: Number(certain), lines: Number(lines), cancelled: Number(cancelled) };
}

/** Places the hedges, or none of them. @throws Refused */
async function hedge(
	{ exchange, fixtures }: Parts,
	input: RequestOf<Calls['cashOut']>,
	key: RequestKey,
	{ untilMs, requestId, trace }: Caller,
): Promise<Receipt> {
	const { walletId } = key;
	const { id: marketId } = listingOf(fixtures, input.marketId);
	const agreed = agreedTo(input.quoteVersion);
	try {
		const request = { kind: 'cash-out', walletId, marketId, share: input.fraction, agreed } as const;
		return await exchange.submit(request, key, { untilMs, requestId, trace });
	} catch (error) {
		if (!(error instanceof Refused && error.code === 'QUOTE_MOVED')) throw error;
		throw new Refused('QUOTE_MOVED', { amount: majorFromMinor(Number(error.details.certain)) });
	}
}

export async function cashOut(
	parts: Parts,
	input: RequestOf<Calls['cashOut']>,
	caller: Caller,
): Promise<ResultOf<Calls['cashOut']>> {
	const { playerId } = playerOf(caller);
	const { clientRequestId, marketId, fraction, quoteVersion } = input;
	const body = JSON.stringify(['CashOut', marketId, fraction, quoteVersion]);
	const key: RequestKey = { walletId: playerId, clientRequestId, body };
	// A repeated call gets its first answer, even if its quote has expired.
	const { untilMs } = caller;
	const receipt = (await parts.exchange.earlier(key, untilMs)) ?? (await hedge(parts, input, key, caller));
	const listing = listingOf(parts.fixtures, marketId);
	const nets = parts.exchange.profitLoss(playerId, listing.id);
	return {
		runners: nets ? netsView(listing, nets) : [],
		bets: (receipt.hedges ?? []).map(({ betId, runner, side, matched, matchedValue, dueAtMs }) => ({
			betId: String(betId),
			runnerId: runnerIdOf(listing, runner),
			side: sideName(side),
			matchedStake: majorFromMinor(matched),
			averagePrice: averageDecimal(matched, matchedValue),
			...(dueAtMs === null ? {} : { delayUntil: isoTime(dueAtMs) }),
		})),
		cancelledStake: majorFromMinor(receipt.cancelled),
		balance: majorFromMinor(receipt.balance),
		exposure: majorFromMinor(receipt.exposure),
		...commitView(receipt),
	};
}
