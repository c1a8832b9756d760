/**
 * What every simulated sport answers. A play follows from its seed alone: the same steps give the same goals, points and
 * chances, so how far it has come is the number of its steps.
 */
import type { FixtureState } from '#server/feeds/simulated/live-fixture.ts';

export interface Stepped {
	/** Until the next step, simulated. */
	pauseMs: number;
	/** Something happened that bets waiting in the books could not know of; betting rests until the next step. */
	incident: boolean;
}

export interface Play {
	readonly title: string;
	readonly competition: string;
	/** Taken so far. */
	readonly steps: number;
	readonly isOver: boolean;
	/** Goes on by one step; not called when it is over. */
	step(): Stepped;
	state(eventId: number): FixtureState;
}

export interface SimulatedSport {
	sportId: number;
	/**
	 * Names the sport's fixtures in the catalogue, together with the model: its number is raised with every change that
	 * lets a seed play otherwise, and fixtures that another model began are void.
	 */
	key: string;
	model: number;
	/** Between two starts, and less than one lasts: something is always being played. */
	spacingMs: number;
	/** Steps taken before the start that is announced, as the parade of horses. */
	leadMs: number;
	/** How far the first fixture is found when a server is new. */
	headStartSteps: number;
	begin(seed: number, number: number): Play;
}

/** What every card of a play that counts its steps begins with; `isBreak` between two stretches of play. */
export function cardHead({ steps, isOver }: Pick<Play, 'steps' | 'isOver'>, eventId: number, isBreak: boolean) {
	const state = isOver ? 'FINISHED' : steps === 0 ? 'PRE_MATCH' : isBreak ? 'BREAK' : 'IN_PLAY';
	return { eventId: String(eventId), version: steps + 1, state } as const;
}
