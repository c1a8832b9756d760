import { fraction, hundredths } from '#games/fraction.ts';
import { betFinder, type InstantGame, simpleBet } from '#games/game.ts';

export type CoinSide = 'heads' | 'tails';
const SIDES: readonly CoinSide[] = ['heads', 'tails'];
const NAMES: Record<CoinSide, string> = { heads: 'Heads', tails: 'Tails' };

const bets = SIDES.map((side) =>
	simpleBet<CoinSide>(
		{ code: side, name: NAMES[side], pays: hundredths(194), chance: fraction(1, 2) },
		(shown) => shown === side,
	),
);

export const coinFlip: InstantGame<CoinSide> = {
	code: 'coin-flip',
	name: 'Coin Flip',
	kind: 'instant',
	summary: 'Heads or tails.',
	rules: ['Both sides are equally likely.', 'The right side pays 1.94 times the stake.'],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => SIDES[draw(2)] as CoinSide,
	describe: (side) => NAMES[side],
};
