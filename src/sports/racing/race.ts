/**
 * A steeplechase, second by second: each horse has its own pace, with some jitter. The rest of the race is forecast by
 * drawing the times that the horses need for the remaining distance.
 */

import type { RaceRunner } from '#sports/play.ts';
import { COURSES, horseOf, jockeyOf } from '#sports/racing/racing-names.ts';
import { type Draw, normalFrom, pick, randomFrom, seedOf, shuffled } from '#sports/random.ts';

const COLOURS = [
	'#c62828',
	'#1565c0',
	'#2e7d32',
	'#f9a825',
	'#6a1b9a',
	'#ef6c00',
	'#00838f',
	'#ad1457',
	'#ffffff',
	'#212121',
];
const PATTERNS = ['PLAIN', 'HOOPS', 'STRIPES', 'SASH', 'DIAMONDS', 'SPOTS'] as const;
const GOINGS = ['Good', 'Good to soft', 'Soft'];
/** Eighths of a mile. */
const DISTANCES = [24, 26, 28, 30];
const FURLONG_METRES = 201.168;
const KINDS = ['Hurdle', 'Handicap Hurdle', 'Chase', 'Handicap Chase', 'Novices’ Chase'];

const FEWEST = 8;
const MOST = 10;
/** Metres a second: mean of the field, spread between horses, and jitter between seconds. */
const PACE = { mean: 14.8, spread: 0.05, jitter: 1.3 };
const NON_RUNNER_CHANCE = 0.35;
/** About seven of a hundred horses fall. */
const FALLS_PER_METRE = 0.000012;
const PLAYED_ON = 1500;
/** Times at the post are taken to a hundredth of a second; equal times are a dead heat. */
const CLOCK = 100;

export interface Horse extends RaceRunner {
	number: number;
	/** Mean pace, metres a second. */
	pace: number;
	metres: number;
	/** Time at the post; null before. */
	seconds: number | null;
	/** A non-runner. */
	isOut: boolean;
	fell: boolean;
}

/** Material events of a run. */
interface Ran {
	fallen: Horse[];
	/** The first horse passed the post. */
	isWon: boolean;
}

export interface RaceChances {
	win: number[];
	place: number[];
}

export class Race {
	readonly course: string;
	/** Such as "3m2f Chase". */
	readonly name: string;
	/** Metres. */
	readonly distance: number;
	readonly going: string;
	readonly horses: readonly Horse[];
	readonly places: number;
	/** Index of the horse that is withdrawn before the off; null if all run. */
	readonly withdrawal: number | null;
	/** Since the off. */
	seconds = 0;
	readonly #seed: number;
	readonly #draw: Draw;

	constructor(seed: number, number: number) {
		this.#seed = seed;
		const draw = randomFrom(seed);
		this.#draw = draw;
		this.course = COURSES[(number * 7) % COURSES.length] as string;
		const furlongs = pick(DISTANCES, draw);
		this.distance = Math.round(furlongs * FURLONG_METRES);
		this.name = `${Math.floor(furlongs / 8)}m${furlongs % 8 > 0 ? `${furlongs % 8}f` : ''} ${KINDS[number % KINDS.length]}`;
		this.going = pick(GOINGS, draw);
		const field = FEWEST + Math.floor(draw() * (MOST - FEWEST + 1));
		this.horses = fieldOf(field, number, draw);
		this.places = 3;
		this.withdrawal = draw() < NON_RUNNER_CHANCE ? Math.floor(draw() * field) : null;
	}

	get isEnded(): boolean {
		return this.horses.every(({ seconds, isOut, fell }) => isOut || fell || seconds !== null);
	}
	/** The first horse passed the post; others may still be running. */
	get isWon(): boolean {
		return this.horses.some(({ seconds }) => seconds !== null);
	}
	/** Indexes of the horses that finished or may still finish. */
	get #standing(): number[] {
		return this.horses.flatMap(({ isOut, fell }, at) => (isOut || fell ? [] : [at]));
	}
	/** Number of further falls that leave enough horses for the places, and one more. */
	get #mayFall(): number {
		return this.#standing.length - this.places - 1;
	}

	withdraw(): void {
		const horse = this.horses[this.withdrawal ?? -1];
		if (horse) horse.isOut = true;
	}

	/** Runs for this many seconds. */
	run(seconds: number): Ran {
		const wasWon = this.isWon;
		const fallen: Horse[] = [];
		for (let second = 0; second < seconds; second++) {
			for (const horse of this.horses) {
				const covered = Math.max(1, horse.pace + PACE.jitter * normalFrom(this.#draw));
				const stumbles = this.#draw();
				if (horse.isOut || horse.fell || horse.seconds !== null) continue;
				const before = horse.metres;
				horse.metres = Math.min(this.distance, before + covered);
				if (stumbles < fallChance(horse.metres - before) && this.#mayFall > 0) {
					horse.fell = true;
					fallen.push(horse);
				} else if (horse.metres === this.distance) {
					const time = this.seconds + (this.distance - before) / covered;
					horse.seconds = Math.round(time * CLOCK) / CLOCK;
				}
			}
			this.seconds++;
		}
		return { fallen, isWon: this.isWon && !wasWon };
	}

	/** Indexes of the horses from first to last, without non-runners and fallen horses; equal horses share a list. */
	order(): number[][] {
		const key = (at: number) => {
			const { seconds, metres } = this.horses[at] as Horse;
			return seconds ?? 1e9 - metres;
		};
		const sorted = this.#standing.sort((one, two) => key(one) - key(two));
		const groups: number[][] = [];
		for (const at of sorted) {
			const last = groups.at(-1);
			if (last && key(last[0] as number) === key(at)) last.push(at);
			else groups.push([at]);
		}
		return groups;
	}

	/** Chances to win and to be placed, of every horse. */
	chances(): RaceChances {
		const standing = this.#standing;
		const draw = randomFrom(seedOf(this.#seed, this.seconds, standing.length));
		const wins = this.horses.map(() => 0);
		const places = this.horses.map(() => 0);
		for (let time = 0; time < PLAYED_ON; time++) {
			let mayFall = this.#mayFall;
			const times = standing.map((at) => {
				const horse = this.horses[at] as Horse;
				const falls = draw() < fallChance(this.distance - horse.metres) && mayFall-- > 0;
				const seconds = this.#timeOf(horse, draw);
				return { at, seconds: falls ? Number.POSITIVE_INFINITY : seconds };
			});
			times.sort((one, two) => one.seconds - two.seconds);
			for (const { at } of times.slice(0, this.places)) places[at] = (places[at] as number) + 1;
			const first = times[0]?.at ?? 0;
			wins[first] = (wins[first] as number) + 1;
		}
		return { win: wins.map((count) => count / PLAYED_ON), place: places.map((count) => count / PLAYED_ON) };
	}

	/** A possible time at the post. The sum of many small steps is normal. */
	#timeOf({ pace, metres, seconds }: Horse, draw: Draw): number {
		if (seconds !== null) return seconds;
		const left = this.distance - metres;
		return this.seconds + left / pace + (normalFrom(draw) * PACE.jitter * Math.sqrt(left / pace)) / pace;
	}
}

/** Chance that a horse falls within this many metres. */
const fallChance = (metres: number): number => 1 - Math.exp(-FALLS_PER_METRE * metres);

function fieldOf(size: number, number: number, draw: Draw): Horse[] {
	const jockeys = shuffled(
		Array.from({ length: size }, (_, at) => jockeyOf(number * MOST + at)),
		draw,
	);
	return Array.from({ length: size }, (_, at) => ({
		id: String(at + 1),
		number: at + 1,
		name: horseOf(number * MOST + at),
		jockey: jockeys[at] as string,
		silks: {
			pattern: pick(PATTERNS, draw),
			body: COLOURS[(at + number) % COLOURS.length] as string,
			mark: COLOURS[(at + number + 3) % COLOURS.length] as string,
			sleeves: pick(COLOURS, draw),
			cap: pick(COLOURS, draw),
		},
		pace: PACE.mean + PACE.spread * normalFrom(draw),
		metres: 0,
		seconds: null,
		isOut: false,
		fell: false,
	}));
}
