/**
 * The exact chances of a tennis match whose servers win each point with a chance of their own: a game, a tie-break, a
 * set, a match, from any score. All are the first player's. Who serves first makes no difference to a whole set, so sets
 * not begun are all alike.
 */
type Player = 0 | 1;

/** Chance of each player to win a point when serving. */
export type ServeChances = readonly [number, number];

const GAMES = 6;
const TIE_BREAK_POINTS = 7;

/** Chance that the server wins the game, from points won by server and receiver. */
export function gameChance(serve: number, server: number, receiver: number): number {
	if (server >= 4 && server - receiver >= 2) return 1;
	if (receiver >= 4 && receiver - server >= 2) return 0;
	if (server >= 3 && server === receiver) return serve ** 2 / (serve ** 2 + (1 - serve) ** 2);
	return serve * gameChance(serve, server + 1, receiver) + (1 - serve) * gameChance(serve, server, receiver + 1);
}

/** The server of a tie-break's point, by its number from 0. */
export const tieBreakServer = (first: Player, point: number): Player =>
	((point + 1) >> 1) % 2 === 0 ? first : first === 0 ? 1 : 0;

export function tieBreakChance(serves: ServeChances, points: readonly [number, number], first: Player): number {
	const [mine, theirs] = points;
	if (mine >= TIE_BREAK_POINTS && mine - theirs >= 2) return 1;
	if (theirs >= TIE_BREAK_POINTS && theirs - mine >= 2) return 0;
	const [own, other] = serves;
	if (mine >= TIE_BREAK_POINTS - 1 && mine === theirs) {
		// Each player serves one of two points.
		const both = own * (1 - other);
		return both / (both + (1 - own) * other);
	}
	const win = tieBreakServer(first, mine + theirs) === 0 ? own : 1 - other;
	return (
		win * tieBreakChance(serves, [mine + 1, theirs], first) +
		(1 - win) * tieBreakChance(serves, [mine, theirs + 1], first)
	);
}

/** Chances of a set from any number of games with a player about to serve. */
export class SetChances {
	readonly #serves: ServeChances;
	readonly #holds: readonly [number, number];
	readonly #known = new Map<number, number>();
	readonly #tieBreak: readonly [number, number];

	constructor(serves: ServeChances) {
		this.#serves = serves;
		this.#holds = [gameChance(serves[0], 0, 0), gameChance(serves[1], 0, 0)];
		this.#tieBreak = [tieBreakChance(serves, [0, 0], 0), tieBreakChance(serves, [0, 0], 1)];
	}

	/** Chance of a set that has not begun. */
	get fresh(): number {
		return this.atGames(0, 0, 0);
	}

	atGames(mine: number, theirs: number, server: Player): number {
		if (mine === GAMES + 1 || (mine === GAMES && mine - theirs >= 2)) return 1;
		if (theirs === GAMES + 1 || (theirs === GAMES && theirs - mine >= 2)) return 0;
		if (mine === GAMES && theirs === GAMES) return this.#tieBreak[server];
		const key = (mine * 8 + theirs) * 2 + server;
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const chance = this.#afterGame(server === 0 ? this.#holds[0] : 1 - this.#holds[1], mine, theirs, server);
		this.#known.set(key, chance);
		return chance;
	}

	/** In a game or, at six all, in a tie-break. */
	inGame(games: readonly [number, number], points: readonly [number, number], server: Player): number {
		const [mine, theirs] = games;
		if (mine === GAMES && theirs === GAMES) return tieBreakChance(this.#serves, points, server);
		const [own, other] = points;
		const game = server === 0 ? gameChance(this.#serves[0], own, other) : 1 - gameChance(this.#serves[1], other, own);
		return this.#afterGame(game, mine, theirs, server);
	}

	#afterGame(game: number, mine: number, theirs: number, server: Player): number {
		const next = server === 0 ? 1 : 0;
		return game * this.atGames(mine + 1, theirs, next) + (1 - game) * this.atGames(mine, theirs + 1, next);
	}
}

/** Chance of a best of three, from sets won and the chance of the current set. */
export function matchChance(set: number, fresh: number, sets: readonly [number, number]): number {
	const from = (mine: number, theirs: number): number => {
		if (mine === 2) return 1;
		if (theirs === 2) return 0;
		return fresh * from(mine + 1, theirs) + (1 - fresh) * from(mine, theirs + 1);
	};
	return set * from(sets[0] + 1, sets[1]) + (1 - set) * from(sets[0], sets[1] + 1);
}
