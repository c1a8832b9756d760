/** The profit and cost of a selection while it is typed, and why it cannot be placed yet. */

import { useQuery } from '@tanstack/react-query';
import { eachWayRange } from '#values/each-way.ts';
import { MAX_AMOUNT_MINOR, type Minor, minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { sideCode } from '#values/sides.ts';
import { EVENS } from '#values/starting-price.ts';
import type { Market } from '#web/api/answers.ts';
import { isWhenSound, stakeMinor } from '#web/betting/asked-terms.ts';
import { type Decision, decide } from '#web/betting/odds-policy.ts';
import { type BetPreview, outcomesOf, positionOf, previewBet, runnerAmong } from '#web/betting/position.ts';
import type { Selection } from '#web/betting/selection.ts';
import { type TakenTerms, takenTerms } from '#web/betting/taken-terms.ts';
import { formatMoney } from '#web/format.ts';
import { useFollowedMarket } from '#web/live/followed-market.ts';
import { useMarketNow } from '#web/live/followed-state.ts';
import { useCellPrice } from '#web/live/prices/live-prices.ts';
import { askedWords } from '#web/orders/amount-words.ts';
import { useOwnBets } from '#web/orders/own-bets.ts';
import { limitsQuery } from '#web/store/market-queries.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { useWallet } from '#web/store/wallet.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';
import { stakeUpTo } from '#web/typed-amount.ts';

export interface Draft {
	preview: BetPreview | null;
	/** Null when the bet can be placed. */
	reason: string | null;
	/** The reason is the market's, and accepting other odds does not help. */
	isBlocked: boolean;
	/** The player can fix the reason, so it is shown as an error and not as a state of the market. */
	reasonIsError: boolean;
	/** It is the stake that the player can fix. */
	stakeIsWrong: boolean;
	/** The best price a bet of this side can take now; null when there is none. */
	best: Price | null;
	/** How it went last: up, down, or not yet. */
	bestMove: -1 | 0 | 1;
	/** The decision of the player's odds policy about the offered price. */
	decision: Decision;
	/** Unmatched bets may rest in this market's book. */
	rests: boolean;
	/** What the market takes beside price and stake. */
	taken: TakenTerms;
	/** The bet takes the starting price: what was typed is a back's stake or a lay's liability, and no profit is known. */
	isAtStart: boolean;
	limits: { min: Minor; max: Minor } | null;
	/** The largest stake that limits and free balance allow. */
	maxStake: number;
	betDelaySeconds: number;
}

const WHY = SLIP_WORDS.why;
/** The smallest liability at the starting price, in smallest stakes. */
const LEAST_LIABILITY = 10;

function stakeProblem(
	text: string,
	stake: number | null,
	limits: Draft['limits'],
	cost: number,
	free: Minor,
): string | null {
	if (text === '') return WHY.noStake;
	if (stake === null) return askedWords(text) ?? WHY.badStake;
	if (limits && stake < limits.min) return WHY.small(formatMoney(limits.min));
	if (limits && stake > limits.max) return WHY.large(formatMoney(limits.max));
	return cost > free ? WHY.funds(formatMoney(free)) : null;
}

/** The round stake that the free balance covers at this price, if nothing else is held in the market. */
function affordable({ side, price, quoting }: Selection, eachWay: number | undefined, free: number): number {
	const risk = eachWay
		? eachWayRange(sideCode(side), price, 1, eachWay).liability / eachWay
		: side === 'BACK' || quoting === 'SPREAD'
			? 100
			: price - 100;
	return stakeUpTo((free * 100) / risk);
}

/** The market of a selection, the best price of its side, and why it takes no bets. */
function useSelectedMarket({ eventId, marketId, runnerId, side }: Selection) {
	const { data } = useQuery(eventMarketsQuery(eventId));
	const market = data?.markets.find(({ id }) => id === marketId);
	useFollowedMarket(marketId);
	// It may be open before it is listed: the server decides.
	const { head, status, paused } = useMarketNow(marketId, market?.status ?? 'OPEN');
	const cell = useCellPrice(marketId, runnerId, side === 'BACK' ? 'back' : 'lay', 0);
	const runnerStatus = head?.runnerStatus[runnerId] ?? 'ACTIVE';
	const blocked =
		data && !market
			? SLIP_WORDS.lineGone
			: status !== 'OPEN'
				? WHY.market
				: runnerStatus !== 'ACTIVE'
					? SLIP_WORDS.runnerClosed
					: paused
						? WHY.stale
						: null;
	return {
		market,
		blocked,
		best: cell?.price ?? null,
		bestMove: cell?.move ?? 0,
		inPlay: head?.inPlay === true,
	};
}

/** The bet's effect on the player's position in the market; null while that is not known. */
function usePreview(selection: Selection, market: Market | undefined, price: Price): BetPreview | null {
	const { openBets, profitLoss, isKnown } = useOwnBets();
	const stake = stakeMinor(selection.stake);
	if (stake === null || !market || !isKnown) return null;
	const outcomes = outcomesOf(market);
	const runner = runnerAmong(outcomes, selection.runnerId);
	if (runner < 0) return null;
	return previewBet(positionOf(outcomes, openBets, profitLoss), { runner, side: selection.side, price, stake });
}

export function useDraft(selection: Selection): Draft {
	const enabled = useSession((state) => state.user !== null);
	const policy = usePreferences((preferences) => preferences.oddsPolicy);
	const { market, blocked, best, bestMove, inPlay } = useSelectedMarket(selection);
	const limitAnswer = useQuery({ ...limitsQuery(selection.marketId), enabled }).data;
	const free = useWallet((wallet) => wallet.balance);
	const rests = market === undefined || market.bettingModel === 'EXCHANGE';
	const offer = {
		side: selection.side,
		asked: selection.price,
		best,
		rests,
		own: selection.ownPrice || selection.when !== '',
	};
	const decision = decide(policy, offer);
	const isAtStart = selection.when === 'START';
	const asked = isAtStart ? { ...selection, price: EVENS } : selection;
	const price = isAtStart
		? EVENS
		: decision.kind === 'go'
			? decision.price
			: decision.kind === 'ask'
				? decision.best
				: selection.price;
	const preview = usePreview(selection, market, price);
	const stake = stakeMinor(selection.stake);
	const leastStakes = isAtStart && selection.side === 'LAY' ? LEAST_LIABILITY : 1;
	const limits = limitAnswer ? { min: minorOf(limitAnswer.minStake * leastStakes), max: limitAnswer.maxStake } : null;
	const closed = blocked ?? (decision.kind === 'gone' ? SLIP_WORDS.houseGone : null);
	const ofStake = stakeProblem(selection.stake, stake, limits, preview?.cost ?? 0, free);
	const problem = ofStake ?? (isWhenSound(selection) ? null : isAtStart ? WHY.startLimit : WHY.when);
	return {
		preview,
		reason: closed ?? problem,
		isBlocked: closed !== null,
		reasonIsError: closed === null && problem !== null && selection.stake !== '',
		stakeIsWrong: closed === null && ofStake !== null && selection.stake !== '',
		best,
		bestMove,
		decision,
		rests,
		taken: takenTerms(market, inPlay),
		isAtStart,
		limits,
		maxStake: stakeUpTo(Math.min(limits?.max ?? 0, affordable(asked, market?.eachWayDivisor, free), MAX_AMOUNT_MINOR)),
		betDelaySeconds: market?.betDelaySeconds ?? 0,
	};
}
