/**
 * The ball's movement for a tracker: attacks, shots, corners and the side that presses. It follows play and
 * decides nothing: goals come from the match, and its numbers are drawn apart from the match's.
 */
import { type Draw, randomFrom } from '#sports/random.ts';
import type { FootballCard } from '#sports/score-card.ts';

type Side = 0 | 1;
type Play = NonNullable<FootballCard['play']>;

const ZONES = 5;
/** Minutes of pressure that are shown. */
const SHOWN_MINUTES = 45;
const SHOT_CHANCE = 0.24;
const ON_TARGET_SHARE = 0.35;
const CORNER_CHANCE = 0.16;
/** Share of the pressure that is left after a step. */
const LASTING = 0.8;

export class BallMovement {
	readonly shots: [number, number] = [0, 0];
	readonly onTarget: [number, number] = [0, 0];
	readonly corners: [number, number] = [0, 0];
	readonly #draw: Draw;
	/** 0 is before the first side's goal. */
	#zone = 2;
	#side: Side = 0;
	#pressure = 0;
	#steps = 0;
	/** Of each minute, from -1 (the second side presses) to 1. */
	readonly #momentum: number[] = [];
	readonly #stepsAMinute: number;

	constructor(seed: number, stepsAMinute: number) {
		this.#draw = randomFrom(seed);
		this.#stepsAMinute = stepsAMinute;
	}

	/**
	 * Moves by a step.
	 * @param share of the goals that the first side is expected to score
	 * @param scorer in this step
	 */
	step(share: number, scorer: Side | null): void {
		if (scorer !== null) this.#score(scorer);
		else this.#roam(share);
		const push = (this.#side === 0 ? 1 : -1) * (this.#depth / (ZONES - 1));
		this.#pressure = this.#pressure * LASTING + push * (1 - LASTING);
		if (++this.#steps % this.#stepsAMinute === 0) {
			this.#momentum.push(Math.round(Math.max(-1, Math.min(1, this.#pressure * 1.6)) * 100) / 100);
			if (this.#momentum.length > SHOWN_MINUTES) this.#momentum.shift();
		}
	}

	/** Zones between the side's own goal and the ball. */
	get #depth(): number {
		return this.#side === 0 ? this.#zone : ZONES - 1 - this.#zone;
	}

	#score(scorer: Side): void {
		this.shots[scorer]++;
		this.onTarget[scorer]++;
		this.#side = scorer;
		this.#zone = scorer === 0 ? ZONES - 1 : 0;
	}

	#roam(share: number): void {
		const draw = this.#draw;
		if (draw() < 0.4) this.#side = draw() < share ? 0 : 1;
		const forwards = this.#side === 0 ? 1 : -1;
		const move = draw() < 0.55 ? forwards : draw() < 0.5 ? -forwards : 0;
		this.#zone = Math.max(0, Math.min(ZONES - 1, this.#zone + move));
		if (this.#depth < ZONES - 1) return;
		if (draw() < SHOT_CHANCE) {
			this.shots[this.#side]++;
			if (draw() < ON_TARGET_SHARE) this.onTarget[this.#side]++;
		}
		if (draw() < CORNER_CHANCE) this.corners[this.#side]++;
	}

	get play(): Play {
		const depth = this.#depth;
		return {
			side: this.#side,
			zone: this.#zone,
			kind: depth === ZONES - 1 ? 'DANGER' : depth === ZONES - 2 ? 'ATTACK' : 'POSSESSION',
			shots: [...this.shots],
			onTarget: [...this.onTarget],
			corners: [...this.corners],
			momentum: [...this.#momentum],
		};
	}
}
