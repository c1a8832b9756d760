/**
 * The sports: pure models of matches and races, one folder each. Every folder has the model, its markets, and a play,
 * which gives the model its pace and its score card. A model knows nothing of the server.
 *
 * A play follows from its seed alone: the same steps give the same goals, points and chances, so a step count is all that
 * has to be stored to continue it.
 */
import type { ScoreCard, Silks } from '#sports/score-card.ts';
import type { LineRange } from '#values/line-range.ts';
import type { PlayResult } from '#values/play-result.ts';

interface PlayRunner {
	/** Unique within the market. */
	id: string;
	name: string;
	/** Racing. */
	silks?: Silks;
	jockey?: string;
	/** The stall, in flat races. */
	draw?: number;
}
export type RaceRunner = Required<Omit<PlayRunner, 'draw'>>;

/** A market as play sees it. */
export interface MarketState {
	/** Unique within the play. */
	name: string;
	/** One of the engine's market types. */
	type: string;
	/** In the market's order; a fancy has one for each line. */
	runners: readonly PlayRunner[];
	lines?: readonly number[];
	handicapQuarters?: number;
	places?: number;
	lineRange?: LineRange;
	eachWayDivisor?: number;
	/** Its runners get starting prices, by an auction at the turn in-play. */
	startingPrice?: true;
	betDelaySeconds: number;
	rules: string;
	/**
	 * Chances of each runner; in a fancy that its line is reached, in a line market that each line is passed. Null while
	 * there is no betting.
	 */
	chances: readonly number[] | null;
	/** Levels quoted on each side, if not the usual number: few where prices move at every step. */
	depth?: number;
	/** Betting ends when play begins. */
	closesAtStart?: boolean;
	/** Non-runners, with the basis points they take off the others' prices. */
	removed?: readonly { runner: number; reductionBp: number }[];
	/** Null before the market is decided. */
	result: PlayResult | null;
	/** The number reached so far: it may stand if play stops early. */
	soFar?: number;
}

/** A play after one of its steps. */
export interface PlayState {
	inPlay: boolean;
	/** Every market has a result. */
	isEnded: boolean;
	/** Play stopped before its end. */
	isAbandoned?: boolean;
	/** A ball is in play: markets in which the house takes every bet are held. */
	ballRunning?: boolean;
	/** The main market first; a market that was listed once stays listed. */
	markets: readonly MarketState[];
	score: ScoreCard;
	scoreLine: string;
}

export interface Step {
	/** Simulated milliseconds until the next step. */
	pauseMs: number;
	/** A material event: resting bets were placed without knowing it, so betting is suspended until the next step. */
	incident: boolean;
}

export interface Play {
	readonly title: string;
	readonly competition: string;
	/** Steps taken so far. */
	readonly steps: number;
	readonly isEnded: boolean;
	/** Takes one step. Not called once play has ended. */
	step(): Step;
	state(): PlayState;
}

export interface SimulatedSport {
	sportId: number;
	/**
	 * `key` and `model` name the sport's fixtures in the catalogue. `model` is raised by each change that makes a seed
	 * play differently; fixtures of another model are abandoned.
	 */
	key: string;
	model: number;
	/** Between two starts; shorter than a play lasts, so that one is always in play. */
	spacingMs: number;
	/** Length of the steps before the announced start, such as the parade of horses. */
	leadMs: number;
	/** Steps already taken in the first fixture of a new server. */
	headStartSteps: number;
	/**
	 * Starts are a whole number of spacings after midnight UTC. Announced are the `next` of them, and of those in three days
	 * each that `every` divides.
	 */
	calendar: { next: number; every: number };
	/** The title with the announced start in it, where a sport names its fixtures so. */
	titleAt?(title: string, startsAtMs: number): string;
	/** Orders that simulated takers give in a minute: in play, and in the last half hour before the start. */
	orders: { inPlay: number; atTheStart: number };
	begin(seed: number, number: number): Play;
}

/** The fields that the cards of most sports share. @param isBreak between two stretches of play */
export function cardHead({ steps, isEnded }: Pick<Play, 'steps' | 'isEnded'>, isBreak: boolean) {
	const state = isEnded ? 'FINISHED' : steps === 0 ? 'PRE_MATCH' : isBreak ? 'BREAK' : 'IN_PLAY';
	return { version: steps + 1, state } as const;
}

/** The same state if play stops here: each undecided market gets the result that its type's rules for that read. */
export function abandoned(state: PlayState): PlayState {
	const markets = state.markets.map(
		(market): MarketState => ({
			...market,
			result: market.result ?? {
				unfinished: true,
				...(state.inPlay ? {} : { unplayed: true }),
				...(market.soFar === undefined ? {} : { value: market.soFar }),
			},
		}),
	);
	const { score } = state;
	const shown =
		score.state === 'FINISHED'
			? score
			: { ...score, state: 'FINISHED' as const, note: 'Abandoned', version: score.version + 1 };
	return { ...state, markets, score: shown, isEnded: true, isAbandoned: true };
}
