/**
 * Exposure of one player in a market with one winner: for each outcome the matched result plus what every unmatched
 * order would lose there; the worst outcome is what must be held. Exact amounts (hundredths of a paisa) throughout.
 * Source: exchange rules, "Exposure". The engine keeps such a position per player and market; the site rebuilds it from
 * what it knows to show what a bet would change.
 */
import { paiseToHold } from '#values/liability.ts';
import { BACK, type SideCode } from '#values/sides.ts';

export interface OutcomePosition {
	/** What every outcome has in common: −stake of each back, +stake of each lay. */
	base: number;
	/** Per runner, what its win adds to the base. */
	gain: Float64Array;
	/** Stakes of unmatched backs, all runners and per runner. */
	backs: number;
	backOn: Float64Array;
	/** Liability of unmatched lays per runner. */
	layOn: Float64Array;
}

export function emptyPosition(runners: number): OutcomePosition {
	return {
		base: 0,
		gain: new Float64Array(runners),
		backs: 0,
		backOn: new Float64Array(runners),
		layOn: new Float64Array(runners),
	};
}

/** Adds (or with a negative stake takes away) an unmatched order. */
export function addUnmatched(
	position: OutcomePosition,
	runner: number,
	side: SideCode,
	price: number,
	stake: number,
): void {
	if (side === BACK) {
		position.backs += stake * 100;
		position.backOn[runner] = (position.backOn[runner] as number) + stake * 100;
	} else {
		position.layOn[runner] = (position.layOn[runner] as number) + stake * (price - 100);
	}
}

/** Adds a matched part at the price it was matched. */
export function addMatched(
	position: OutcomePosition,
	runner: number,
	side: SideCode,
	price: number,
	stake: number,
): void {
	const sign = side === BACK ? 1 : -1;
	position.base -= sign * stake * 100;
	position.gain[runner] = (position.gain[runner] as number) + sign * stake * price;
}

/** Exact net of the matched bets if that runner wins. */
export function netIfWins(position: OutcomePosition, runner: number): number {
	return position.base + (position.gain[runner] as number);
}

/** What must be held, whole paise rounded up: the worst outcome with every unmatched order counted against the player. */
export function exposurePaise(position: OutcomePosition): number {
	let worst = Number.POSITIVE_INFINITY;
	const { base, gain, backs, backOn, layOn } = position;
	for (let runner = 0; runner < gain.length; runner++) {
		const result = base + (gain[runner] as number) - (backs - (backOn[runner] as number)) - (layOn[runner] as number);
		if (result < worst) worst = result;
	}
	return worst < 0 ? paiseToHold(-worst) : 0;
}
