/** The games that match a search. */
import type { CasinoGameInfo } from '#web/store/casino-queries.ts';

/** The number of letters to change, add, remove or swap; counted up to `most`. */
function typos(one: string, other: string, most: number): number {
	if (Math.abs(one.length - other.length) > most) return most + 1;
	let before: number[] = [];
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let at = 1; at <= one.length; at++) {
		const next = [at];
		for (let to = 1; to <= other.length; to++) {
			const isSame = one[at - 1] === other[to - 1];
			const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
			next[to] = Math.min(
				(row[to] as number) + 1,
				(next[to - 1] as number) + 1,
				(row[to - 1] as number) + (isSame ? 0 : 1),
				swapped ? (before[to - 2] as number) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		[before, row] = [row, next];
	}
	return row[other.length] as number;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9 ]/g, '');

/** 0 if the name starts with the text, more if it is inside it or has typos; null if it does not match. */
function rankOf(name: string, sought: string): number | null {
	if (name.startsWith(sought)) return 0;
	if (name.includes(` ${sought}`)) return 1;
	if (name.includes(sought)) return 2;
	const most = sought.length > 5 ? 2 : sought.length > 2 ? 1 : 0;
	if (most === 0) return null;
	const fits = [name, ...name.split(' ')].some(
		(part) => typos(part, sought, most) <= most || typos(part.slice(0, sought.length), sought, most) <= most,
	);
	return fits ? 3 : null;
}

/** The best fits first; games that fit equally well keep their order. */
export function findGames<Game extends Pick<CasinoGameInfo, 'name' | 'provider'>>(
	games: readonly Game[],
	text: string,
): Game[] {
	const sought = plain(text.trim());
	return games
		.map((game) => ({ game, rank: rankOf(plain(game.name), sought) ?? rankOf(plain(game.provider), sought) }))
		.filter((found): found is { game: Game; rank: number } => found.rank !== null)
		.sort((one, other) => one.rank - other.rank)
		.map(({ game }) => game);
}
