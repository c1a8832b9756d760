/** Counts of paid bets, against returns that are worked out from the definitions. */
import { expect, it } from 'vitest';
import { countRounds, realisedReturn } from '#games/bet-tally.ts';
import { crash } from '#games/crash/crash.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { coinFlip } from '#games/instant/coin-flip.ts';
import { seededWords } from '#games/seeded-words.ts';
import { hiLo } from '#games/turns/hi-lo.ts';
import { mines } from '#games/turns/mines.ts';

const ROUNDS = 2_000;

it('counts a bet once in each round that decides it, with the prize that it is paid', () => {
	const rounds = [100, 150, 199, 200].map((cents) => ({ outcome: { cents }, choice: '' }));
	const counted = countRounds(crash, countRounds(crash, {}, rounds.slice(0, 1)), rounds.slice(1));
	expect(counted['target-150']).toEqual({ rounds: 4, wins: [3] });
	expect(counted['target-200']).toEqual({ rounds: 4, wins: [1] });
	// Mines in fields 0 and 7: three fields hit one of them, and bets on other numbers of mines are not decided.
	expect(countRounds(mines, {}, [{ outcome: [0, 7], choice: '2' }])).toEqual({ '2-3': { rounds: 1, wins: [0] } });
	expect(countRounds(mines, {}, [{ outcome: [3, 7], choice: '2' }])).toEqual({ '2-3': { rounds: 1, wins: [1] } });
	// A seven, then a king: higher is right, the other guesses are wrong.
	expect(countRounds(hiLo, {}, [{ outcome: [6, 12], choice: '' }])).toEqual({
		'7-higher': { rounds: 1, wins: [1] },
		'7-same': { rounds: 1, wins: [0] },
		'7-lower': { rounds: 1, wins: [0] },
	});
});

it('sets a band of 1.96 exact deviations of the mean', () => {
	const [bet] = coinFlip.bets;
	if (!bet) throw new Error('there is no bet');
	// 1.94 with a chance of a half: a deviation of 0.97, so 0.097 over a hundred rounds.
	const found = realisedReturn(bet, { rounds: 100, wins: [60] });
	expect(found?.realised).toBeCloseTo(1.164, 10);
	expect(found?.exact).toBeCloseTo(0.97, 10);
	expect(found?.within).toBeCloseTo(1.96 * 0.097, 10);
	expect(realisedReturn(bet, { rounds: 0, wins: [0] })).toBeNull();
});

it('makes the decisions of rounds with turns so that bets have their exact chances', () => {
	for (const [game, choice] of [
		[hiLo, ''],
		[mines, '3'],
	] as const) {
		const rounds = Array.from({ length: ROUNDS }, (_, nonce) => {
			const draw = drawFrom(seededWords({ serverSeed: 'ab'.repeat(32), clientSeed: game.code, nonce }));
			return { outcome: game.deal(draw, choice), choice };
		});
		const counted = countRounds(game, {}, rounds);
		for (const [code, count] of Object.entries(counted)) {
			const bet = game.bets.find((each) => each.code === code);
			const found = bet && realisedReturn(bet, count);
			// Twice the band is four deviations.
			expect(Math.abs((found?.realised ?? 0) - (found?.exact ?? 0)), code).toBeLessThan(2 * (found?.within ?? 0));
		}
	}
});
