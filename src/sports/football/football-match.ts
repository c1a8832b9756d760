/**
 * A football match in steps of twenty seconds. Each side scores at a steady rate, which red cards change, so the
 * further goals are practically Poisson distributed.
 */

import { BallMovement } from '#sports/football/ball-movement.ts';
import { FOOTBALL_LEAGUES } from '#sports/football/football-teams.ts';
import { meetingOf, type Team } from '#sports/names.ts';
import { type Draw, normalFrom, pick, randomFrom, seedOf } from '#sports/random.ts';

export const STEP_SECONDS = 20;
const STEPS_A_MINUTE = 60 / STEP_SECONDS;
const HALF_MINUTES = 45;
const GOALS = { mean: 2.7, spread: 0.35, homeSupremacy: 0.3, supremacySpread: 0.6, least: 0.35 };
/** Mean length of a match with its added time: the goals of a side are spread over it. */
const MEAN_MINUTES = 95;
/** Chances of a side in one minute. */
const YELLOW_CHANCE = 0.02;
const RED_CHANCE = 0.0012;
/** Factors of a sending-off on the goals of its side, and on the other side's. */
const SHORT = 0.7;
const AGAINST_SHORT = 1.25;

const OF_THE_BALL = 11;

type SideIndex = 0 | 1;
const SIDES: readonly SideIndex[] = [0, 1];
const other = (side: SideIndex): SideIndex => (side === 0 ? 1 : 0);

interface Incident {
	minute: string;
	kind: 'GOAL' | 'YELLOW_CARD' | 'RED_CARD';
	team: SideIndex;
	player: string;
}

export class FootballMatch {
	readonly competition: string;
	readonly teams: readonly Team[];
	/** Goals each side is expected to make in a whole match. */
	readonly expected: readonly [number, number];
	readonly goals: [number, number] = [0, 0];
	readonly yellowCards: [number, number] = [0, 0];
	readonly redCards: [number, number] = [0, 0];
	/** Newest first. */
	readonly incidents: Incident[] = [];
	/** Players with a yellow card, and those who were sent off. */
	readonly #booked = new Set<string>();
	readonly #sentOff = new Set<string>();
	half: 1 | 2 = 1;
	/** Steps played in this half. */
	played = 0;
	/** The state of play for a tracker. */
	readonly ball: BallMovement;
	readonly #draw: Draw;
	/** Added minutes of each half. */
	readonly #added: readonly [number, number];

	constructor(seed: number, number: number) {
		this.#draw = randomFrom(seed);
		this.ball = new BallMovement(seedOf(seed, OF_THE_BALL), STEPS_A_MINUTE);
		({ competition: this.competition, teams: this.teams } = meetingOf(FOOTBALL_LEAGUES, number));
		const total = GOALS.mean + GOALS.spread * normalFrom(this.#draw);
		const supremacy = GOALS.homeSupremacy + GOALS.supremacySpread * normalFrom(this.#draw);
		this.expected = [Math.max(GOALS.least, (total + supremacy) / 2), Math.max(GOALS.least, (total - supremacy) / 2)];
		this.#added = [1 + Math.floor(this.#draw() * 3), 2 + Math.floor(this.#draw() * 5)];
	}

	get isHalfEnded(): boolean {
		return this.played >= this.#length(this.half);
	}
	get isEnded(): boolean {
		return this.half === 2 && this.isHalfEnded;
	}

	/** Minutes on the referee's clock, and those beyond the half. */
	get clock(): { minute: number; added: number } {
		const minutes = Math.floor(this.played / STEPS_A_MINUTE);
		const before = this.half === 1 ? 0 : HALF_MINUTES;
		return { minute: before + Math.min(minutes, HALF_MINUTES), added: Math.max(0, minutes - HALF_MINUTES) };
	}

	/** Goals each side is expected to make from now on. */
	get expectedLeft(): [number, number] {
		const steps = this.#length(this.half) - this.played + (this.half === 1 ? this.#length(2) : 0);
		return [this.#rate(0) * steps, this.#rate(1) * steps];
	}

	startSecondHalf(): void {
		this.half = 2;
		this.played = 0;
	}

	/** Plays one step. A second yellow card is a red one. @returns true after a goal or a sending-off */
	step(): boolean {
		this.played++;
		const drawn = this.#draw();
		const home = this.#rate(0);
		const scorer = drawn < home ? 0 : drawn < home + this.#rate(1) ? 1 : null;
		this.ball.step(home / (home + this.#rate(1)), scorer);
		const sentOff = SIDES.find(() => this.#draw() < RED_CHANCE / STEPS_A_MINUTE);
		const booked = SIDES.find(() => this.#draw() < YELLOW_CHANCE / STEPS_A_MINUTE);
		const reds = this.redCards[0] + this.redCards[1];
		if (booked !== undefined) this.#book(booked);
		if (sentOff !== undefined) this.#sendOff(sentOff, this.#onPitch(sentOff));
		if (scorer !== null) {
			this.goals[scorer]++;
			this.#happened('GOAL', scorer, this.#onPitch(scorer));
		}
		return scorer !== null || this.redCards[0] + this.redCards[1] > reds;
	}

	#book(team: SideIndex): void {
		const player = this.#onPitch(team);
		this.yellowCards[team]++;
		this.#happened('YELLOW_CARD', team, player);
		if (this.#booked.has(player)) this.#sendOff(team, player);
		this.#booked.add(player);
	}

	#sendOff(team: SideIndex, player: string): void {
		this.redCards[team]++;
		this.#sentOff.add(player);
		this.#happened('RED_CARD', team, player);
	}

	/** One of the team's players who were not sent off. */
	#onPitch(team: SideIndex): string {
		const players = this.teams[team]?.players ?? [];
		return pick(
			players.filter((player) => !this.#sentOff.has(player)),
			this.#draw,
		);
	}

	#happened(kind: Incident['kind'], team: SideIndex, player: string): void {
		const { minute, added } = this.clock;
		const shown = added > 0 ? `${minute}+${added}` : String(minute + 1);
		this.incidents.unshift({ minute: shown, kind, team, player });
	}

	/** A step's chance of a goal. */
	#rate(side: SideIndex): number {
		const usual = (this.expected[side] as number) / (MEAN_MINUTES * STEPS_A_MINUTE);
		return usual * SHORT ** this.redCards[side] * AGAINST_SHORT ** this.redCards[other(side)];
	}

	#length(half: 1 | 2): number {
		return (HALF_MINUTES + (this.#added[half - 1] as number)) * STEPS_A_MINUTE;
	}
}
