/**
 * How often the bets of a game's pay table were paid: the server counts rounds with it, and the page makes returns of the
 * counts. Each bet counts as if it had been made once in every round, so no stake, choice or limit of a player weighs in it.
 */
import { toNumber } from '#games/fraction.ts';
import { type Bet, type BetTerms, type Game, returnOf } from '#games/game.ts';

interface BetTally {
	/** In which the bet was possible. */
	rounds: number;
	/** How many of them paid each of the bet's prizes. */
	wins: readonly number[];
}

/** By the bet's code. */
export type BetTallies = Readonly<Record<string, BetTally>>;

/** An ended round. */
interface CountedRound {
	/** As the game's definition shapes it. */
	outcome: unknown;
	/** How a round with turns was begun; empty elsewhere. */
	choice: string;
}

/** The bets that the round decides, each with the index of its prize, or null if it is lost. */
function decidedBets(game: Game, { outcome, choice }: CountedRound): readonly (readonly [string, number | null])[] {
	if (game.kind === 'turns') return game.decidedBets(outcome, choice);
	const bets: readonly Bet[] = game.bets;
	return bets.map((bet) => [bet.code, bet.prizeOf(outcome)] as const);
}

/** The tallies with those rounds. */
export function countRounds(game: Game, tallies: BetTallies, rounds: readonly CountedRound[]): BetTallies {
	const counts = new Map(Object.entries(tallies).map(([code, count]) => [code, { ...count, wins: [...count.wins] }]));
	const newCounts = new Map(game.bets.map(({ code, prizes }) => [code, { rounds: 0, wins: prizes.map(() => 0) }]));
	for (const round of rounds)
		for (const [code, prize] of decidedBets(game, round)) {
			const count = counts.get(code) ?? newCounts.get(code);
			if (!count) throw new Error(`${game.code} does not list the bet ${code}`);
			counts.set(code, count);
			count.rounds++;
			if (prize !== null) count.wins[prize] = (count.wins[prize] ?? 0) + 1;
		}
	return Object.fromEntries(counts);
}

/** As parts of the stake. */
export interface RealisedReturn {
	realised: number;
	exact: number;
	/** Of 100 samples as large as this one, 95 are no further than this from the exact return. */
	within: number;
}

/** Hundredths of a standard error to either side, of a normal distribution. */
const BAND = 196;

/** Null without a round. The deviation is the exact one of the pay table, and no estimate. */
export function realisedReturn(bet: BetTerms, { rounds, wins }: BetTally): RealisedReturn | null {
	if (rounds === 0) return null;
	const exact = toNumber(returnOf(bet));
	let [paid, squares] = [0, 0];
	for (const [index, { pays, chance }] of bet.prizes.entries()) {
		paid += toNumber(pays) * (wins[index] ?? 0);
		squares += toNumber(chance) * toNumber(pays) ** 2;
	}
	return { realised: paid / rounds, exact, within: (BAND * Math.sqrt((squares - exact ** 2) / rounds)) / 100 };
}
