/** People nobody has ever met, and who meets whom. */
const FIRST = ['Aru', 'Bel', 'Cato', 'Dev', 'Eshan', 'Farro', 'Goran', 'Hari', 'Ivo', 'Jai', 'Kiran'];
const LAST = ['Marsh', 'Vale', 'Thorne', 'Quill', 'Rook', 'Sable', 'Drift', 'Flint', 'Brook', 'Haze', 'Lark'];

/** Eleven people, always the same for a number. */
export const squadOf = (number: number): string[] =>
	FIRST.map((name, at) => `${name} ${LAST[(at * 2 + number * 3) % LAST.length]}`);

/** Two different ones of a list for the match of that number. */
export function pairOf<T>(list: readonly T[], match: number): [T, T] {
	const first = (match * 3) % list.length;
	const second = (first + 1 + (match % (list.length - 1))) % list.length;
	return [list[first] as T, list[second] as T];
}
