/** Stakes that no game of the house takes, on whatever bet, and why; rupees. */
export const REFUSED_STAKES = [
	['a stake that is not whole', 10.5, 'INVALID_STAKE'],
	['a stake below the smallest', 9, 'STAKE_TOO_SMALL'],
	['a stake above the largest', 100_001, 'STAKE_TOO_LARGE'],
	['a negative stake', -10, 'VALIDATION_FAILED'],
	['an endless stake', 1e300, 'INVALID_AMOUNT'],
] as const;

type RefusedBet = readonly [what: string, game: string, bet: string, stake: number, code: string];

/** Bets that a game refuses, and with them these stakes on one of its bets. */
export const refusedBets = (game: string, bet: string, own: readonly RefusedBet[]): RefusedBet[] => [
	...own,
	...REFUSED_STAKES.map(([what, stake, code]) => [what, game, bet, stake, code] as const),
];
