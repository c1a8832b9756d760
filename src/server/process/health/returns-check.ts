/**
 * Whether the games of the house pay as their pay tables say: how often each prize was paid in all rounds so far. GLI-19,
 * 4.15 and A.6.2.
 */
import { GAMES } from '#games/all-games.ts';
import { toNumber } from '#games/fraction.ts';
import type { RoundTallies } from '#server/money/casino/round-tallies.ts';
import { failing, type HealthCheck, ok } from '#server/process/health/check.ts';

/** Luck alone goes beyond it less than once in a billion looks at a prize. */
const RARER_THAN = 1e-9;
/** Bets that are named; the others are counted. */
const NAMED = 5;

/**
 * Whether luck does not explain how often a prize was paid. By Chernoff's bound, which holds for any number of rounds and
 * any chance: P ≤ exp(−rounds × D(share ‖ chance)).
 */
export function isBeyondLuck({ wins, rounds, chance }: { wins: number; rounds: number; chance: number }): boolean {
	if (rounds === 0) return false;
	const share = wins / rounds;
	const part = (of: number, expected: number): number => (of === 0 ? 0 : of * Math.log(of / expected));
	const divergence = part(share, chance) + part(1 - share, 1 - chance);
	return rounds * divergence > -Math.log(RARER_THAN);
}

export function returnsCheck(tallies: Pick<RoundTallies, 'of'>): HealthCheck {
	let counted = 0;
	const deviating = GAMES.flatMap((game) => {
		const { rounds: played, bets } = tallies.of(game);
		counted += played;
		return game.bets.flatMap(({ code, name, prizes }) => {
			const { rounds = 0, wins = [] } = bets[code] ?? {};
			return prizes.some(({ chance }, at) => isBeyondLuck({ wins: wins[at] ?? 0, rounds, chance: toNumber(chance) }))
				? [`${game.name}, ${name}`]
				: [];
		});
	});
	if (deviating.length === 0) return ok('returns', `The games pay as their pay tables say, in ${counted} rounds.`);
	const more = deviating.length > NAMED ? `, and ${deviating.length - NAMED} more` : '';
	return failing(
		'returns',
		`Luck does not explain what was paid on ${deviating.slice(0, NAMED).join('; ')}${more}.`,
		'Close the game under Casino, and compare its rounds with `npm run fair -- verify`.',
	);
}
