/**
 * Plans: triggers that keep an order in the book by one bet after another, and follow these bets. A plan holds for what it may
 * still place. What it does next depends on its bets and its book alone, so a look that comes to it once more changes nothing.
 */
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice, Ladder } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

export type Plan =
	/** Shows no more than `visible` of its stake at a time; what follows has no place in the queue yet. */
	| { kind: 'ICEBERG'; visible: AnyMinor }
	/**
	 * Its bet stays at the best price of its own side, or of the opposite one, or that many ticks better for the player, up to
	 * the trigger's limit. Bets of other pegs are no best price.
	 */
	| { kind: 'PEG'; follows: 'OWN' | 'OPPOSITE'; ticks: number }
	/**
	 * What is matched of its bet is closed by bets of the other side: that many ticks better than the bet's price, or when the
	 * last price is that many ticks worse. Each closes Σ stake × price of what is matched and still open.
	 */
	| { kind: 'BRACKET'; profitTicks: number; stopTicks: number };

/** Ticks. */
export const MOST_TICKS = 1_000;

/** The side of the bets that close what is matched of a bracket. */
export const otherSide = (side: SideCode): SideCode => (side === BACK ? LAY : BACK);

/** A price moved by ticks that are better for its side, or worse below zero; null beyond the ladder. */
function betterBy(ladder: Ladder, price: AnyPrice, side: SideCode, ticks: number): AnyPrice | null {
	const tick = ladder.tickOf(price) + (side === BACK ? ticks : -ticks);
	return tick >= 0 && tick < ladder.tickCount ? ladder.priceAt(tick) : null;
}

/** The prices at which a bracket closes: its aim and its stop; null where one is not on the ladder. */
export function exitsOf(
	{ ladder }: { ladder: Ladder },
	{ price, side, plan }: { price: AnyPrice; side: SideCode; plan?: Plan | null },
): { aim: AnyPrice; stop: AnyPrice } | null {
	if (plan?.kind !== 'BRACKET') return null;
	// A back is closed at a profit by a lay at a lower price: better for the lay.
	const aim = betterBy(ladder, price, otherSide(side), plan.profitTicks);
	const stop = betterBy(ladder, price, otherSide(side), -plan.stopTicks);
	return aim === null || stop === null ? null : { aim, stop };
}
