/**
 * Rounds played as on the server return the figures of the pay tables.
 *
 * @module-tag thorough
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { rankOf } from '#games/cards.ts';
import { CRASH_RETURN, crashTarget } from '#games/crash/crash.ts';
import { crashCentsOf } from '#games/crash/crash-result.ts';
import { type Draw, drawFrom } from '#games/fair-draw.ts';
import { toNumber } from '#games/fraction.ts';
import { type BetTerms, type Game, type RoundGame, returnOf, type TurnGame } from '#games/game.ts';
import { type BlackjackShown, blackjack } from '#games/turns/blackjack.ts';
import { hiLo } from '#games/turns/hi-lo.ts';
import { mines, minesBet } from '#games/turns/mines.ts';
import { bestPlay } from './best-blackjack.ts';
import { byForm } from './form.ts';

const SIMULATED_ROUNDS = byForm(4_000, 10_000_000);

/** SHA-512 of a counter: HMAC would give the same distribution at a tenth of the speed. */
function testDraw(seed: string): Draw {
	let block = Buffer.alloc(0);
	let [used, count] = [0, 0];
	return drawFrom(() => {
		if (used === block.length) {
			block = createHash('sha512').update(`${seed}:${count++}`).digest();
			used = 0;
		}
		used += 4;
		return block.readUInt32BE(used - 4);
	});
}

/** The average of paid multiples, which must lie within four standard errors of the expected one. */
function expectAverage(name: string, expected: number, sums: { paid: number; squares: number }): void {
	const average = sums.paid / SIMULATED_ROUNDS;
	const deviation = Math.sqrt(Math.max(sums.squares / SIMULATED_ROUNDS - average ** 2, 0) / SIMULATED_ROUNDS);
	expect([name, Math.abs(average - expected) < 4 * deviation]).toEqual([name, true]);
}

/** The exact standard error, from the pay table. */
function standardError(bet: BetTerms): number {
	const mean = toNumber(returnOf(bet));
	const square = bet.prizes.reduce((sum, { pays, chance }) => sum + toNumber(pays) ** 2 * toNumber(chance), 0);
	return Math.sqrt((square - mean ** 2) / SIMULATED_ROUNDS);
}

const isRoundGame = (game: Game): game is Extract<Game, RoundGame> => game.kind === 'table' || game.kind === 'instant';

it.each(GAMES.filter(isRoundGame).map((game) => [game.name, game] as const))(
	'%s returns what its pay table says, within four standard errors',
	(_, game) => {
		const draw = testDraw(game.code);
		// Of the many bets of one shape a few are enough.
		const step = Math.ceil(game.bets.length / 16);
		const bets = game.bets.filter((_, index) => index % step === 0);
		// Fractions of BigInt are made numbers once: made at each win they take most of the time of 10^7 rounds.
		const pays = bets.map(({ prizes }) => prizes.map((prize) => toNumber(prize.pays)));
		const paid = bets.map(() => 0);
		for (let round = 0; round < SIMULATED_ROUNDS; round++) {
			const outcome = game.outcomeOf(draw);
			for (const [index, bet] of bets.entries()) {
				const prize = bet.prizeOf(outcome);
				if (prize !== null) paid[index] = (paid[index] as number) + (pays[index]?.[prize] as number);
			}
		}
		for (const [index, bet] of bets.entries()) {
			const off = Math.abs((paid[index] as number) / SIMULATED_ROUNDS - toNumber(returnOf(bet)));
			expect([bet.code, off / standardError(bet) < 4]).toEqual([bet.code, true]);
		}
	},
	3_600_000,
);

it('Crash returns 97% at every target, within four standard errors', () => {
	const draw = testDraw('crash');
	const targets = [101, 150, 200, 1_000];
	const wins = targets.map(() => 0);
	for (let round = 0; round < SIMULATED_ROUNDS; round++) {
		const cents = crashCentsOf(BigInt(draw(2 ** 26)) * 2n ** 26n + BigInt(draw(2 ** 26)), CRASH_RETURN);
		for (const [index, target] of targets.entries()) if (cents >= target) wins[index] = (wins[index] as number) + 1;
	}
	for (const [index, target] of targets.entries()) {
		const average = ((wins[index] as number) * target) / 100 / SIMULATED_ROUNDS;
		expect(Math.abs(average - 0.97) / standardError(crashTarget(target))).toBeLessThan(4);
	}
}, 3_600_000);

/** Plays a round to its end. */
function played<Hidden, Shown>(
	game: TurnGame<Hidden, Shown>,
	draw: Draw,
	choice: string,
	decide: (shown: Shown, taken: number) => string,
): { paid: number; stakes: number } {
	const hidden = game.deal(draw, choice);
	const actions: string[] = [];
	for (;;) {
		const turn = game.turnAfter(hidden, choice, actions);
		if (!turn) throw new Error(`not possible: ${actions.join(' ')}`);
		if (turn.actions.length === 0) return { paid: toNumber(turn.pays), stakes: turn.stakes };
		const action = decide(turn.shown, actions.length);
		if (!turn.actions.includes(action)) throw new Error(`not offered: ${action}`);
		actions.push(action);
	}
}

function simulate(name: string, expected: number, play: (draw: Draw) => { paid: number; stakes: number }): void {
	const draw = testDraw(name);
	const sums = { paid: 0, squares: 0 };
	for (let round = 0; round < SIMULATED_ROUNDS; round++) {
		const { paid, stakes } = play(draw);
		// The player pays a doubled stake in, so it is subtracted from the return of the first one.
		const value = paid - (stakes - 1);
		sums.paid += value;
		sums.squares += value * value;
	}
	expectAverage(name, expected, sums);
}

it('Mines, HiLo and Blackjack return the figures of their definitions, within four standard errors', () => {
	simulate('mines', toNumber(returnOf(minesBet(3, 4))), (draw) =>
		played(mines, draw, '3', (_, taken) => (taken < 4 ? `open-${taken * 6}` : 'cash-out')),
	);
	// The first guess is the likelier one; then the player stops.
	const likelier = (card: number) => (rankOf(card) >= 6 ? 'lower' : 'higher');
	const expected = Array.from({ length: 13 }, (_, rank) => {
		const bet = hiLo.bets.find(
			({ code }) => code === `${'A,2,3,4,5,6,7,8,9,10,J,Q,K'.split(',')[rank]}-${likelier(rank)}`,
		);
		return toNumber(returnOf(bet as BetTerms)) / 13;
	}).reduce((sum, part) => sum + part, 0);
	simulate('hi-lo', expected, (draw) =>
		played(hiLo, draw, '', ({ cards }, taken) => (taken === 0 ? likelier(cards[0] as number) : 'cash-out')),
	);
	const { decide, value } = bestPlay();
	const countOf = (card: number) => Math.min(rankOf(card) + 1, 10);
	simulate('blackjack', toNumber(value), (draw) =>
		played(blackjack, draw, '', ({ player, dealer }: BlackjackShown) =>
			decide(player.map(countOf), countOf(dealer[0] as number)),
		),
	);
}, 3_600_000);
