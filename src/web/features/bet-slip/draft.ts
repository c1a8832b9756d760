/** What a selection comes to as it is typed: what it wins, what it costs, and why it cannot be placed yet. */

import { useQuery } from '@tanstack/react-query';
import { MAX_AMOUNT_PAISE } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { formatMoney } from '#web/format.ts';
import { useLine } from '#web/store/line.ts';
import { type BetPreview, positionOf, previewBet } from '#web/store/position.ts';
import { useCellPrice, useMarketHead } from '#web/store/prices/live-prices.ts';
import { eventMarketsQuery, limitsQuery, openBetsQuery, profitLossQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { type Selection, stakePaise } from '#web/store/slip.ts';
import { useWallet } from '#web/store/wallet.ts';
import { TEXTS } from '#web/texts.ts';

export interface Draft {
	preview: BetPreview | null;
	/** Null when the bet can be placed as it stands. */
	reason: string | null;
	/** The reason is the player's to mend, so it is shown as an error and not as a state of the market. */
	reasonIsError: boolean;
	/** The best price a bet of this side can take now, hundredths; null when there is none. */
	best: Price | null;
	/** True when the price asked for can no longer be taken at once. */
	waits: boolean;
	/** Major units. */
	limits: { min: number; max: number } | null;
	/** The largest stake that limits and free balance allow, paise. */
	maxStake: number;
	betDelaySeconds: number;
}

const WHY = TEXTS.slip.why;

function stakeProblem(
	text: string,
	stake: number | null,
	limits: Draft['limits'],
	cost: number,
	free: number,
): string | null {
	if (text === '') return WHY.noStake;
	if (stake === null) return WHY.badStake;
	if (limits && stake < limits.min * 100) return WHY.small(formatMoney(limits.min));
	if (limits && stake > limits.max * 100) return WHY.large(formatMoney(limits.max));
	return cost > free ? WHY.funds(formatMoney(free / 100)) : null;
}

/** Whole rupees that a free balance still covers at this price, when nothing else is held in the market. */
function affordable(selection: Selection, free: number): number {
	const risk = selection.side === 'BACK' ? 100 : selection.price - 100;
	return Math.floor((free * 100) / risk / 100) * 100;
}

export function useDraft(selection: Selection): Draft {
	const enabled = useSession((state) => state.user !== null);
	const market = useQuery(eventMarketsQuery(selection.eventId)).data?.markets.find(
		({ id }) => id === selection.marketId,
	);
	const limitAnswer = useQuery({ ...limitsQuery(selection.marketId), enabled }).data;
	const openBets = useQuery({ ...openBetsQuery(), enabled }).data?.openBets ?? [];
	const profitLoss = useQuery({ ...profitLossQuery(), enabled }).data ?? [];
	const head = useMarketHead(selection.marketId);
	const stale = useLine((line) => line.stale) || head?.whole === false;
	const free = Math.round(useWallet((wallet) => wallet.balance) * 100);
	const cell = useCellPrice(selection.marketId, selection.runnerId, selection.side === 'BACK' ? 'back' : 'lay', 0);

	const stake = stakePaise(selection.stake);
	const runnerIds = market?.runners.map(({ id }) => id) ?? [];
	const runner = runnerIds.indexOf(selection.runnerId);
	const limits = limitAnswer ? { min: limitAnswer.minStake, max: limitAnswer.maxStake } : null;
	const preview =
		stake !== null && runner >= 0
			? previewBet(positionOf(selection.marketId, runnerIds, openBets, profitLoss), {
					runner,
					side: selection.side,
					price: selection.price,
					stake,
				})
			: null;
	const best = cell ? (Math.round(cell.price * 100) as Price) : null;
	const status = head?.status ?? market?.status ?? 'OPEN';
	const blocked = status !== 'OPEN' ? WHY.market : stale ? WHY.stale : null;
	const problem = stakeProblem(selection.stake, stake, limits, preview?.cost ?? 0, free);
	return {
		preview,
		reason: blocked ?? problem,
		reasonIsError: blocked === null && problem !== null && selection.stake !== '',
		best,
		waits: best === null || (selection.side === 'BACK' ? best < selection.price : best > selection.price),
		limits,
		maxStake: Math.min((limits?.max ?? 0) * 100, affordable(selection, free), MAX_AMOUNT_PAISE),
		betDelaySeconds: market?.betDelaySeconds ?? 0,
	};
}
