/** The tennis players: 128 women and 128 men, in tournaments that take turns. */
import { pairOf, personOf, type Region, womanOf } from '#sports/names.ts';

const FIELD = 128;
const REGIONS: readonly Region[] = ['europe', 'islands', 'orient', 'india'];
const DRAWS = [
	Array.from({ length: FIELD }, (_, at) => womanOf(at)),
	Array.from({ length: FIELD }, (_, at) => personOf(REGIONS[at % 4] as Region, 900 + Math.floor(at / 4))),
] as const;
const TOURNAMENTS = ['Lisbon Open', 'Chennai Masters', 'Bergen Indoor', 'Nile Classic', 'Queensbridge Championships'];

/** The match of that number: women and men take turns, and from time to time the tournament is another. */
export function meetingOf(match: number): { competition: string; players: [string, string] } {
	const draw = match % DRAWS.length;
	const round = Math.floor(match / DRAWS.length);
	const tournament = TOURNAMENTS[(Math.floor(round / 4) + draw) % TOURNAMENTS.length];
	return {
		competition: `${tournament}, ${draw === 0 ? 'women' : 'men'}`,
		// Neighbouring matches are of players far apart, so that no player plays twice in a day.
		players: pairOf(DRAWS[draw] as readonly string[], round),
	};
}
