/**
 * A runner's book tick by tick, in the layout of a trading ladder, and the effect of moving an order on it. Pure. A row
 * always shows the same tick, so that nothing moves under a finger.
 */

import { type Minor, minorOf, ZERO } from '#values/money.ts';
import type { Ladder, Price } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';

/** Rows above and below the middle one. */
export const TICKS_AROUND = 10;

interface Level {
	price: Price;
	size: Minor;
}

/** `back` holds the prices available to a backer, best first. */
export interface Depth {
	back: readonly Level[];
	lay: readonly Level[];
}

export interface LadderRow {
	tick: number;
	price: Price;
	/** Backers' stake that was matched at this price; 0 for none. */
	traded: Minor;
	/** The player's own unmatched bets at this price; those at the starting price have none yet. */
	backs: readonly OpenBet[];
	lays: readonly OpenBet[];
}

function mergedSide(live: readonly Level[], deep: readonly Level[], isDeeper: (price: Price, than: Price) => boolean) {
	const last = live.at(-1);
	return last ? [...live, ...deep.filter(({ price }) => isDeeper(price, last.price))] : live;
}

/** The hub's levels, which are the newest, and behind them the deeper ones of the last answer. */
export function mergedDepth(live: Depth | null, deep: Depth | null): Depth {
	if (!live || !deep) return live ?? deep ?? { back: [], lay: [] };
	return {
		back: mergedSide(live.back, deep.back, (price, than) => price < than),
		lay: mergedSide(live.lay, deep.lay, (price, than) => price > than),
	};
}

/** The tick between the best prices, else of the last traded price, else the middle of the ladder. */
export function middleTick(ladder: Ladder, { back, lay }: Depth, lastTraded: Price | null): number {
	const best = [back[0], lay[0]].flatMap((level) => (level ? [ladder.tickOf(level.price)] : []));
	const ticks = best.length > 0 ? best : lastTraded === null ? [] : [ladder.tickOf(lastTraded)];
	const known = ticks.filter((tick) => tick >= 0);
	if (known.length === 0) return Math.floor(ladder.tickCount / 2);
	return Math.round(known.reduce((sum, tick) => sum + tick, 0) / known.length);
}

/** The nearest middle whose window lies within the ladder. */
export function withinLadder(ladder: Ladder, middle: number): number {
	const last = ladder.tickCount - 1;
	return Math.max(Math.min(TICKS_AROUND, last), Math.min(middle, last - TICKS_AROUND));
}

/** What is offered in the window around a tick, by tick. */
export function offersAround(ladder: Ladder, middle: number, levels: readonly Level[]): Map<number, Minor> {
	const offers = new Map<number, Minor>();
	for (const { price, size } of levels) {
		const tick = ladder.tickOf(price);
		if (tick >= 0 && Math.abs(tick - middle) <= TICKS_AROUND) offers.set(tick, size);
	}
	return offers;
}

/** The rows around a tick, the highest price first. What is offered changes too often to be part of them. */
export function ladderRows(
	ladder: Ladder,
	middle: number,
	traded: readonly Level[],
	bets: readonly OpenBet[],
): LadderRow[] {
	const matched = new Map(traded.map(({ price, size }) => [price, size]));
	const first = Math.max(0, middle - TICKS_AROUND);
	const last = Math.min(ladder.tickCount - 1, middle + TICKS_AROUND);
	return Array.from({ length: last - first + 1 }, (_, at) => {
		const tick = last - at;
		const price = ladder.priceAt(tick);
		const own = bets.filter((bet) => bet.price === price && bet.remainingStake > 0 && !bet.onClose);
		return {
			tick,
			price,
			traded: matched.get(price) ?? ZERO,
			backs: own.filter(({ side }) => side === 'BACK'),
			lays: own.filter(({ side }) => side === 'LAY'),
		};
	});
}

/** Of the player's matched bets. */
export interface RunnerNets {
	/** If the runner wins. */
	wins: Minor;
	/** If it does not, at worst. */
	loses: Minor;
}

/** The net that a hedge of the runner at that price would make certain, rounded down. */
export const hedgedNet = ({ wins, loses }: RunnerNets, price: Price): Minor =>
	minorOf(Math.floor(loses + ((wins - loses) * 100) / price));

/** Orders of one side and price that are being moved, and their current tick. */
export interface Lifted {
	betIds: readonly string[];
	side: OpenBet['side'];
	from: number;
	to: number;
}

/** 'stays': back where it was. 'ended': nothing of it is unmatched any more. 'closed': the market takes no bets. */
type Drop = { kind: 'stays' | 'ended' | 'closed' } | { kind: 'moves'; bets: readonly OpenBet[]; price: Price };

/**
 * The effect of dropping now, possibly long after lifting: bets were matched, cancelled or replaced meanwhile, and the
 * market may have been suspended.
 */
export function dropOf(lifted: Lifted, ladder: Ladder, bets: readonly OpenBet[], takesBets: boolean): Drop {
	const { betIds, from, to } = lifted;
	if (to === from || to < 0 || to >= ladder.tickCount) return { kind: 'stays' };
	const left = bets.filter(({ betId, remainingStake }) => remainingStake > 0 && betIds.includes(betId));
	if (left.length === 0) return { kind: 'ended' };
	return takesBets ? { kind: 'moves', bets: left, price: ladder.priceAt(to) } : { kind: 'closed' };
}
