/** Tennis: a point every half minute; betting is suspended after each set. */
import { cardHead, type Play, type PlayState, type SimulatedSport, type Step } from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import type { TennisCard } from '#sports/score-card.ts';
import { tennisMarkets } from '#sports/tennis/tennis-markets.ts';
import { TennisMatch } from '#sports/tennis/tennis-match.ts';
import { TENNIS } from '#values/sports.ts';

const POINT_MS = 28_000;
const GAME_MS = 45_000;
const SET_MS = 120_000;
const BEST_OF = 3;

export const tennis: SimulatedSport = {
	sportId: TENNIS,
	key: 'tennis',
	model: 3,
	spacingMs: 45 * 60_000,
	leadMs: 0,
	headStartSteps: 45,
	calendar: { next: 12, every: 4 },
	orders: { inPlay: 50, atTheStart: 15 },
	begin: (seed, number) => new TennisPlay(seed, number),
};

class TennisPlay implements Play {
	readonly title: string;
	readonly competition: string;
	steps = 0;
	readonly #match: TennisMatch;
	#setJustOver = false;

	constructor(seed: number, number: number) {
		this.#match = new TennisMatch(seedOf(seed, TENNIS, number), number);
		this.title = this.#match.players.join(' v ');
		this.competition = this.#match.competition;
	}

	get isEnded(): boolean {
		return this.#match.winner !== null;
	}

	step(): Step {
		this.steps++;
		const { gameOver, setOver } = this.#match.playPoint();
		this.#setJustOver = setOver;
		return { pauseMs: setOver ? SET_MS : gameOver ? GAME_MS : POINT_MS, incident: setOver };
	}

	state(): PlayState {
		return {
			inPlay: this.steps > 0,
			isEnded: this.isEnded,
			markets: tennisMarkets(this.#match),
			score: this.#card(),
			scoreLine: this.#match.games.map(([mine, theirs]) => `${mine}–${theirs}`).join(' '),
		};
	}

	#card(): TennisCard {
		const { players, sets, games, isTieBreak, server, recentPoints, lastServe } = this.#match;
		return {
			sport: 'tennis',
			...cardHead(this, this.#setJustOver),
			note: this.#note(),
			bestOf: BEST_OF,
			tieBreak: isTieBreak,
			players: players.map((name, at) => ({
				name,
				sets: sets[at] as number,
				games: games.map((set) => set[at] as number),
				points: this.#match.pointsOf(at as 0 | 1),
				serving: !this.isEnded && server === at,
			})),
			recentPoints: [...recentPoints],
			...(lastServe ? { lastServe } : {}),
		};
	}

	#note(): string {
		const { winner, players, server, points, isTieBreak } = this.#match;
		if (winner !== null) return `${players[winner]} won`;
		if (this.steps === 0) return `${players[server]} serves first`;
		if (this.#setJustOver) return 'Set over';
		if (isTieBreak) return 'Tie-break';
		const [one, two] = points;
		return one === two && one >= 3 ? 'Deuce' : `${players[server]} serves`;
	}
}
