/** A tennis match, best of three sets with a tie-break at six all, point by point. */
import { type Draw, normalFrom, pick, randomFrom, seedOf } from '#sports/random.ts';
import { matchChance, type ServeChances, SetChances, tieBreakServer } from '#sports/tennis/tennis-chances.ts';
import { meetingOf } from '#sports/tennis/tennis-players.ts';

const SERVE = { mean: 0.61, spread: 0.035, least: 0.52, most: 0.72 };
const RECENT = 20;
/** Where serves go; drawn apart from play, which they do not decide. */
const SERVES = ['WIDE', 'T', 'WIDE', 'T', 'BODY'] as const;
const OF_THE_SERVES = 12;

type Player = 0 | 1;
const other = (player: Player): Player => (player === 0 ? 1 : 0);

interface PointPlayed {
	gameOver: boolean;
	setOver: boolean;
}

export class TennisMatch {
	readonly competition: string;
	readonly players: readonly [string, string];
	readonly sets: [number, number] = [0, 0];
	/** Games of each set begun. */
	readonly games: [number, number][] = [[0, 0]];
	points: [number, number] = [0, 0];
	/** The server of this game; in a tie-break the server of its first point. */
	#server: Player;
	/** Winners of the sets played. */
	readonly setWinners: Player[] = [];
	readonly recentPoints: Player[] = [];
	/** Null before the first point. */
	lastServe: (typeof SERVES)[number] | null = null;
	readonly #serveDraw: Draw;
	readonly #draw: Draw;
	readonly #serves: ServeChances;
	readonly #chances: SetChances;

	constructor(seed: number, number: number) {
		this.#draw = randomFrom(seed);
		this.#serveDraw = randomFrom(seedOf(seed, OF_THE_SERVES));
		({ competition: this.competition, players: this.players } = meetingOf(number));
		const serve = () => Math.min(SERVE.most, Math.max(SERVE.least, SERVE.mean + SERVE.spread * normalFrom(this.#draw)));
		this.#serves = [serve(), serve()];
		this.#chances = new SetChances(this.#serves);
		this.#server = this.#draw() < 0.5 ? 0 : 1;
	}

	get winner(): Player | null {
		return this.sets[0] === 2 ? 0 : this.sets[1] === 2 ? 1 : null;
	}
	get isTieBreak(): boolean {
		const [mine, theirs] = this.#current;
		return mine === 6 && theirs === 6;
	}
	get server(): Player {
		return this.isTieBreak ? tieBreakServer(this.#server, this.points[0] + this.points[1]) : this.#server;
	}

	/** Chance of the first player to win the match. */
	get chance(): number {
		const { winner } = this;
		return winner === null ? matchChance(this.setChance, this.#chances.fresh, this.sets) : 1 - winner;
	}
	/** The same for the current set, and for a set that has not begun. */
	get setChance(): number {
		return this.#chances.inGame(this.#current, this.points, this.#server);
	}
	get freshSetChance(): number {
		return this.#chances.fresh;
	}

	get #current(): [number, number] {
		return this.games.at(-1) as [number, number];
	}

	playPoint(): PointPlayed {
		const { server } = this;
		this.lastServe = pick(SERVES, this.#serveDraw);
		const taker: Player = this.#draw() < this.#serves[server] ? server : other(server);
		this.points[taker]++;
		this.recentPoints.push(taker);
		if (this.recentPoints.length > RECENT) this.recentPoints.shift();
		const enough = this.isTieBreak ? 7 : 4;
		if (this.points[taker] < enough || this.points[taker] - this.points[other(taker)] < 2) {
			return { gameOver: false, setOver: false };
		}
		return { gameOver: true, setOver: this.#takeGame(taker) };
	}

	#takeGame(player: Player): boolean {
		const current = this.#current;
		current[player]++;
		this.points = [0, 0];
		this.#server = other(this.#server);
		const setOver = current[player] === 7 || (current[player] === 6 && current[other(player)] <= 4);
		if (!setOver) return false;
		this.sets[player]++;
		this.setWinners.push(player);
		if (this.winner === null) this.games.push([0, 0]);
		return true;
	}
}
