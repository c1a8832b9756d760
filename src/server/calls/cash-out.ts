/** Cashing out: a quote at the prices of the moment, and the bets that take it. */
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, listingOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { hedge as placeHedge, standing } from '#server/cash-out/hedging.ts';
import type { Done, RequestKey } from '#server/exchange/exchange.ts';
import { averageDecimal, isoTime, outcomeId } from '#server/exchange/wire-views.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { CashOutPlan, Hedge } from '#values/hedge.ts';
import { majorFromPaise } from '#values/money.ts';
import { sideName } from '#values/sides.ts';

/** A player's decision takes a moment; the market's must not take longer. */
const QUOTE_LIVES_MS = 5000;

interface Quote {
	listing: MarketListing;
	/** Net per runner now, paise. */
	nets: number[];
	plan: CashOutPlan | 'BOOK_TOO_THIN' | 'CASH_OUT_TOO_DEAR';
}

/** @throws Refused when the market takes no bets or there is nothing to hedge */
function quoteOf({ exchange, fixtures }: Parts, marketId: string, caller: Caller, share: number): Quote {
	const { playerId } = playerOf(caller);
	const listing = listingOf(fixtures, marketId);
	const market = exchange.market(listing.id);
	if (!market || ['CLOSED', 'SETTLED', 'VOIDED'].includes(market.status)) throw new Refused('MARKET_CLOSED');
	if (market.status !== 'OPEN') throw new Refused('MARKET_SUSPENDED');
	const { nets, plan } = standing(exchange, playerId, listing.id, share);
	if (plan === 'NOTHING_TO_CASH_OUT') throw new Refused(plan);
	return { listing, nets, plan };
}

const runnerIdOf = (listing: MarketListing, runner: number): string => listing.runners[runner]?.id ?? String(runner);

/** Until when the quote stands, and what a later cash-out is held against: what is certain, and the lines it was made at. */
const versionOf = (expiresAtMs: number, plan: CashOutPlan | null): string =>
	`${expiresAtMs}.${plan?.certain ?? 0}.${plan?.lines ?? 0}`;

export function cashOutQuote(
	parts: Parts,
	input: RequestOf<Calls['cashOutQuote']>,
	caller: Caller,
): ResultOf<Calls['cashOutQuote']> {
	const { listing, nets, plan: found } = quoteOf(parts, input.marketId, caller, 1);
	const [plan, unavailable] = typeof found === 'string' ? [null, found] : [found, null];
	const expiresAtMs = Date.now() + QUOTE_LIVES_MS;
	return {
		marketId: input.marketId,
		quoteVersion: versionOf(expiresAtMs, plan),
		expiresAt: isoTime(expiresAtMs),
		runners: nets.map((net, runner) => ({
			runnerId: outcomeId(listing, runner),
			now: majorFromPaise(net),
			after: majorFromPaise(plan?.after[runner] ?? net),
		})),
		amount: plan && majorFromPaise(plan.certain),
		unavailable,
		target: targetOf(parts, playerOf(caller).playerId, listing.id),
		bets: (plan?.hedges ?? []).map(({ runner, side, stake, value }) => ({
			runnerId: runnerIdOf(listing, runner),
			side: sideName(side),
			price: averageDecimal(stake, value) ?? 0,
			stake: majorFromPaise(stake),
		})),
	};
}

function targetOf({ autoCashOut }: Parts, playerId: number, marketId: number): number | null {
	const target = autoCashOut.target(playerId, marketId);
	return target === null ? null : majorFromPaise(target);
}

export async function setCashOutTarget(
	parts: Parts,
	input: RequestOf<Calls['setCashOutTarget']>,
	caller: Caller,
): Promise<ResultOf<Calls['setCashOutTarget']>> {
	const { playerId } = playerOf(caller);
	const listing = listingOf(parts.fixtures, input.marketId);
	const status = parts.exchange.market(listing.id)?.status;
	if (!status || ['CLOSED', 'SETTLED', 'VOIDED'].includes(status)) throw new Refused('MARKET_CLOSED');
	await parts.autoCashOut.set(playerId, listing.id, input.target);
	return { marketId: input.marketId, target: targetOf(parts, playerId, listing.id) };
}

/** What the player agreed to: the certain amount and the lines he was shown. @throws Refused QUOTE_MOVED when it is too late */
function agreed(quoteVersion: string): { certain: number; lines: number } {
	const [, expires, certain, lines] = /^(\d{1,15})\.(-?\d{1,15})\.(-?\d{1,15})$/.exec(quoteVersion) ?? [];
	if (expires === undefined || Number(expires) < Date.now()) throw new Refused('QUOTE_MOVED');
	return { certain: Number(certain), lines: Number(lines) };
}

/** @throws Refused when there is no cashing out */
function planOf(parts: Parts, input: RequestOf<Calls['cashOut']>, caller: Caller, share: number): CashOutPlan {
	const { plan } = quoteOf(parts, input.marketId, caller, share);
	if (typeof plan === 'string') throw new Refused(plan);
	return plan;
}

/** Each bet of a cash-out is remembered by itself, so that a repeated call places none of them again. */
const keyOf = (input: RequestOf<Calls['cashOut']>, playerId: number, runner: number): RequestKey => ({
	walletId: playerId,
	clientRequestId: `${input.clientRequestId}.${runner}`,
	body: JSON.stringify(['CashOut', input.marketId, input.fraction, input.quoteVersion]),
});

type Placed = { runner: number; side: 0 | 1; done: Done };

/** The bets an earlier call of the same request placed. */
async function placedEarlier(parts: Parts, input: RequestOf<Calls['cashOut']>, caller: Caller): Promise<Placed[]> {
	const { playerId } = playerOf(caller);
	const listing = listingOf(parts.fixtures, input.marketId);
	const placed: Placed[] = [];
	for (let runner = 0; runner < listing.runners.length; runner++) {
		const done = await parts.exchange.earlier(keyOf(input, playerId, runner));
		const side = done?.betId == null ? undefined : parts.exchange.bet(done.betId)?.side;
		if (done) placed.push({ runner, side: side ?? 0, done });
	}
	return placed;
}

async function place(parts: Parts, input: RequestOf<Calls['cashOut']>, caller: Caller, hedge: Hedge): Promise<Placed> {
	const { playerId } = playerOf(caller);
	const { runner, side } = hedge;
	const key = keyOf(input, playerId, runner);
	return { runner, side, done: await placeHedge(parts.exchange, playerId, Number(input.marketId), hedge, key) };
}

export async function cashOut(
	parts: Parts,
	input: RequestOf<Calls['cashOut']>,
	caller: Caller,
): Promise<ResultOf<Calls['cashOut']>> {
	const { playerId } = playerOf(caller);
	let placed = await placedEarlier(parts, input, caller);
	const listing = listingOf(parts.fixtures, input.marketId);
	if (placed.length === 0) {
		const shown = agreed(input.quoteVersion);
		const whole = planOf(parts, input, caller, 1);
		if (whole.certain < shown.certain || (whole.lines ?? 0) < shown.lines) {
			throw new Refused('QUOTE_MOVED', { amount: majorFromPaise(whole.certain) });
		}
		const { hedges } = planOf(parts, input, caller, input.fraction);
		for (const hedge of hedges) placed.push(await place(parts, input, caller, hedge));
		placed = placed.filter(({ done }) => done.betId !== null);
	}
	const wallet = parts.exchange.wallet(playerId);
	const nets = parts.exchange.profitLoss(playerId, listing.id)?.runners ?? [];
	return {
		runners: nets.map((net, runner) => ({ runnerId: outcomeId(listing, runner), profitLoss: majorFromPaise(net) })),
		bets: placed.map(({ runner, side, done }) => ({
			betId: String(done.betId),
			runnerId: runnerIdOf(listing, runner),
			side: sideName(side),
			matchedStake: majorFromPaise(done.matched),
			averagePrice: averageDecimal(done.matched, done.matchedValue),
		})),
		balance: majorFromPaise(wallet?.cash ?? 0),
		exposure: majorFromPaise(wallet?.exposure ?? 0),
	};
}
