/** Tennis: a point every half minute; betting rests when a set is over. */
import type { FixtureState, MarketState } from '#server/feeds/simulated/live-fixture.ts';
import { cardHead, type Play, type SimulatedSport, type Stepped } from '#server/feeds/simulated/play.ts';
import { seedOf } from '#server/feeds/simulated/random.ts';
import { TennisMatch } from '#server/feeds/simulated/tennis/tennis-match.ts';
import type { Score } from '#server/fixtures/fixtures.ts';
import { TENNIS } from '#values/sports.ts';

const POINT_MS = 28_000;
const GAME_MS = 45_000;
const SET_MS = 120_000;
const BET_DELAY_SECONDS = 3;
const BEST_OF = 3;
const POINTS = ['0', '15', '30', '40'];

const RULES = {
	odds: 'Who wins the match. Void if it is not played to its end.',
	set: 'Who wins the set. Void if it is not played to its end.',
};

export const tennis: SimulatedSport = {
	sportId: TENNIS,
	key: 'tennis',
	model: 1,
	spacingMs: 45 * 60_000,
	leadMs: 0,
	headStartSteps: 45,
	begin: (seed, number) => new TennisPlay(seed, number),
};

class TennisPlay implements Play {
	readonly title: string;
	readonly competition = 'Backlay Open · simulated';
	steps = 0;
	readonly #match: TennisMatch;
	#setJustOver = false;

	constructor(seed: number, number: number) {
		this.#match = new TennisMatch(seedOf(seed, TENNIS, number), number);
		this.title = this.#match.players.join(' v ');
	}

	get isOver(): boolean {
		return this.#match.winner !== null;
	}

	step(): Stepped {
		this.steps++;
		const { gameOver, setOver } = this.#match.playPoint();
		this.#setJustOver = setOver;
		return { pauseMs: setOver ? SET_MS : gameOver ? GAME_MS : POINT_MS, incident: setOver };
	}

	state(eventId: number): FixtureState {
		return {
			inPlay: this.steps > 0,
			isOver: this.isOver,
			markets: this.#markets(),
			score: this.#card(eventId),
			scoreLine: this.#match.games.map(([mine, theirs]) => `${mine}–${theirs}`).join(' '),
		};
	}

	/** The match, and each set that is sure to be played. */
	#markets(): MarketState[] {
		const match = this.#match;
		const runners = match.players.map((name, at) => ({ id: String(at + 1), name }));
		const how = { runners, betDelaySeconds: BET_DELAY_SECONDS };
		const { winner } = match;
		const sets = Math.max(2, match.games.length);
		return [
			{
				name: 'Match Odds',
				type: 'MATCH_ODDS',
				rules: RULES.odds,
				chances: [match.chance, 1 - match.chance],
				ended: winner === null ? null : { winners: [winner] },
				...how,
			},
			...Array.from({ length: sets }, (_, at): MarketState => {
				const taken = match.setWinners[at];
				const isPlayed = at === match.games.length - 1;
				const chance = taken === undefined ? (isPlayed ? match.setChance : match.freshSetChance) : 1 - taken;
				return {
					name: `Set ${at + 1} Winner`,
					type: 'SET_WINNER',
					rules: RULES.set,
					chances: [chance, 1 - chance],
					ended: taken === undefined ? null : { winners: [taken] },
					...how,
				};
			}),
		];
	}

	#card(eventId: number): Score {
		const { players, sets, games, isTieBreak, server, recentPoints } = this.#match;
		return {
			sport: 'tennis',
			...cardHead(this, eventId, this.#setJustOver),
			note: this.#note(),
			bestOf: BEST_OF,
			tieBreak: isTieBreak,
			players: players.map((name, at) => ({
				name,
				sets: sets[at] as number,
				games: games.map((set) => set[at] as number),
				points: this.#pointsOf(at as 0 | 1),
				serving: !this.isOver && server === at,
			})),
			recentPoints: [...recentPoints],
		};
	}

	#pointsOf(player: 0 | 1): string {
		const { points, isTieBreak } = this.#match;
		const [own, others] = [points[player], points[player === 0 ? 1 : 0]];
		if (isTieBreak) return String(own);
		if (own > 3) return own > others ? 'A' : '40';
		return POINTS[own] as string;
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
