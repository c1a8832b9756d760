/** Bets round after round until one of the player's own limits is reached. */

interface AutoBetPlan {
	/** Null for no limit. */
	rounds: number | null;
	/** Minor units; null for no limit. */
	stopLoss: number | null;
	stopWin: number | null;
}

export interface AutoBetRun extends AutoBetPlan {
	placed: number;
	/** Minor units won or lost since the start. */
	net: number;
}

type AutoBetEnd = 'rounds' | 'loss' | 'win';

/** The typed number of rounds; null for no limit, undefined for any other text: nothing starts without its limit. */
export function roundsOf(text: string): number | null | undefined {
	if (text === '') return null;
	const rounds = Number(text);
	return Number.isSafeInteger(rounds) && rounds > 0 ? rounds : undefined;
}

export const startedRun = (plan: AutoBetPlan): AutoBetRun => ({ ...plan, placed: 0, net: 0 });

export const withPlaced = (run: AutoBetRun): AutoBetRun => ({ ...run, placed: run.placed + 1 });

export const withResult = (run: AutoBetRun, profit: number): AutoBetRun => ({ ...run, net: run.net + profit });

/** Why no further bet is placed; null if it is. @param stake of the next bet, minor units */
export function endOf({ rounds, stopLoss, stopWin, placed, net }: AutoBetRun, stake: number): AutoBetEnd | null {
	if (rounds !== null && placed >= rounds) return 'rounds';
	// The next bet could pass the limit, so it is not placed.
	if (stopLoss !== null && net - stake < -stopLoss) return 'loss';
	return stopWin !== null && net >= stopWin ? 'win' : null;
}
