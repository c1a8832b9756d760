/**
 * The definition of a game. Rules, pay table, bets, result and return come from one definition: the server pays by it,
 * the site shows it, and the tests enumerate it.
 */
import type { Draw } from '#games/fair-draw.ts';
import { add, type Fraction, multiply, NONE } from '#games/fraction.ts';

/** table: cards or a wheel with many bets · instant: one bet, one result · turns: the player decides during the round. */
export type GameKind = 'crash' | 'table' | 'instant' | 'turns';

interface GameText {
	/** Unique; part of addresses and of stored rounds. */
	readonly code: string;
	readonly name: string;
	/** One sentence. */
	readonly summary: string;
	readonly rules: readonly string[];
	/** Every bet of the pay table; a game whose bets are chosen freely names typical ones. */
	readonly bets: readonly BetTerms[];
}

/** A row of a bet's pay table. */
export interface Prize {
	readonly name: string;
	/** As a multiple of the stake, the stake included. */
	readonly pays: Fraction;
	readonly chance: Fraction;
}

export interface BetTerms {
	/** Unique within the game. */
	readonly code: string;
	readonly name: string;
	/** Outcomes that give none of these lose the stake. */
	readonly prizes: readonly Prize[];
}

export interface Bet<Outcome = unknown> extends BetTerms {
	/** Which of the prizes the outcome gives, by its index; null when the stake is lost. */
	prizeOf(outcome: Outcome): number | null;
}

/** A game in which nothing is decided after the bet. */
export interface RoundGame<Outcome = unknown> extends GameText {
	readonly kind: 'table' | 'instant';
	readonly bets: readonly Bet<Outcome>[];
	/** The bet of that code, also one that the pay table does not name; null when there is none. */
	betOf(code: string): Bet<Outcome> | null;
	/** The whole result; it depends on the draws alone. Plain JSON. */
	outcomeOf(draw: Draw): Outcome;
	/** The result in one line. */
	describe(outcome: Outcome): string;
}

/** A round after some actions of its player. */
export interface Turn<Shown = unknown> {
	/** The part of the round that the player may see. Plain JSON. */
	readonly shown: Shown;
	/** The player's possible actions; empty when the round has ended. */
	readonly actions: readonly string[];
	/** How many times the first stake is at risk. */
	readonly stakes: number;
	/** The payout of an ended round, as a multiple of the first stake; zero before. */
	readonly pays: Fraction;
	/** The result in one line; empty while the round goes on. */
	readonly result: string;
}

/** A game in which the player decides during the round. All draws are made before the first decision. */
export interface TurnGame<Hidden = unknown, Shown = unknown> extends GameText {
	readonly kind: 'turns';
	/** Whether this is a way to begin a round: the number of mines; empty where there is nothing to choose. */
	isChoice(choice: string): boolean;
	/** Everything that the round can come to show. Plain JSON. */
	deal(draw: Draw, choice: string): Hidden;
	/** The round after these actions; null when one of them was not possible. */
	turnAfter(hidden: Hidden, choice: string, actions: readonly string[]): Turn<Shown> | null;
	/** The most that the round can pay once this action was taken and went well; it tells nothing of what is hidden. */
	mostAfter(turn: Turn<Shown>, action: string): Fraction;
}

export interface CrashGame extends GameText {
	readonly kind: 'crash';
}

export type Game = RoundGame | TurnGame | CrashGame;

/** The average return of a bet on these terms, as a part of the stake. */
export const returnOf = ({ prizes }: BetTerms): Fraction =>
	prizes.reduce((sum, { pays, chance }) => add(sum, multiply(pays, chance)), NONE);

/** The payout in paise, rounded down once. */
export const payoutOf = (stakePaise: number, { numerator, denominator }: Fraction): number =>
	Number((BigInt(stakePaise) * numerator) / denominator);

/** A game with a fixed list of bets finds one by its code. */
export function betFinder<Outcome>(bets: readonly Bet<Outcome>[]): (code: string) => Bet<Outcome> | null {
	const byCode = new Map(bets.map((bet) => [bet.code, bet]));
	return (code) => byCode.get(code) ?? null;
}

/** A bet with one prize, for the outcomes that a condition names. */
export function simpleBet<Outcome>(
	terms: { code: string; name: string; pays: Fraction; chance: Fraction },
	wins: (outcome: Outcome) => boolean,
): Bet<Outcome> {
	const { code, name, pays, chance } = terms;
	return { code, name, prizes: [{ name: 'Win', pays, chance }], prizeOf: (outcome) => (wins(outcome) ? 0 : null) };
}
