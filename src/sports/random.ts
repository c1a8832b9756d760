/** Seeded random numbers: the same seed plays the same match. */
export type Draw = () => number;

/** Numbers from 0 up to 1. */
export function randomFrom(seed: number): Draw {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Mixes several numbers into a seed; neighbouring numbers give unrelated seeds. */
export function seedOf(...parts: readonly number[]): number {
	let mixed = 0x811c9dc5;
	for (const part of parts) {
		mixed = Math.imul(mixed ^ part, 0x9e3779b1);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
		mixed ^= mixed >>> 13;
	}
	return mixed | 0;
}

/** A normal number of mean 0 and deviation 1. */
export const normalFrom = (draw: Draw): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

/** The list in a random order. */
export function shuffled<T>(list: readonly T[], draw: Draw): T[] {
	return list
		.map((item) => ({ item, at: draw() }))
		.sort((one, two) => one.at - two.at)
		.map(({ item }) => item);
}

export const pick = <T>(list: readonly T[], draw: Draw): T => list[Math.floor(draw() * list.length)] as T;
