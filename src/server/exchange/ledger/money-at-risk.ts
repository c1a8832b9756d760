/**
 * What a player had at risk in a market or a round of the casino that is decided. The row is written in the batch that
 * decides it; a market that is reopened leaves a row of nothing until it is settled again. What the rows come to by event,
 * and who has an interest in common, is asked in `server/money/funds/money-at-risk`.
 */
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { exposureMinor, netIfWins } from '#values/exposure.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { SHORTEST_WAGERED } from '#values/wagering.ts';

/** In the place of a game's code. */
export const MARKET = 'market';

export interface RiskRow extends MarketAtRisk {
	walletId: WalletId;
	/** `MARKET`, or the code of a game. */
	what: string;
	/** The market, the round that everybody plays, or the workflow of the player's own round. */
	ref: number;
	/** When the first of its bets was placed. */
	sinceMs: number;
}

interface MarketAtRisk {
	/** The largest possible loss, minor units. */
	amount: AnyMinor;
	/** That of the bets at the shortest odds that count or longer alone, and no more than the amount. */
	longAmount: AnyMinor;
	/**
	 * What each runner's win comes to, in hundredths of a minor unit, so that markets with the same outcomes can be added up;
	 * null for a runner that was taken out. Null in markets where other than one runner wins.
	 */
	worths: readonly (number | null)[] | null;
}

export const NOTHING_AT_RISK: MarketAtRisk = { amount: 0, longAmount: 0, worths: null };

/** @param bets those of one player that won or lost; void ones had nothing at risk */
export function marketAtRisk(market: MarketView, bets: readonly BetRecord[]): MarketAtRisk {
	const position = positionOf(market, bets);
	const amount = exposureMinor(position);
	const long = bets.filter((bet) => isLong(market, bet));
	const longAmount = long.length === bets.length ? amount : Math.min(amount, exposureMinor(positionOf(market, long)));
	if (position.winners !== 1 || position.line !== null || position.eachWay > 0)
		return { amount, longAmount, worths: null };
	const runners = Array.from({ length: market.runners }, (_, runner) => runner);
	return {
		amount,
		longAmount,
		worths: runners.map((runner) => (position.out?.has(runner) ? null : netIfWins(position, runner))),
	};
}

/** Bets on lines are at evens, whatever line their price names. */
const isLong = ({ ladder }: MarketView, { matched, matchedValue }: BetRecord): boolean =>
	typeof ladder !== 'string' || matchedValue >= matched * SHORTEST_WAGERED;
