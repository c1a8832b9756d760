/** Invented names, and the pairings of a league. */
const FIRST = ['Aru', 'Bel', 'Cato', 'Dev', 'Eshan', 'Farro', 'Goran', 'Hari', 'Ivo', 'Jai', 'Kiran'];
const LAST = ['Marsh', 'Vale', 'Thorne', 'Quill', 'Rook', 'Sable', 'Drift', 'Flint', 'Brook', 'Haze', 'Lark'];

/** Eleven people, always the same for a number. */
export const squadOf = (number: number): string[] =>
	FIRST.map((name, at) => `${name} ${LAST[(at * 2 + number * 3) % LAST.length]}`);

/**
 * The pair that meets in the match of that number. A round robin over a list of even length: each meets each other once,
 * and plays once in a round.
 */
export function pairOf<T>(list: readonly T[], match: number): [T, T] {
	const others = list.length - 1;
	const slots = list.length / 2;
	const round = Math.floor(match / slots) % others;
	const slot = match % slots;
	const at = (place: number) => list[1 + ((round + place) % others)] as T;
	return slot === 0 ? [list[0] as T, at(0)] : [at(slot), at(others - slot)];
}
