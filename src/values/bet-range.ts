/**
 * The largest profit and loss of one bet, in whole minor units: the same figures in the slip, in lists of bets, under the
 * runners and at the settlement. The amount held for it is rounded up, and may be a minor unit more.
 */
import { eachWayRange } from '#values/each-way.ts';
import { netMinor, netMinorOfParts } from '#values/liability.ts';
import { BACK, type SideCode } from '#values/sides.ts';

interface BetRange {
	profit: number;
	liability: number;
}

/**
 * @param value Σ stake × price of the bet, minor units × hundredths
 * @param stake minor units
 * @param terms `eachWay`: the divisor of an each-way market, 0 in others; `lines`: whether prices are lines
 */
export function betRange(
	side: SideCode,
	value: number,
	stake: number,
	{ eachWay, lines }: { eachWay: number; lines: boolean },
): BetRange {
	if (lines) return { profit: stake, liability: stake };
	if (eachWay > 0) {
		const { profit, liability } = eachWayRange(side, value, stake, eachWay);
		return { profit: netMinorOfParts(profit, eachWay), liability: 0 - netMinorOfParts(-liability, eachWay) };
	}
	const [profit, liability] = side === BACK ? [value - stake * 100, stake * 100] : [stake * 100, value - stake * 100];
	return { profit: netMinor(profit), liability: 0 - netMinor(-liability) };
}
