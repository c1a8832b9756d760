import { fraction, hundredths, multipleText } from '#games/fraction.ts';
import type { Bet, CrashGame, CrashOutcome } from '#games/game.ts';

/** The return of our chains to bettors, in per cent. */
export const CRASH_RETURN = 97;

/** A bet that is cashed out at a target, in hundredths from 101. */
export const crashTarget = (cents: number): Bet<CrashOutcome> => ({
	code: `target-${cents}`,
	name: `Cash out at ${multipleText(hundredths(cents))}`,
	prizes: [
		{
			name: 'Reached before the crash',
			pays: hundredths(cents),
			chance: fraction((BigInt(CRASH_RETURN) * 2n ** 52n) / BigInt(cents), 2n ** 52n),
		},
	],
	prizeOf: (outcome) => (outcome.cents >= cents ? 0 : null),
});

export const crash: CrashGame = {
	code: 'crash',
	name: 'Crash',
	kind: 'crash',
	summary: 'The multiplier rises until it crashes: cash out before.',
	rules: [
		'Bets are taken for five to eight seconds before each flight.',
		'A bet that is cashed out at or before the crash pays its stake times the multiplier; any other bet is lost.',
		'A crash at 1.00x pays no bet. At 10,000.00x everybody is cashed out.',
		'A cash-out counts from the moment the server receives it. On a slow line it arrives late, which is a disadvantage; a cash-out at a target that you set before does not depend on your line.',
	],
	bets: [150, 200, 1_000, 10_000].map(crashTarget),
};
