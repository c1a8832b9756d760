/** Football: two halves with their added time, betting is suspended at goals and sendings-off. */

import { footballMarkets } from '#sports/football/football-markets.ts';
import { FootballMatch, STEP_SECONDS } from '#sports/football/football-match.ts';
import { cardHead, type Play, type PlayState, type SimulatedSport, type Step } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import type { FootballCard } from '#sports/score-card.ts';
import { FOOTBALL } from '#values/sports.ts';

const HALF_TIME_MS = 10 * 60_000;
const INCIDENT_MS = 40_000;
const SHOWN_INCIDENTS = 20;

export const football: SimulatedSport = {
	sportId: FOOTBALL,
	key: 'football',
	model: 3,
	spacingMs: 60 * 60_000,
	leadMs: 0,
	headStartSteps: 70,
	calendar: { next: 10, every: 4 },
	orders: { inPlay: 60, atTheStart: 20 },
	begin: (seed, number) => new FootballPlay(seed, number),
};

class FootballPlay implements Play {
	readonly title: string;
	readonly competition: string;
	steps = 0;
	readonly #match: FootballMatch;
	#resting = false;

	constructor(seed: number, number: number) {
		this.#match = new FootballMatch(seedOf(seed, FOOTBALL, number), number);
		this.title = this.#match.teams.map(({ name }) => name).join(' v ');
		this.competition = this.#match.competition;
	}

	get isEnded(): boolean {
		return this.#match.isEnded;
	}

	step(): Step {
		this.steps++;
		if (this.#match.isHalfEnded) {
			this.#resting = false;
			this.#match.startSecondHalf();
		}
		const incident = this.#match.step();
		this.#resting = this.#match.isHalfEnded && !this.#match.isEnded;
		const pauseMs = incident ? INCIDENT_MS : STEP_SECONDS * 1000;
		return { pauseMs: pauseMs + (this.#resting ? HALF_TIME_MS : 0), incident: incident && !this.#resting };
	}

	state(): PlayState {
		return {
			inPlay: this.steps > 0,
			isEnded: this.isEnded,
			markets: footballMarkets(this.#match),
			score: this.#card(),
			scoreLine: this.#line(),
		};
	}

	#line(): string {
		const { goals, clock } = this.#match;
		const minute = clock.added > 0 ? `${clock.minute}+${clock.added}` : String(clock.minute);
		return `${goals[0]} – ${goals[1]} (${this.isEnded ? 'full time' : this.#resting ? 'half time' : `${minute}′`})`;
	}

	#card(): FootballCard {
		const { teams, goals, yellowCards, redCards, half, clock, incidents, ball } = this.#match;
		return {
			sport: 'football',
			...cardHead(this, this.#resting),
			note: this.#note(),
			half,
			minute: clock.minute,
			addedMinute: clock.added,
			teams: teams.map(({ name }, side) => ({
				name,
				goals: goals[side] as number,
				yellowCards: yellowCards[side] as number,
				redCards: redCards[side] as number,
			})),
			incidents: incidents.slice(0, SHOWN_INCIDENTS),
			...(this.steps > 0 ? { play: ball.play } : {}),
		};
	}

	#note(): string {
		if (this.isEnded) return 'Full time';
		if (this.steps === 0) return 'Kick-off to come';
		if (this.#resting) return 'Half time';
		const [last] = this.#match.incidents;
		if (!last) return 'No incidents yet';
		const team = this.#match.teams[last.team]?.name;
		const what = { GOAL: 'Goal', YELLOW_CARD: 'Yellow card', RED_CARD: 'Red card' }[last.kind];
		return `${what}, ${team}: ${last.player} (${last.minute}′)`;
	}
}
