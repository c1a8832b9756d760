/**
 * Bets that were not paid as their pay tables say, over all rounds of the house so far: GLI-19, 4.15 and A.6.2. Luck, not
 * the amount, is measured: a prize that was paid too seldom is found like one that was paid too often.
 */
import { GAMES } from '#games/all-games.ts';
import { toNumber } from '#games/fraction.ts';
import type { RoundTallies } from '#server/money/casino/round-tallies.ts';

/** Luck alone goes beyond it less than once in a billion looks at a prize. */
const RARER_THAN = 1e-9;

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

export interface DeviatingBets {
	/** Counted so far. */
	rounds: number;
	/** Names of games and bets. */
	deviating: readonly string[];
}

export function deviatingBets(tallies: Pick<RoundTallies, 'of'>): DeviatingBets {
	const counted = GAMES.map((game) => ({ game, ...tallies.of(game) }));
	const deviating = counted.flatMap(({ game, bets }) =>
		game.bets.flatMap(({ code, name, prizes }) => {
			const { rounds = 0, wins = [] } = bets[code] ?? {};
			const isFar = prizes.some(({ chance }, at) =>
				isBeyondLuck({ wins: wins[at] ?? 0, rounds, chance: toNumber(chance) }),
			);
			return isFar ? [`${game.name}, ${name}`] : [];
		}),
	);
	return { rounds: counted.reduce((sum, { rounds }) => sum + rounds, 0), deviating };
}
