/** People nobody has ever met, and who meets whom. */
const FIRST = ['Aru', 'Bel', 'Cato', 'Dev', 'Eshan', 'Farro', 'Goran', 'Hari', 'Ivo', 'Jai', 'Kiran'];
const LAST = ['Marsh', 'Vale', 'Thorne', 'Quill', 'Rook', 'Sable', 'Drift', 'Flint', 'Brook', 'Haze', 'Lark'];

/** Eleven people, always the same for a number. */
export const squadOf = (number: number): string[] =>
	FIRST.map((name, at) => `${name} ${LAST[(at * 2 + number * 3) % LAST.length]}`);

/**
 * Who meets whom in the match of that number, of a list of even length: everybody once against everybody, as leagues
 * draw it up, so that nobody plays twice in one round.
 */
export function pairOf<T>(list: readonly T[], match: number): [T, T] {
	const others = list.length - 1;
	const slots = list.length / 2;
	const round = Math.floor(match / slots) % others;
	const slot = match % slots;
	const at = (place: number) => list[1 + ((round + place) % others)] as T;
	return slot === 0 ? [list[0] as T, at(0)] : [at(slot), at(others - slot)];
}
