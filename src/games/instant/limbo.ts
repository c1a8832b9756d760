import { CRASH_RETURN, crashTarget } from '#games/crash/crash.ts';
import { crashCentsOf } from '#games/crash/crash-result.ts';
import { MOST_CENTS } from '#games/crash/flight.ts';
import { hundredths, multipleText } from '#games/fraction.ts';
import type { Bet, InstantGame } from '#games/game.ts';

const CODE = /^target-([1-9]\d{2,6})$/;
/** Two draws of 26 bits are the 52 bits of the crash function. */
const HALF = 2 ** 26;

function betOf(code: string): Bet<number> | null {
	const cents = Number(CODE.exec(code)?.[1] ?? 0);
	if (cents < 101 || cents > MOST_CENTS) return null;
	return {
		...crashTarget(cents),
		name: `Target ${multipleText(hundredths(cents))}`,
		prizeOf: (reached) => (reached >= cents ? 0 : null),
	};
}

export const limbo: InstantGame<number> = {
	code: 'limbo',
	name: 'Limbo',
	kind: 'instant',
	summary: 'Name a target; the round reaches it, or it does not.',
	rules: [
		'The round’s multiplier is the crash function of your own seeds.',
		'At the target or above you win the target times your stake.',
		'Targets are 1.01x to 10,000.00x.',
	],
	bets: ['target-150', 'target-200', 'target-1000', 'target-10000'].flatMap((code) => betOf(code) ?? []),
	betOf,
	outcomeOf: (draw) => {
		const high = draw(HALF);
		return crashCentsOf(BigInt(high) * BigInt(HALF) + BigInt(draw(HALF)), CRASH_RETURN);
	},
	describe: (cents) => multipleText(hundredths(cents)),
};
