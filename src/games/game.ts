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
	/** Every bet of the pay table; a game with freely chosen bets lists typical ones. */
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
	/** Outcomes with none of these lose the stake. */
	readonly prizes: readonly Prize[];
}

/** A strategy for a whole round, and its average return on its stakes. */
interface Strategy {
	/** Ends a sentence. */
	readonly name: string;
	readonly returns: Fraction;
}

export interface Bet<Outcome = unknown> extends BetTerms {
	/** The index of the outcome's prize; null if the stake is lost. */
	prizeOf(outcome: Outcome): number | null;
}

/** A game without decisions after the bet. */
export interface RoundGame<Outcome = unknown> extends GameText {
	readonly kind: 'instant' | 'table';
	readonly bets: readonly Bet<Outcome>[];
	/** The bet of that code, even if the pay table does not list it; null if there is none. */
	betOf(code: string): Bet<Outcome> | null;
	/** The whole result; it depends on the draws alone. Plain JSON. */
	outcomeOf(draw: Draw): Outcome;
	/** The result in one line. */
	describe(outcome: Outcome): string;
}

/** A single-player game, one round per bet. */
export interface InstantGame<Outcome = unknown> extends RoundGame<Outcome> {
	readonly kind: 'instant';
}

/** A result in the history of a table. */
interface RoadMark {
	/** The winning side, or the kind of the result; equal for equal kinds. */
	readonly side: string;
	/** At most three characters. */
	readonly text: string;
}

/** Some bets of a table, with outcomes that cover every combination in which they can be paid. */
export interface Faces<Outcome> {
	readonly bets: readonly string[];
	readonly outcomes: readonly Outcome[];
}

/** The public state from a moment on, milliseconds after the bets were locked. */
interface Reveal<Outcome> {
	readonly atMs: number;
	/** The revealed part of the outcome; the last step reveals all of it. */
	readonly shown: Partial<Outcome> | Outcome;
}

/** A game with shared rounds. */
export interface TableGame<Outcome = unknown> extends RoundGame<Outcome> {
	readonly kind: 'table';
	/** The length of the betting window, milliseconds. */
	readonly windowMs: number;
	/** The outcome step by step; after the last step all of it is shown. */
	revealsOf(outcome: Outcome): readonly Reveal<Outcome>[];
	/** How long the last step is shown before bets are settled, milliseconds. */
	readonly holdMs: number;
	/** Each bet belongs to one of these sets: together they bound the house's loss. */
	faces(): readonly Faces<Outcome>[];
	markOf(outcome: Outcome): RoadMark;
}

/** A round after some actions of its player. */
export interface Turn<Shown = unknown> {
	/** The part of the round that the player may see. Plain JSON. */
	readonly shown: Shown;
	/** The player's possible actions; empty when the round has ended. */
	readonly actions: readonly string[];
	/** The amount at risk, in first stakes. */
	readonly stakes: number;
	/** The payout of an ended round, as a multiple of the first stake; zero before. */
	readonly pays: Fraction;
	/** The result in one line; empty while the round is open. */
	readonly result: string;
}

/** A game in which the player decides during the round. All draws are made before the first decision. */
export interface TurnGame<Hidden = unknown, Shown = unknown> extends GameText {
	readonly kind: 'turns';
	/** Whether this is a valid way to begin a round: the number of mines; empty if there is no choice. */
	isChoice(choice: string): boolean;
	/** The full outcome of the round. Plain JSON. */
	deal(draw: Draw, choice: string): Hidden;
	/** The round after these actions; null if one of them was not possible. */
	turnAfter(hidden: Hidden, choice: string, actions: readonly string[]): Turn<Shown> | null;
	/** The round's largest payout if this action is taken and succeeds; it reveals no hidden draw. */
	mostAfter(turn: Turn<Shown>, action: string): Fraction;
	/** The house's actions in an abandoned round; null returns the stake. */
	abandonedAction(turn: Turn<Shown>): string | null;
	/** The same as text; ends a sentence. */
	readonly abandoned: string;
	/** The worst decisions that the rules allow. */
	readonly worstPlay: Strategy;
	/**
	 * The listed bets that the deal decides, each with the index of its prize, or null if it is lost. Decisions that make
	 * no difference to the chance are made in a fixed order.
	 */
	decidedBets(hidden: Hidden, choice: string): readonly (readonly [code: string, prize: number | null])[];
}

export interface CrashOutcome {
	/** The multiplier at which the round crashes, in hundredths. */
	readonly cents: number;
}

export interface CrashGame extends GameText {
	readonly kind: 'crash';
	readonly bets: readonly Bet<CrashOutcome>[];
}

/**
 * table: one result for all players' bets · instant: one bet, one result · turns: the player decides during the round.
 */
export type Game = InstantGame | TableGame | TurnGame | CrashGame;

/** The average return of a bet on these terms, as a part of the stake. */
export const returnOf = ({ prizes }: BetTerms): Fraction =>
	prizes.reduce((sum, { pays, chance }) => add(sum, multiply(pays, chance)), NONE);

/** The returns of a game's worst and best bet, and of the worst play within the rules. */
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

/**
 * The payout in minor units, rounded down once.
 * @param step minor units of the smallest coin
 */
export const payoutOf = (stakeMinor: number, { numerator, denominator }: Fraction, step = 1): number =>
	Number((BigInt(stakeMinor) * numerator) / (denominator * BigInt(step))) * step;

export const faceOf = <Outcome>(bets: readonly Bet<Outcome>[], outcomes: readonly Outcome[]): Faces<Outcome> => ({
	bets: bets.map(({ code }) => code),
	outcomes,
});

/** The outcome's parts as they are dealt, at a fixed interval in milliseconds. */
export const dealtEvery = <Outcome>(
	stepMs: number,
	parts: readonly Reveal<Outcome>['shown'][],
): readonly Reveal<Outcome>[] => parts.map((shown, index) => ({ atMs: (index + 1) * stepMs, shown }));

/** A game with a fixed list of bets finds one by its code. */
export function betFinder<Outcome>(bets: readonly Bet<Outcome>[]): (code: string) => Bet<Outcome> | null {
	const byCode = new Map(bets.map((bet) => [bet.code, bet]));
	return (code) => byCode.get(code) ?? null;
}

/** A bet with one prize, for outcomes that meet a condition. */
export function simpleBet<Outcome>(
	terms: { code: string; name: string; pays: Fraction; chance: Fraction },
	wins: (outcome: Outcome) => boolean,
): Bet<Outcome> {
	const { code, name, pays, chance } = terms;
	return { code, name, prizes: [{ name: 'Win', pays, chance }], prizeOf: (outcome) => (wins(outcome) ? 0 : null) };
}
