/**
 * A house that works together with all bettors of a shared round. At the lock they have the hashes of the chain, its salt
 * and the seeds, and they chose the seeds: nothing but the beacon's value is missing.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { toNumber } from '#games/fraction.ts';
import { sharedOutcome } from '#games/shared-result.ts';

const TRIED_SEEDS = 20;
const PAST_VALUES = 40;
const ROUNDS = 500;
/** Standard deviations of the number of wins; of a thousand fair samples none is further away. */
const MOST_DEVIATIONS = 4;

const digits = (name: string): string => createHash('sha256').update(name).digest('hex');
/** Signatures are 48 bytes, and none is known before its time. */
const signature = (name: string): string => `${digits(name)}${digits(`${name} end`).slice(0, 32)}`;

const SHARED = GAMES.filter((game) => game.kind === 'crash' || game.kind === 'table');

describe.each(SHARED.map((game) => [game.code, game] as const))('%s', (code, game) => {
	// The bet that is won most nearly every second time says most.
	const [{ bet, chance } = { bet: null, chance: 0 }] = game.bets
		.map((each) => ({ bet: each, chance: each.prizes.reduce((sum, prize) => sum + toNumber(prize.chance), 0) }))
		.sort((one, other) => Math.abs(one.chance - 0.5) - Math.abs(other.chance - 0.5));
	if (!bet) throw new Error(`${code} has no bets`);
	const chain = { hash: digits(`${code} h_n`), salt: digits(`${code} salt`), round: 1, returnPercent: 97 };
	const wins = (bettorSeeds: readonly string[], signed: string | null): boolean =>
		bet.prizeOf(sharedOutcome(game, { ...chain, bettorSeeds, signature: signed }) as never) !== null;
	const seeds = Array.from({ length: TRIED_SEEDS }, (_, at) => [`first-${at}`, `second-${at}`, `third-${at}`]);

	it('gives them the bet that they want as often as chance does', () => {
		const past = Array.from({ length: PAST_VALUES }, (_, at) => signature(`past ${at}`));
		const scores = seeds.map((chosen) => past.filter((signed) => wins(chosen, signed)).length);
		const best = seeds[scores.indexOf(Math.max(...scores))] ?? [];
		const won = Array.from({ length: ROUNDS }, (_, at) => signature(`to come ${at}`)).filter((signed) =>
			wins(best, signed),
		);
		const deviation = Math.sqrt(ROUNDS * chance * (1 - chance));
		expect(Math.abs(won.length - ROUNDS * chance)).toBeLessThan(MOST_DEVIATIONS * deviation);
	});

	it('gave it to them every time without a beacon: they tried seeds until it came', () => {
		expect(seeds.some((chosen) => wins(chosen, null))).toBe(true);
	});
});
