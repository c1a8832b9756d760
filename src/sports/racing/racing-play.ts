/**
 * Horse racing: three minutes of parade, now and then a non-runner, and a chase of some seven minutes. Betting continues
 * in running, is suspended when a horse falls, and ends when the first horse passes the post.
 */

import type { Play, PlayState, SimulatedSport, Step } from '#sports/play.ts';
import { type Horse, Race, type RaceChances } from '#sports/racing/race.ts';
import { raceTitle } from '#sports/racing/race-time.ts';
import { racingMarkets } from '#sports/racing/racing-markets.ts';
import { seedOf } from '#sports/random.ts';
import type { RacingCard } from '#sports/score-card.ts';
import { HORSE_RACING } from '#values/sports.ts';

const PARADE_STEP_MS = 30_000;
const PARADE_STEPS = 6;
/** The step of the parade at which a horse is withdrawn. */
const WITHDRAWN_AT = 3;
const STEP_SECONDS = 5;

export const horseRacing: SimulatedSport = {
	sportId: HORSE_RACING,
	key: 'racing',
	model: 5,
	spacingMs: 5 * 60_000,
	leadMs: PARADE_STEP_MS * PARADE_STEPS,
	headStartSteps: PARADE_STEPS + 20,
	titleAt: raceTitle,
	calendar: { next: 24, every: 24 },
	orders: { inPlay: 90, atTheStart: 60 },
	begin: (seed, number) => new RacingPlay(seed, number),
};

class RacingPlay implements Play {
	readonly title: string;
	readonly competition = 'Jump racing';
	steps = 0;
	/** In the last step. */
	#fallen: Horse[] = [];
	readonly #race: Race;
	/** Chances of the whole field: reduction factors follow from them. */
	readonly #opening: RaceChances;

	constructor(seed: number, number: number) {
		this.#race = new Race(seedOf(seed, HORSE_RACING, number), number);
		this.#opening = this.#race.chances();
		this.title = `${this.#race.course} · ${this.#race.name}`;
	}

	get isEnded(): boolean {
		return this.#race.isEnded;
	}
	get #isOff(): boolean {
		return this.steps > PARADE_STEPS;
	}

	step(): Step {
		this.steps++;
		if (this.#isOff) {
			const { fallen, isWon } = this.#race.run(STEP_SECONDS);
			this.#fallen = fallen;
			return { pauseMs: STEP_SECONDS * 1000, incident: fallen.length > 0 || isWon };
		}
		const withdrawn = this.steps === WITHDRAWN_AT && this.#race.withdrawal !== null;
		if (withdrawn) this.#race.withdraw();
		return { pauseMs: PARADE_STEP_MS, incident: false };
	}

	state(): PlayState {
		return {
			inPlay: this.#isOff,
			isEnded: this.isEnded,
			markets: racingMarkets(this.#race, this.#opening, this.#isOff),
			score: this.#card(),
			scoreLine: this.#line(),
		};
	}

	#leader(): Horse {
		const [first] = this.#race.order();
		return this.#race.horses[first?.[0] ?? 0] as Horse;
	}

	#line(): string {
		if (!this.#isOff) return 'Before the off';
		const { name, metres } = this.#leader();
		if (this.isEnded) return `${name} won`;
		return `${name} leads, ${Math.round(this.#race.distance - metres)} m to go`;
	}

	#card(): RacingCard {
		const { distance, going, horses } = this.#race;
		const positions = this.#positions();
		return {
			sport: 'horseRacing',
			version: this.steps + 1,
			state: this.isEnded ? 'FINISHED' : this.#isOff ? 'IN_PLAY' : this.steps === 0 ? 'PRE_MATCH' : 'AT_THE_POST',
			note: this.#note(),
			distanceMetres: distance,
			going,
			runners: horses.map(({ id, number, name, jockey, silks, metres, seconds, isOut, fell }, at) => ({
				runnerId: id,
				number,
				name,
				jockey,
				silks,
				status: isOut ? 'NON_RUNNER' : fell ? 'FELL' : 'RUNNER',
				position: this.#isOff ? (positions.get(at) ?? 0) : 0,
				metres: Math.round(metres * 10) / 10,
				seconds,
			})),
		};
	}

	/** Positions by index of the horses still in the race; equal horses share one. */
	#positions(): Map<number, number> {
		const positions = new Map<number, number>();
		let next = 1;
		for (const group of this.#race.order()) {
			for (const at of group) positions.set(at, next);
			next += group.length;
		}
		return positions;
	}

	#note(): string {
		const gone = this.#race.horses.find(({ isOut }) => isOut);
		if (!this.#isOff) return gone ? `Non-runner: ${gone.name}` : 'Parade';
		if (this.#fallen.length > 0) return `${this.#fallen.map(({ name }) => name).join(' and ')} fell`;
		return this.#line();
	}
}
