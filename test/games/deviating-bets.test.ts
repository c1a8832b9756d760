/** A game that pays otherwise than its pay table says is an alarm, and luck is none. */
import { expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { type BetTallies, countRounds } from '#games/bet-tally.ts';
import { drawFrom } from '#games/fair-draw.ts';
import type { Game } from '#games/game.ts';
import { coinFlip } from '#games/instant/coin-flip.ts';
import { keno } from '#games/instant/keno.ts';
import { seededWords } from '#games/seeded-words.ts';
import { deviatingBets, isBeyondLuck } from '#server/money/casino/deviating-bets.ts';
import { returnsCheck } from '#server/process/health/work-checks.ts';

const ROUNDS = 2_000;

const talliesOf = (of: Readonly<Record<string, BetTallies>>) => ({
	of: ({ code }: Game) => ({ payTable: '', rounds: of[code] ? ROUNDS : 0, voids: {}, bets: of[code] ?? {} }),
});

const checked = (of: Readonly<Record<string, BetTallies>>) => returnsCheck(deviatingBets(talliesOf(of)));

const coinTally = (heads: number, rounds = ROUNDS): BetTallies => ({
	heads: { rounds, wins: [heads] },
	tails: { rounds, wins: [rounds - heads] },
});

it('counts of real rounds of two games are well', () => {
	const played = [coinFlip, keno].map((game): [string, BetTallies] => {
		const draw = drawFrom(seededWords({ serverSeed: 'a', clientSeed: game.code, nonce: 0 }));
		const rounds = Array.from({ length: ROUNDS }, () => ({ outcome: game.outcomeOf(draw), choice: '' }));
		return [game.code, countRounds(game, {}, rounds)];
	});
	expect(checked(Object.fromEntries(played))).toMatchObject({
		state: 'ok',
		words: `The games pay as their pay tables say, in ${2 * ROUNDS} rounds.`,
	});
	expect(GAMES.length).toBeGreaterThan(2);
});

it('a coin that falls on one side too often is an alarm that names its bets, whichever side it is', () => {
	// Half of 2,000, and 150 more: 6.7 standard deviations.
	for (const heads of [1_150, 850])
		expect(checked({ [coinFlip.code]: coinTally(heads) })).toMatchObject({
			name: 'returns',
			state: 'failing',
			words: 'Luck does not explain what was paid on Coin Flip, Heads; Coin Flip, Tails.',
		});
	// 100 more: 4.5 standard deviations come once in 130,000 such counts.
	expect(checked({ [coinFlip.code]: coinTally(1_100) }).state).toBe('ok');
});

it('a rare prize is luck once, and not three times; a sure one that fails once is no luck', () => {
	const chance = 1e-6;
	expect([1, 2, 3].map((wins) => isBeyondLuck({ wins, rounds: 100, chance }))).toEqual([false, false, true]);
	expect(isBeyondLuck({ wins: 0, rounds: 0, chance })).toBe(false);
	expect(isBeyondLuck({ wins: 99, rounds: 100, chance: 1 })).toBe(true);
	expect(isBeyondLuck({ wins: 100, rounds: 100, chance: 1 })).toBe(false);
});
