import { fraction } from '#games/fraction.ts';
import type { Bet, InstantGame } from '#games/game.ts';

const SIDES = 10_000;
/** A larger chance would pay less than the stake. */
const MOST = 9_600;
const CODE = /^(under|over)-(\d{1,4})$/;

/** `under-4750` wins when the number is below 4,750; `over-4750` when it is 5,250 or more: the same chance. */
function betOf(code: string): Bet<number> | null {
	const [, side, digits = ''] = CODE.exec(code) ?? [];
	const chance = Number(digits);
	if (!side || chance < 1 || chance > MOST || digits !== String(chance)) return null;
	const limit = side === 'under' ? chance : SIDES - chance;
	return {
		code,
		name: side === 'under' ? `Below ${shown(limit)}` : `${shown(limit)} or above`,
		prizes: [{ name: 'Win', pays: fraction(9_700, chance), chance: fraction(chance, SIDES) }],
		prizeOf: (drawn) => ((side === 'under' ? drawn < limit : drawn >= limit) ? 0 : null),
	};
}

/** 0 to 9,999 as 00.00 to 99.99. */
const shown = (drawn: number): string => {
	const digits = String(drawn).padStart(4, '0');
	return `${digits.slice(0, 2)}.${digits.slice(2)}`;
};

export const dice: InstantGame<number> = {
	code: 'dice',
	name: 'Dice',
	kind: 'instant',
	summary: 'Choose your chance, then roll below or above the line.',
	rules: [
		'The roll is a number from 00.00 to 99.99, each equally likely.',
		'Below the line, or at the line and above, you win 97 divided by your chance in per cent.',
		'The chance is 0.01% to 96%.',
	],
	bets: ['under-100', 'under-1000', 'under-4850', 'over-4850', 'under-9000'].flatMap((code) => betOf(code) ?? []),
	betOf,
	outcomeOf: (draw) => draw(SIDES),
	describe: shown,
};
