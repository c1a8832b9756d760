import { fraction, hundredths, multipleText } from '#games/fraction.ts';
import { type Bet, betFinder, type InstantGame } from '#games/game.ts';

export type WheelRisk = 'low' | 'medium' | 'high';

/** Hundredths by segment, clockwise from the top. The sum is 1,940 on each wheel: 97 of 100. */
export const WHEELS: Readonly<Record<WheelRisk, readonly number[]>> = {
	low: [0, 120, 120, 120, 250, 120, 120, 0, 120, 0, 0, 120, 120, 120, 250, 120, 120, 0, 120, 0],
	medium: [0, 150, 0, 200, 0, 150, 0, 290, 0, 150, 0, 200, 0, 150, 0, 300, 0, 150, 0, 200],
	high: [1940, ...Array.from({ length: 19 }, () => 0)],
};
const SEGMENTS = WHEELS.low.length;
const NAMES: Record<WheelRisk, string> = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' };

function wheelBet(risk: WheelRisk): Bet<number> {
	const segments = WHEELS[risk];
	const paying = [...new Set(segments.filter((pays) => pays > 0))].sort((one, other) => one - other);
	return {
		code: risk,
		name: NAMES[risk],
		prizes: paying.map((pays) => ({
			name: multipleText(hundredths(pays)),
			pays: hundredths(pays),
			chance: fraction(segments.filter((segment) => segment === pays).length, SEGMENTS),
		})),
		prizeOf: (segment) => {
			const prize = paying.indexOf(segments[segment] as number);
			return prize < 0 ? null : prize;
		},
	};
}

const bets = (['low', 'medium', 'high'] as const).map(wheelBet);

export const wheel: InstantGame<number> = {
	code: 'wheel',
	name: 'Wheel',
	kind: 'instant',
	summary: 'A wheel of twenty segments, with three kinds of risk.',
	rules: ['The wheel stops at one of twenty segments, each equally likely.', 'The segment says what the stake pays.'],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => draw(SEGMENTS),
	describe: (segment) => `Segment ${segment + 1}`,
};
