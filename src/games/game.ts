/**
 * The definition of a game. Rules, pay table, bets, result and return come from one definition: the server pays by it,
 * the site shows it, and the tests enumerate it.
 */
import type { Draw } from '#games/fair-draw.ts';
import { add, compare, type Fraction, multiply, NONE } from '#games/fraction.ts';

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

/** A way to play all of a round, and what it returns on average of what it stakes. */
interface Strategy {
	/** In words; ends a sentence. */
	readonly name: string;
	readonly returns: Fraction;
}

export interface Bet<Outcome = unknown> extends BetTerms {
	/** Which of the prizes the outcome gives, by its index; null when the stake is lost. */
	prizeOf(outcome: Outcome): number | null;
}

/** A game in which nothing is decided after the bet. */
export interface RoundGame<Outcome = unknown> extends GameText {
	readonly kind: 'instant' | 'table';
	readonly bets: readonly Bet<Outcome>[];
	/** The bet of that code, also one that the pay table does not name; null when there is none. */
	betOf(code: string): Bet<Outcome> | null;
	/** The whole result; it depends on the draws alone. Plain JSON. */
	outcomeOf(draw: Draw): Outcome;
	/** The result in one line. */
	describe(outcome: Outcome): string;
}

/** A game that one player plays, a round a bet. */
export interface InstantGame<Outcome = unknown> extends RoundGame<Outcome> {
	readonly kind: 'instant';
}

/** How the history of a table shows a result. */
interface RoadMark {
	/** Which side won, or of which kind the result is; the same for the same kind. */
	readonly side: string;
	/** At most three characters. */
	readonly text: string;
}

/** Some bets of a table, with outcomes in which they are paid in each way in which they can be paid together. */
export interface Faces<Outcome> {
	readonly bets: readonly string[];
	readonly outcomes: readonly Outcome[];
}

/** What everybody sees from a moment on, milliseconds after the bets were locked. */
interface Reveal<Outcome> {
	readonly atMs: number;
	/** The part of the outcome that lies on the table; the last one is all of it. */
	readonly shown: Partial<Outcome> | Outcome;
}

/** A game whose rounds everybody plays together. */
export interface TableGame<Outcome = unknown> extends RoundGame<Outcome> {
	readonly kind: 'table';
	/** How long a round takes bets, milliseconds. */
	readonly windowMs: number;
	/** The outcome step by step; everything that has an end is shown by then. */
	revealsOf(outcome: Outcome): readonly Reveal<Outcome>[];
	/** How long the last step is looked at before bets are settled, milliseconds. */
	readonly holdMs: number;
	/** Each bet stands in one of these: together they bound what the house can lose. */
	faces(): readonly Faces<Outcome>[];
	markOf(outcome: Outcome): RoadMark;
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
	/** What the house does in an open round that its player left; null gives the stake back. */
	abandonedAction(turn: Turn<Shown>): string | null;
	/** The same in words; ends a sentence. */
	readonly abandoned: string;
	/** The worst decisions that the rules allow. */
	readonly worstPlay: Strategy;
}

export interface CrashGame extends GameText {
	readonly kind: 'crash';
}

/** table: one result for everybody's bets · instant: one bet, one result · turns: the player decides during the round. */
export type Game = InstantGame | TableGame | TurnGame | CrashGame;

/** The average return of a bet on these terms, as a part of the stake. */
export const returnOf = ({ prizes }: BetTerms): Fraction =>
	prizes.reduce((sum, { pays, chance }) => add(sum, multiply(pays, chance)), NONE);

/** The returns of a game's worst and best bet, and of the worst that a player can do within the rules. */
export function returnsOf(game: Game): { lowest: Fraction; highest: Fraction; worst: Strategy } {
	const bets = game.bets.map((bet) => ({ name: bet.name, returns: returnOf(bet) }));
	const ordered = bets.sort((one, other) => compare(one.returns, other.returns));
	const [least, most] = [ordered[0] as Strategy, ordered.at(-1) as Strategy];
	return {
		lowest: least.returns,
		highest: most.returns,
		worst: game.kind === 'turns' ? game.worstPlay : least,
	};
}

/** The payout in paise, rounded down once. */
export const payoutOf = (stakePaise: number, { numerator, denominator }: Fraction): number =>
	Number((BigInt(stakePaise) * numerator) / denominator);

export const faceOf = <Outcome>(bets: readonly Bet<Outcome>[], outcomes: readonly Outcome[]): Faces<Outcome> => ({
	bets: bets.map(({ code }) => code),
	outcomes,
});

/** The outcome's parts as they are dealt, one every so many milliseconds. */
export const dealtEvery = <Outcome>(
	stepMs: number,
	parts: readonly Reveal<Outcome>['shown'][],
): readonly Reveal<Outcome>[] => parts.map((shown, index) => ({ atMs: (index + 1) * stepMs, shown }));

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
