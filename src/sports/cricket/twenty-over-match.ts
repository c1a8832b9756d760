/**
 * A T20 match ball by ball: toss, innings, result, the rain that may end it early, and its score card. The same seed and
 * match number give the same match.
 */

import {
	BALLS,
	chasingEdge,
	edgeOf,
	expectedBallsLeft,
	type Ground,
	outcomeOf,
	type Pitch,
	type Standing,
	WICKETS,
} from '#sports/cricket/ball-model.ts';
import { groundOf, meeting, strengthAt } from '#sports/cricket/teams.ts';
import type { Team } from '#sports/names.ts';
import { pick, randomFrom, seedOf } from '#sports/random.ts';
import type { CricketCard } from '#sports/score-card.ts';

interface Batter {
	name: string;
	runs: number;
	balls: number;
	fours: number;
	sixes: number;
	isOut: boolean;
}

export interface Innings {
	team: Team;
	/** How strong the side is against the other, in this innings. */
	edge: number;
	pitch: Pitch;
	runs: number;
	wickets: number;
	balls: number;
	/** Runs at the fall of each wicket. */
	falls: number[];
	/** Runs after the first six overs, or after the innings if it was shorter; null before. */
	sixOverRuns: number | null;
	/** Runs of each over begun, and its wickets. */
	overRuns: number[];
	overWickets: number[];
	/** Scoring shots, oldest first. */
	shots: { angle: number; runs: number }[];
	/** Runs and balls when the last wicket fell. */
	lastWicket: { runs: number; balls: number };
	/** Fours and sixes. */
	boundaries: number;
	batters: Batter[];
	/** The two batters at the crease, as indexes into `batters`; the first is on strike. */
	atCrease: [number, number];
	bowlers: Map<string, { balls: number; runs: number; wickets: number }>;
}

/** The outcome of a ball, as far as betting reacts to it. */
interface BallPlayed {
	wicket: boolean;
	inningsOver: boolean;
}

/** Balls in an over: a bowler's turn. */
export const BALLS_AN_OVER = 6;
const oversOf = (balls: number): string => `${Math.floor(balls / BALLS_AN_OVER)}.${balls % BALLS_AN_OVER}`;
const STRIP = 8;
export const SIX_OVERS = 36;
const BOWLERS = 5;
/** Possible chances of rain within the duration of two full innings. */
const RAIN_CHANCES = [0.01, 0.03, 0.12];
const MOST_BALLS = 2 * BALLS;
const OF_THE_SKY = 17;
const OF_THE_FIELD = 19;
const SHOWN_SHOTS = 60;
const OF_THE_SIDES = 18;
const OF_THE_EVENING = 20;

/** What is known of a match before it, in words. */
const TO_COME = {
	TRUE: { dry: 'Toss to come', dew: 'Toss to come · dew in the second innings' },
	TURNING: { dry: 'Toss to come · turning pitch', dew: 'Toss to come · turning pitch, dew in the second innings' },
};

export class TwentyOverMatch {
	readonly competition: string;
	readonly teams: [Team, Team];
	/** Balls played so far, both innings. */
	ballsPlayed = 0;
	/** Of the side batting first. */
	readonly ground: Ground;
	/** How much stronger the side batting first is. */
	readonly #edge: number;
	readonly tossWinner: 0 | 1;
	/** The coin was tossed. */
	tossed = false;
	readonly #rainChance: number;
	/** Balls after which rain ends the match, if it is still being played. */
	readonly #rainAfter: number;
	readonly #random: () => number;
	/** Where shots go: drawn apart from play, which it does not decide. */
	readonly #field: () => number;
	readonly #innings: [Innings, Innings];
	#current: 0 | 1 = 0;
	#superOver: 0 | 1 | null = null;
	#balls: CricketCard['recentBalls'] = [];
	#note = '';

	constructor(seed: number, match: number) {
		this.#random = randomFrom(Math.imul(seed + 1, 0x9e3779b1) ^ match);
		({ competition: this.competition, teams: this.teams } = meeting(match));
		this.ground = groundOf(this.competition, this.teams[0], randomFrom(seedOf(seed, match, OF_THE_EVENING))());
		this.#edge = edgeBetween(this.teams, this.ground, seedOf(seed, match, OF_THE_SIDES));
		const { pitch } = this.ground;
		this.#innings = [
			inningsOf(this.teams[0], this.#edge, pitch),
			inningsOf(this.teams[1], chasingEdge(this.#edge, this.ground), pitch),
		];
		this.#field = randomFrom(seedOf(seed, match, OF_THE_FIELD));
		const sky = randomFrom(seedOf(seed, match, OF_THE_SKY));
		this.tossWinner = sky() < 0.5 ? 0 : 1;
		this.#rainChance = pick(RAIN_CHANCES, sky);
		this.#rainAfter = sky() < this.#rainChance ? 1 + Math.floor(sky() * MOST_BALLS) : Number.POSITIVE_INFINITY;
		this.#note = TO_COME[this.ground.pitch][this.ground.hasDew ? 'dew' : 'dry'];
	}

	toss(): void {
		this.tossed = true;
		const elected = this.tossWinner === 0 ? 'bat' : 'bowl';
		this.#note = `${this.teams[this.tossWinner].name} won the toss and ${elected}`;
	}

	/** The innings begun so far; during the break the next one as well. */
	get innings(): readonly Innings[] {
		return this.#innings.slice(0, isEnded(this.#innings[0]) ? 2 : 1);
	}

	/** Runs the side batting second needs in all; null while the first bats. */
	get target(): number | null {
		return isEnded(this.#innings[0]) ? this.#innings[0].runs + 1 : null;
	}

	/** The innings is over, by balls, wickets or the target reached. */
	isClosed(at: number): boolean {
		const innings = this.#innings[at as 0 | 1];
		return isEnded(innings) || (at === 1 && this.winner !== null);
	}

	/** 0 or 1 when the match is decided, null before. */
	get winner(): 0 | 1 | null {
		const [first, second] = this.#innings;
		if (this.#current === 0) return null;
		if (second.runs > first.runs) return 1;
		if (!isEnded(second)) return null;
		if (second.runs < first.runs) return 0;
		return this.#superOver;
	}

	/** Rain ended the match before it was decided. */
	get isAbandoned(): boolean {
		return this.winner === null && this.ballsPlayed >= this.#rainAfter;
	}
	get isEnded(): boolean {
		return this.winner !== null || this.isAbandoned;
	}
	/** Both sides made as many runs; false before the end. */
	get isTied(): boolean {
		return this.#superOver !== null;
	}

	/** The state from which the remainder is priced. */
	get standing(): Standing {
		const { balls, wickets, runs } = this.#innings[this.#current];
		return {
			innings: this.#current === 0 ? 1 : 2,
			ballsLeft: BALLS - balls,
			wicketsLeft: WICKETS - wickets,
			runs,
			target: this.#innings[0].runs + 1,
			edge: this.#edge,
			ground: this.ground,
		};
	}

	/**
	 * The chance that the match is played to its end. Rain is equally likely after each ball and abandons the match unless
	 * the last ball was bowled before.
	 */
	get chanceOfEnd(): number {
		const dryUntil = (ball: number) => 1 - (this.#rainChance * ball) / MOST_BALLS;
		// Sides and grounds hardly change the length of a match, so the tables of equal sides serve all.
		const lastBall = this.ballsPlayed + expectedBallsLeft({ ...this.standing, edge: 0, ground: ANY_GROUND });
		return dryUntil(lastBall - 1) / dryUntil(this.ballsPlayed);
	}

	/** Plays one ball, unless the match has ended. */
	playBall(): BallPlayed {
		if (this.isEnded) return { wicket: false, inningsOver: false };
		const innings = this.#innings[this.#current];
		if (isEnded(innings)) {
			this.#current = 1;
			this.#balls = [];
			this.#note = `${this.teams[1].name} need ${this.#innings[0].runs + 1} to win`;
			return this.playBall();
		}
		const outcome = outcomeOf(this.#random(), innings);
		this.ballsPlayed++;
		this.#score(innings, outcome.runs, outcome.wicket);
		if (isEnded(innings) && this.#current === 1 && innings.runs === this.#innings[0].runs) {
			this.#superOver = this.#random() < 0.5 ? 0 : 1;
		}
		this.#say(innings);
		return { wicket: outcome.wicket, inningsOver: isEnded(innings) };
	}

	#score(innings: Innings, runs: number, wicket: boolean): void {
		const striker = innings.batters[innings.atCrease[0]] as Batter;
		const bowler = bowlerOf(innings, this.teams[this.#current === 0 ? 1 : 0]);
		const over = oversOf(innings.balls + 1);
		innings.balls++;
		innings.runs += runs;
		const inOver = Math.floor((innings.balls - 1) / BALLS_AN_OVER);
		innings.overRuns[inOver] = (innings.overRuns[inOver] ?? 0) + runs;
		innings.overWickets[inOver] = (innings.overWickets[inOver] ?? 0) + (wicket ? 1 : 0);
		if (runs > 0) innings.shots.push({ angle: Math.floor(this.#field() * 360), runs });
		if (runs >= 4) innings.boundaries++;
		striker.balls++;
		striker.runs += runs;
		if (runs === 4) striker.fours++;
		if (runs === 6) striker.sixes++;
		bowler.balls++;
		bowler.runs += runs;
		if (wicket) {
			bowler.wickets++;
			innings.wickets++;
			innings.falls.push(innings.runs);
			innings.lastWicket = { runs: innings.runs, balls: innings.balls };
			striker.isOut = true;
			innings.atCrease[0] = Math.min(innings.wickets + 1, innings.batters.length - 1);
		}
		// A chase that is won ends the innings, too.
		if (innings.balls === SIX_OVERS || isEnded(innings) || this.winner !== null) innings.sixOverRuns ??= innings.runs;
		const swaps = (runs % 2 === 1) !== (innings.balls % BALLS_AN_OVER === 0);
		if (swaps) innings.atCrease.reverse();
		this.#balls = [
			...this.#balls.slice(1 - STRIP),
			{ over, label: wicket ? 'W' : runs === 0 ? '•' : String(runs), runs, wicket },
		];
	}

	#say(innings: Innings): void {
		const { winner } = this;
		if (this.isAbandoned) this.#note = 'Abandoned: rain';
		else if (winner !== null) {
			const how = this.#superOver === null ? '' : ' after a super over';
			this.#note = `${this.teams[winner].name} won${how}`;
		} else if (this.#current === 1) {
			const needed = this.#innings[0].runs + 1 - innings.runs;
			this.#note = `${innings.team.name} need ${needed} from ${BALLS - innings.balls} balls`;
		} else if (isEnded(innings)) this.#note = `Innings break: ${this.teams[1].name} need ${innings.runs + 1}`;
		else this.#note = `Run rate ${((innings.runs * BALLS_AN_OVER) / innings.balls).toFixed(2)}`;
	}

	/** The score in a few words, for lists; empty before the first ball. */
	line(): string {
		if (this.ballsPlayed === 0) return '';
		const { team, runs, wickets, balls } = this.#innings[this.#current];
		// What a side that chases still needs, as long as it does.
		const chase =
			this.#current === 1 && !this.isEnded ? ` · ${this.#innings[0].runs + 1 - runs} off ${BALLS - balls}` : '';
		return `${team.name} ${runs}/${wickets} (${oversOf(balls)}${chase})`;
	}

	/** The score card. Its version counts the balls, the toss and the end. */
	card(): CricketCard {
		const innings = this.#innings[this.#current];
		const begun = this.ballsPlayed > 0;
		// Before the toss it is open which side bats.
		const shown = this.tossed ? this.#innings.slice(0, this.#current + 1) : [];
		const [bowlerName, figures] = [...innings.bowlers].at(-1) ?? [];
		return {
			sport: 'cricket',
			version: this.ballsPlayed + 1 + (this.tossed ? 1 : 0) + (this.isEnded ? 1 : 0),
			state: this.#state(),
			note: this.#note,
			maxOvers: BALLS / BALLS_AN_OVER,
			currentInnings: this.#current + 1,
			innings: shown.map(({ team, runs, wickets, balls }, at) => ({
				team: team.name,
				runs,
				wickets,
				overs: oversOf(balls),
				target: at === 1 ? this.#innings[0].runs + 1 : null,
			})),
			batters: begun ? innings.atCrease.map((at, place) => batterView(innings.batters[at] as Batter, place === 0)) : [],
			bowler:
				bowlerName && figures
					? {
							name: bowlerName,
							overs: oversOf(figures.balls),
							runs: figures.runs,
							wickets: figures.wickets,
						}
					: null,
			recentBalls: this.#balls,
			overs: shown.map(({ overRuns, overWickets }) =>
				overRuns.map((runs, over) => ({ runs, wickets: overWickets[over] ?? 0 })),
			),
			shots: innings.shots.slice(-SHOWN_SHOTS),
			partnership: {
				runs: innings.runs - innings.lastWicket.runs,
				balls: innings.balls - innings.lastWicket.balls,
			},
		};
	}

	#state(): CricketCard['state'] {
		if (this.isEnded) return 'FINISHED';
		if (this.ballsPlayed === 0) return 'PRE_MATCH';
		return isEnded(this.#innings[this.#current]) ? 'INNINGS_BREAK' : 'IN_PLAY';
	}
}

const batterView = ({ name, runs, balls, fours, sixes }: Batter, onStrike: boolean) => ({
	name,
	runs,
	balls,
	fours,
	sixes,
	onStrike,
});

const ANY_GROUND: Ground = { pitch: 'TRUE', hasDew: false };

/** A step of strength makes this many of an edge. */
const EDGES_A_STEP = 1.2;

/** A side is as strong in each of its matches on a ground; the form of the day moves the edge by half a step at most. */
function edgeBetween([one, other]: readonly [Team, Team], ground: Ground, seed: number): number {
	const form = randomFrom(seed)() - 0.5;
	return edgeOf((strengthAt(ground, one, true) - strengthAt(ground, other, false)) * EDGES_A_STEP + form);
}

const isEnded = ({ balls, wickets }: Innings): boolean => balls >= BALLS || wickets >= WICKETS;

function inningsOf(team: Team, edge: number, pitch: Pitch): Innings {
	return {
		team,
		edge,
		pitch,
		runs: 0,
		wickets: 0,
		balls: 0,
		falls: [],
		sixOverRuns: null,
		overRuns: [],
		overWickets: [],
		shots: [],
		lastWicket: { runs: 0, balls: 0 },
		boundaries: 0,
		batters: team.players.map((name) => ({ name, runs: 0, balls: 0, fours: 0, sixes: 0, isOut: false })),
		atCrease: [0, 1],
		bowlers: new Map(),
	};
}

/** Five bowlers take turns, one over each; the current bowler is the last in the map. */
function bowlerOf(innings: Innings, fielding: Team) {
	const name = fielding.players[10 - (Math.floor(innings.balls / BALLS_AN_OVER) % BOWLERS)] as string;
	const figures = innings.bowlers.get(name) ?? { balls: 0, runs: 0, wickets: 0 };
	innings.bowlers.delete(name);
	innings.bowlers.set(name, figures);
	return figures;
}
