/** A tennis match, best of three sets with a tie-break at six all, point by point. */
import { type Draw, normalFrom, pick, randomFrom, seedOf } from '#sports/random.ts';
import { matchChance, type ServeChances, SetChances } from '#sports/tennis/tennis-chances.ts';
import { meetingOf } from '#sports/tennis/tennis-players.ts';
import { other, TennisTally } from '#sports/tennis/tennis-tally.ts';

const SERVE = { mean: 0.61, spread: 0.035, least: 0.52, most: 0.72 };
/** Where serves go; drawn apart from play, which they do not decide. */
const SERVES = ['WIDE', 'T', 'WIDE', 'T', 'BODY'] as const;
const OF_THE_SERVES = 12;

export class TennisMatch extends TennisTally {
	readonly competition: string;
	readonly players: readonly [string, string];
	/** Null before the first point. */
	lastServe: (typeof SERVES)[number] | null = null;
	readonly #serveDraw: Draw;
	readonly #draw: Draw;
	readonly #serves: ServeChances;
	readonly #chances: SetChances;

	constructor(seed: number, number: number) {
		super();
		this.#draw = randomFrom(seed);
		this.#serveDraw = randomFrom(seedOf(seed, OF_THE_SERVES));
		({ competition: this.competition, players: this.players } = meetingOf(number));
		const serve = () => Math.min(SERVE.most, Math.max(SERVE.least, SERVE.mean + SERVE.spread * normalFrom(this.#draw)));
		this.#serves = [serve(), serve()];
		this.#chances = new SetChances(this.#serves);
		this.gameServer = this.#draw() < 0.5 ? 0 : 1;
	}

	/** Chance of the first player to win the match. */
	get chance(): number {
		const { winner } = this;
		return winner === null ? matchChance(this.setChance, this.#chances.fresh, this.sets) : 1 - winner;
	}
	/** The same for the current set, and for a set that has not begun. */
	get setChance(): number {
		return this.#chances.inGame(this.current, this.points, this.gameServer);
	}
	get freshSetChance(): number {
		return this.#chances.fresh;
	}

	playPoint(): ReturnType<TennisTally['winPoint']> {
		const { server } = this;
		this.lastServe = pick(SERVES, this.#serveDraw);
		return this.winPoint(this.#draw() < this.#serves[server] ? server : other(server));
	}
}
