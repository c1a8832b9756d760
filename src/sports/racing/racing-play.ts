/**
 * Horse racing: three minutes of parade, now and then a non-runner, and a chase of some seven minutes. Betting continues
 * in running, is suspended when a horse falls, and ends when the first horse passes the post.
 */

import type { MarketState, Play, PlayState, SimulatedSport, Step } from '#sports/play.ts';
import { type Horse, Race, type RaceChances } from '#sports/racing/race.ts';
import { seedOf } from '#sports/random.ts';
import type { RacingCard } from '#sports/score-card.ts';
import type { PlayResult } from '#values/play-result.ts';
import { HORSE_RACING } from '#values/sports.ts';

const PARADE_STEP_MS = 30_000;
const PARADE_STEPS = 6;
/** The step of the parade at which a horse is withdrawn. */
const WITHDRAWN_AT = 3;
const STEP_SECONDS = 5;
/** Price levels quoted in running, where each step moves every price. */
const DEPTH_IN_RUNNING = 8;
/** Each way a place pays a fifth of the odds. */
const EACH_WAY_DIVISOR = 5;
const BET_DELAY_SECONDS = 1;
/** Basis points: a place is worth about a third of its chance in each of three places. */
const WHOLE_BP = 10_000;

const RULES = {
	win:
		'Which horse passes the post first. Bets on a non-runner are void, and prices matched on the others are reduced by ' +
		'its factor. In a dead heat the stake is shared. Bets on a horse that falls lose.',
	eachWay:
		'One bet of two equal parts: the stake you name on the horse to win, and the same stake on it to be among the first ' +
		'three at a fifth of the odds. Betting ends at the off. Bets on a non-runner are void, and prices matched on the ' +
		'others are reduced by its factor to win. In a dead heat the part it is about is shared.',
	place:
		'Which horses are among the first three. Bets on a non-runner are void, and prices matched on the others are reduced ' +
		'by its factor. Horses that tie for the last place share it: a stake is paid in the proportion of places to horses. ' +
		'Bets on a horse that falls lose.',
};

export const horseRacing: SimulatedSport = {
	sportId: HORSE_RACING,
	key: 'racing',
	model: 4,
	spacingMs: 5 * 60_000,
	leadMs: PARADE_STEP_MS * PARADE_STEPS,
	headStartSteps: PARADE_STEPS + 20,
	titleAt: (title, startsAtMs) => `${timeInIndia(startsAtMs)} ${title}`,
	calendar: { next: 24, every: 24 },
	orders: { inPlay: 90, atTheStart: 60 },
	begin: (seed, number) => new RacingPlay(seed, number),
};

const INDIA_AHEAD_MINUTES = 5 * 60 + 30;
const DAY_MINUTES = 24 * 60;
/** Races are known by their time of day where the players are. */
function timeInIndia(atMs: number): string {
	const minutes = (Math.floor(atMs / 60_000) + INDIA_AHEAD_MINUTES) % DAY_MINUTES;
	const two = (of: number) => String(of).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** One over the odds at which both parts together are fair: win × p + place × (1 + (p − 1) / divisor) = 2. */
const eachWayChance = (win: number, place: number): number =>
	(win + place / EACH_WAY_DIVISOR) / (2 - place * (1 - 1 / EACH_WAY_DIVISOR));

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
			markets: this.#markets(),
			score: this.#card(),
			scoreLine: this.#line(),
		};
	}

	#markets(): MarketState[] {
		const race = this.#race;
		// Once the race is won there is nothing left to bet on.
		const { win, place } = race.isWon ? { win: null, place: null } : race.chances();
		const runners = race.horses.map(({ id, name, silks, jockey }) => ({ id, name, silks, jockey }));
		const how = {
			runners,
			betDelaySeconds: BET_DELAY_SECONDS,
			...(this.#isOff ? { depth: DEPTH_IN_RUNNING } : {}),
		};
		return [
			{
				name: 'Win',
				type: 'WIN',
				rules: RULES.win,
				chances: win,
				removed: this.#removed(this.#opening.win, 1),
				result: this.isEnded ? this.#firstOf(1) : null,
				...how,
			},
			{
				name: `To be placed (${race.places} places)`,
				type: 'PLACE',
				places: race.places,
				rules: RULES.place,
				chances: place,
				removed: this.#removed(this.#opening.place, race.places),
				result: this.isEnded ? this.#firstOf(race.places) : null,
				...how,
			},
			{
				name: `Each way (1/${EACH_WAY_DIVISOR} odds, ${race.places} places)`,
				type: 'EACH_WAY',
				places: race.places,
				eachWayDivisor: EACH_WAY_DIVISOR,
				rules: RULES.eachWay,
				chances: win && place && win.map((chance, at) => eachWayChance(chance, place[at] as number)),
				closesAtStart: true,
				removed: this.#removed(this.#opening.win, 1),
				result: this.isEnded ? this.#placedBehind() : null,
				...how,
			},
		];
	}

	/** Non-runners, with a reduction factor for each from its share of the field. */
	#removed(opening: readonly number[], places: number) {
		return this.#race.horses.flatMap(({ isOut }, runner) =>
			isOut ? [{ runner, reductionBp: Math.round(((opening[runner] as number) / places) * WHOLE_BP) }] : [],
		);
	}

	/** The first horses, as many as there are places. Equal horses beyond that share the remaining places. */
	#firstOf(places: number): PlayResult {
		const winners: number[] = [];
		for (const group of this.#race.order()) {
			if (winners.length === places) break;
			if (winners.length + group.length > places) return { winners, tied: group };
			winners.push(...group);
		}
		return { winners };
	}

	/** The winner, and the horses placed behind it. */
	#placedBehind(): PlayResult {
		const [winners = []] = this.#race.order();
		const { winners: first = [], tied = [] } = this.#firstOf(this.#race.places);
		const placed = first.filter((at) => !winners.includes(at));
		return { winners, placed, tied: tied.filter((at) => !winners.includes(at)) };
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
