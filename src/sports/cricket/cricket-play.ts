/** Cricket: the toss, then a T20 match, a ball every half minute; the house takes no bets while the bowler runs in. */
import { cricketMarkets } from '#sports/cricket/cricket-markets.ts';
import { TwentyOverMatch } from '#sports/cricket/twenty-over-match.ts';
import {
	abandoned,
	type MarketState,
	type Play,
	type PlayState,
	type SimulatedSport,
	type Step,
} from '#sports/play.ts';
import { seedOf } from '#sports/random.ts';
import { CRICKET } from '#values/sports.ts';

/** From the toss to the first ball. */
const TOSS_MS = 5 * 60_000;
const RUN_UP_MS = 7_000;
const BALL_MS = 23_000;
const WICKET_MS = 12_000;
const NEW_BATTER_MS = 20_000;
const INNINGS_BREAK_MS = 180_000;

export const cricket: SimulatedSport = {
	sportId: CRICKET,
	key: 'cricket',
	model: 7,
	spacingMs: 100 * 60_000,
	leadMs: TOSS_MS,
	headStartSteps: 56,
	calendar: { next: 6, every: 2 },
	orders: { inPlay: 90, atTheStart: 30 },
	begin: (seed, number) => new CricketPlay(seed, number),
};

class CricketPlay implements Play {
	readonly title: string;
	readonly competition: string;
	steps = 0;
	readonly #match: TwentyOverMatch;
	readonly #seed: number;
	/** READY: between balls. WICKET: a wicket fell, and the next batter is not at the crease yet. */
	#phase: 'TOSS' | 'READY' | 'RUN_UP' | 'WICKET' = 'TOSS';
	/** Markets after the last ball or the toss, cached: pricing them plays out some thousand innings. */
	#priced: { at: number; markets: MarketState[] } | null = null;

	constructor(seed: number, number: number) {
		this.#match = new TwentyOverMatch(seed, number);
		this.#seed = seedOf(seed, CRICKET, number);
		this.title = this.#match.teams.map(({ name }) => name).join(' v ');
		this.competition = this.#match.competition;
	}

	get isEnded(): boolean {
		return this.#match.isEnded;
	}

	step(): Step {
		this.steps++;
		if (this.#phase === 'TOSS') {
			this.#match.toss();
			this.#phase = 'READY';
			return { pauseMs: TOSS_MS, incident: false };
		}
		if (this.#phase === 'READY') {
			this.#phase = 'RUN_UP';
			return { pauseMs: RUN_UP_MS, incident: false };
		}
		if (this.#phase === 'WICKET') {
			this.#phase = 'READY';
			return { pauseMs: NEW_BATTER_MS, incident: false };
		}
		const { wicket, inningsOver } = this.#match.playBall();
		this.#phase = wicket ? 'WICKET' : 'READY';
		const pauseMs = wicket ? WICKET_MS : BALL_MS;
		return { pauseMs: pauseMs + (inningsOver ? INNINGS_BREAK_MS : 0), incident: wicket };
	}

	state(): PlayState {
		const match = this.#match;
		const state: PlayState = {
			inPlay: match.ballsPlayed > 0 || this.#phase === 'RUN_UP',
			isEnded: this.isEnded,
			ballRunning: this.#phase === 'RUN_UP',
			markets: this.#markets(),
			score: match.card(),
			scoreLine: match.line(),
		};
		return match.isAbandoned ? abandoned(state) : state;
	}

	#markets(): MarketState[] {
		const at = this.#match.ballsPlayed + (this.#match.tossed ? 1 : 0);
		if (this.#priced?.at !== at) this.#priced = { at, markets: cricketMarkets(this.#match, this.#seed) };
		return this.#priced.markets;
	}
}
