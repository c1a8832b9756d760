/**
 * The only way in which calls order bets, for the site and the bots. It applies the refusals of the exchange, and
 * submits the player's protection and limits with the bet.
 */
import type { BetTerms, PostOnly } from '#engine/bet-detail.ts';
import type { PlaceBet } from '#engine/command.ts';
import type { UnmatchedPart } from '#engine/engine.ts';
import type { TriggerTerms } from '#engine/triggers/trigger.ts';
import type { SelfMatchChoice } from '#engine/wallets.ts';
import { activeListingOf, type Caller, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import type { AskedBet } from '#server/calls/profile-stakes.ts';
import type { Admission, BetRecord, BetReferences, Receipt, RequestKey } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { checkStakeStep } from '#server/money/funds/whole-coins.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';
import { netMinor, profitExact } from '#values/liability.ts';
import type { AnyMinor } from '#values/money.ts';
import {
	type AnyPrice,
	decimalFromPrice,
	ladderOf,
	MAX_PRICE,
	MIN_PRICE,
	priceFromDecimal,
} from '#values/price-ladder.ts';
import { BACK, type SideCode } from '#values/sides.ts';
import { type SportKey, sportById } from '#values/sports.ts';
import { EVENS } from '#values/starting-price.ts';

interface BetOrder {
	listing: MarketListing;
	/** Index of the runner; -1 for one that the market does not have. */
	runner: number;
	side: SideCode;
	/** The price as the caller wrote it. */
	decimal: number;
	stake: AnyMinor;
	persist: boolean;
	/** What is unmatched at the turn in-play takes the starting price. */
	takesStart?: boolean;
	fillOrKill: boolean;
	minFill?: AnyMinor | undefined;
	terms?: BetTerms | null;
	marketVersion?: number | undefined;
	/** The version of the book that the player saw. */
	bookVersion?: number | undefined;
}

export interface OrderTerms {
	key?: RequestKey | undefined;
	references?: BetReferences | undefined;
	/** The limit of bets per second for this interface; the brand's by default. */
	betsPerSecond?: number;
	/** Called when the exchange has ordered the bet, or refused it. */
	onOrdered?: () => void;
}

interface AskedTerms {
	postOnly?: PostOnly | undefined;
	/** An ISO time; or seconds from now. */
	goodTill?: string | undefined;
	goodForSeconds?: number | undefined;
	selfMatch?: SelfMatchChoice | undefined;
	group?: string | undefined;
}

/**
 * The terms of a bet; null without any.
 * @param clock the exchange's; read only for an end in seconds from now
 * @throws Refused VALIDATION_FAILED when its end is named in two ways
 */
export function betTerms(
	{ postOnly, goodTill, goodForSeconds, selfMatch, group }: AskedTerms,
	untilMatched: AnyMinor | undefined,
	clock: () => number,
): BetTerms | null {
	const isEndless = goodTill === undefined && goodForSeconds === undefined && untilMatched === undefined;
	// Most bets end here.
	if (isEndless && postOnly === undefined && selfMatch === undefined && group === undefined) return null;
	if (goodTill !== undefined && goodForSeconds !== undefined) throw new Refused('VALIDATION_FAILED');
	const namedEndMs = goodTill === undefined ? null : Date.parse(goodTill);
	const expiresAtMs = goodForSeconds === undefined ? namedEndMs : clock() + goodForSeconds * 1000;
	const later = { ...(untilMatched === undefined ? {} : { untilMatched }), ...(group === undefined ? {} : { group }) };
	const ends = { expiresAtMs, ...later };
	return { postOnly: postOnly ?? null, ...ends, selfMatch: selfMatch ?? null };
}

/** Hundredths on the market's ladder. @throws Refused with the two nearest prices */
function ladderPrice({ exchange }: Parts, marketId: MarketId | undefined, decimal: number): number {
	// The market of an ended bet is unknown here. Every price passes, so that a repetition reaches its first answer.
	const ladder = ladderOf(exchange.market(marketId ?? 0)?.ladder ?? { min: 1, max: MAX_PRICE, interval: 1 });
	const price = priceFromDecimal(decimal);
	if (price !== null && ladder.tickOf(price) >= 0) return price;
	const { below, above } = ladder.nearest(Math.min(decimal, 10_000) * 100);
	const nearest = [below, above].filter((near) => near !== null).map((near) => decimalFromPrice(near));
	throw new Refused('PRICE_NOT_ON_LADDER', { nearest });
}

/** @throws Refused, at once or by the promise: every bet comes through here, and each async function costs it a turn */
export function submitBet(parts: Parts, order: BetOrder, caller: Caller, terms: OrderTerms): Promise<Receipt> {
	const { playerId, pool } = playerOf(caller);
	const { listing, runner, side, stake, persist, fillOrKill, minFill, marketVersion, terms: betTerms } = order;
	if (runner < 0) throw new Refused('UNKNOWN_RUNNER');
	checkStakeStep(pool, stake);
	const price = ladderPrice(parts, listing.id, order.decimal);
	const { betsPerSecond, references } = terms;
	const asked = staked(listing, side, price, stake);
	const win = largestWin(asked, side, order.takesStart);
	const { sport, market } = placeOf(parts, listing, { runner, side, price, stake });
	const bet = { ...asked, win, sport, market };
	const admission = parts.betAdmission.take(playerId, caller.visitor, bet, betsPerSecond);
	const request: Omit<PlaceBet, 'betId'> = {
		kind: 'place-bet',
		walletId: playerId,
		marketId: listing.id,
		runner,
		side,
		price,
		stake,
		persist,
	};
	// Few bets have any of these.
	if (order.takesStart) request.takesStart = true;
	if (fillOrKill) request.fillOrKill = fillOrKill;
	if (minFill !== undefined) request.minFill = minFill;
	if (marketVersion !== undefined) request.marketVersion = marketVersion;
	if (betTerms) request.terms = betTerms;
	return parts.exchange.submit(request, terms.key, {
		untilMs: caller.untilMs,
		requestId: caller.requestId,
		trace: caller.trace,
		admit: heard(onLivePrices(parts, order, caller, admission), terms.onOrdered),
		references,
	});
}

interface OnCloseOrder {
	listing: MarketListing;
	/** Index of the runner; -1 for one that the market does not have. */
	runner: number;
	side: SideCode;
	/** The stake of a back, or what a lay can lose. */
	size: AnyMinor;
	/** The worst starting price, as the caller wrote it; null for any. */
	limit: number | null;
	marketVersion?: number | undefined;
}

/** Orders a bet on close, which counts at evens until the auction of the starting price. @throws Refused */
export async function submitOnClose(
	parts: Parts,
	{ listing, runner, side, size, limit, marketVersion }: OnCloseOrder,
	caller: Caller,
	terms: OrderTerms,
): Promise<Receipt> {
	const { playerId, pool } = playerOf(caller);
	if (runner < 0) throw new Refused('UNKNOWN_RUNNER');
	checkStakeStep(pool, size);
	const lowest = limit === null ? null : ladderPrice(parts, listing.id, limit);
	const asked = { ...staked(listing, side, EVENS, size), win: largestAtStart(side, size) };
	const bet = { ...asked, ...placeOf(parts, listing, { runner, side, price: EVENS, stake: size }) };
	return await parts.exchange.submit(
		{
			kind: 'place-bet',
			walletId: playerId,
			marketId: listing.id,
			runner,
			side,
			price: EVENS,
			stake: size,
			persist: false,
			onClose: { limit: lowest },
			...(marketVersion === undefined ? {} : { marketVersion }),
		},
		terms.key,
		{
			untilMs: caller.untilMs,
			requestId: caller.requestId,
			trace: caller.trace,
			admit: heard(parts.betAdmission.take(playerId, caller.visitor, bet, terms.betsPerSecond), terms.onOrdered),
			references: terms.references,
		},
	);
}

type TriggerOrder = Pick<BetOrder, 'listing' | 'runner' | 'side' | 'decimal' | 'stake' | 'persist'> &
	Pick<TriggerTerms, 'watches' | 'moves' | 'trail' | 'marketVersion' | 'plan'> & {
		/** The price at which it is reached, as the caller wrote it; null for a trailing one. */
		at: number | null;
	};

/** What a trigger waits for that is a plan: no price. */
export const AS_PLAN = { watches: 'NONE', moves: 'FALLS', at: null, trail: null } as const;

/** Orders a bet that is placed when a price is reached, or a plan: the player's protection counts it now. @throws Refused */
export async function submitTrigger(
	parts: Parts,
	{ listing, runner, decimal, at, ...order }: TriggerOrder,
	caller: Caller,
	terms: OrderTerms,
): Promise<Receipt> {
	const { playerId, pool } = playerOf(caller);
	if (runner < 0) throw new Refused('UNKNOWN_RUNNER');
	checkStakeStep(pool, order.stake);
	const price = ladderPrice(parts, listing.id, decimal);
	const reachedAt = at === null ? null : ladderPrice(parts, listing.id, at);
	const { side, stake } = order;
	const bet = { ...staked(listing, side, price, stake), ...placeOf(parts, listing, { runner, side, price, stake }) };
	const admission = parts.betAdmission.take(playerId, caller.visitor, bet, terms.betsPerSecond);
	return await parts.exchange.submit(
		{ kind: 'place-trigger', walletId: playerId, marketId: listing.id, runner, price, at: reachedAt, ...order },
		terms.key,
		{
			untilMs: caller.untilMs,
			requestId: caller.requestId,
			trace: caller.trace,
			admit: heard(admission, terms.onOrdered),
		},
	);
}

interface Replacement {
	betId: BetId;
	/** Null when the bet has ended. */
	bet: BetRecord | null;
	decimal: number;
}

/** Moves the unmatched part of a bet to another price. @throws Refused */
export async function submitReplacement(
	parts: Parts,
	{ betId, bet, decimal }: Replacement,
	caller: Caller,
	terms: OrderTerms,
): Promise<Receipt> {
	const { playerId } = playerOf(caller);
	const price = ladderPrice(parts, bet?.marketId, decimal);
	// A new price makes a new bet. In a closed sport, bets can only be cancelled.
	if (bet) activeListingOf(parts.fixtures, String(bet.marketId), caller);
	const replaced = replacedStake(parts, bet, price);
	const admission = parts.betAdmission.take(playerId, caller.visitor, replaced, terms.betsPerSecond);
	return await parts.exchange.submit({ kind: 'replace-bet', betId, walletId: playerId, price }, terms.key, {
		untilMs: caller.untilMs,
		requestId: caller.requestId,
		trace: caller.trace,
		admit: heard(admission, terms.onOrdered),
		// The bet at the new price counts as the same bet for the bot.
		references: bet?.references,
	});
}

interface Update {
	betId: BetId;
	/** Null when the bet has ended. */
	bet: BetRecord | null;
	persist: boolean;
	takesStart: boolean;
}

/**
 * Changes what becomes of the unmatched part of a bet at the turn in-play. One that takes the starting price may win more
 * than at its own, so it is judged by that; it stakes and risks nothing more. Any other change takes something back.
 * @throws Refused
 */
export async function submitUpdate(
	parts: Parts,
	{ betId, bet, persist, takesStart }: Update,
	caller: Caller,
	{ key, onOrdered, betsPerSecond }: OrderTerms,
): Promise<Receipt> {
	const { playerId } = playerOf(caller);
	const admission = takesStart
		? parts.betAdmission.take(playerId, caller.visitor, takingStart(parts, bet), betsPerSecond)
		: () => undefined;
	return await parts.exchange.submit(
		{ kind: 'update-bet', walletId: playerId, betId, persist, ...(takesStart ? { takesStart } : {}) },
		key,
		{
			untilMs: caller.untilMs,
			requestId: caller.requestId,
			trace: caller.trace,
			admit: heard(admission, onOrdered),
		},
	);
}

/** The check, and that the prices had not stopped. @throws Refused PRICES_PAUSED when the bet is ordered */
function onLivePrices(
	{ publisher }: Parts,
	{ listing, bookVersion }: BetOrder,
	caller: Caller,
	admission: Admission,
): Admission {
	if (bookVersion === undefined) return admission;
	return (openBets, wallets) => {
		if (publisher.isOldBook(listing.id, poolOf(caller), bookVersion)) throw new Refused('PRICES_PAUSED');
		admission(openBets, wallets);
	};
}

/** The check, and a notification of the caller. */
function heard(admission: Admission, onOrdered: (() => void) | undefined): Admission {
	if (!onOrdered) return admission;
	return (openBets, wallets) => {
		onOrdered();
		admission(openBets, wallets);
	};
}

/** A bet's stake, its largest loss, its win at that price, and what its market takes of winnings. */
function staked({ lineRange, commissionBp }: MarketListing, side: SideCode, price: AnyPrice, stake: AnyMinor) {
	const isLay = side === 1 && !lineRange;
	const win = lineRange ? stake : netMinor(profitExact(side, price, stake));
	return { stake, risk: isLay ? Math.ceil((stake * (price - 100)) / 100) : stake, win, commissionBp };
}

/** The largest win that a starting price can bring a stake or a liability: that of the highest price, or of the lowest. */
const largestAtStart = (side: SideCode, size: AnyMinor): AnyMinor =>
	side === BACK ? netMinor(profitExact(BACK, MAX_PRICE, size)) : Math.floor((size * 100) / (MIN_PRICE - 100));

/** At the price of a bet, or at the start if it takes that price with what is unmatched. */
const largestWin = (
	{ stake, risk, win }: Omit<AskedBet, 'commissionBp'>,
	side: SideCode,
	takesStart: boolean | undefined,
): AnyMinor => (takesStart ? Math.max(win, largestAtStart(side, side === BACK ? stake : risk)) : win);

const sportOf = ({ fixtures }: Parts, { fixtureId }: MarketListing): SportKey | null =>
	sportById(fixtures.fixture(fixtureId)?.sportId ?? 0)?.key ?? null;

/** Where a bet is placed, for the limits that hold there. */
const placeOf = (parts: Parts, listing: MarketListing, ...bets: readonly UnmatchedPart[]) => ({
	sport: sportOf(parts, listing),
	market: { marketId: listing.id, bets },
});

/** Of a bet that has ended: the exchange refuses it. */
const NOTHING_ASKED = { stake: 0, risk: 0, win: 0, commissionBp: 0, sport: null, market: null };

/** Of a bet's unmatched part, at its new price; the hold for the old price exists already. */
function replacedStake(parts: Parts, bet: BetRecord | null, price: AnyPrice) {
	const listing = bet && parts.fixtures.market(bet.marketId);
	if (!bet || !listing) return NOTHING_ASKED;
	const before = staked(listing, bet.side, bet.price, bet.remaining);
	const after = staked(listing, bet.side, price, bet.remaining);
	const { runner, side, remaining: stake } = bet;
	const there = placeOf(
		parts,
		listing,
		{ runner, side, price, stake },
		{ runner, side, price: bet.price, stake: -stake },
	);
	const win = largestWin(after, side, bet.takesStart);
	return { ...after, win, risk: Math.max(0, after.risk - before.risk), ...there };
}

/** What a bet whose unmatched part is to take the starting price adds: the largest win alone. */
function takingStart(parts: Parts, bet: BetRecord | null) {
	const listing = bet && parts.fixtures.market(bet.marketId);
	if (!bet || !listing) return NOTHING_ASKED;
	const { side, price, remaining } = bet;
	const asked = staked(listing, side, price, remaining);
	return { ...asked, stake: 0, risk: 0, win: largestWin(asked, side, true), ...placeOf(parts, listing) };
}

/**
 * The player's bet; `bet` is null when it has ended, because the exchange holds live bets only. Another player's bet
 * and an unknown id take the same path, so neither the answer nor its time tells them apart.
 * @throws Refused UNKNOWN_ORDER
 */
export async function ownBet(
	{ exchange, db }: Parts,
	wireId: string,
	playerId: PlayerId,
): Promise<{ betId: BetId; bet: BetRecord | null }> {
	const betId = Number(wireId);
	if (!Number.isSafeInteger(betId)) throw new Refused('UNKNOWN_ORDER');
	const bet = exchange.bet(betId);
	if (bet?.walletId === playerId) return { betId, bet };
	const { rowCount } = await db.query('select 1 from bet where bet_id = $1 and wallet_id = $2', [betId, playerId]);
	if (rowCount !== 1) throw new Refused('UNKNOWN_ORDER');
	return { betId, bet: null };
}
