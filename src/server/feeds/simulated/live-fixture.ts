/**
 * A fixture with all its markets, brought to where play stands: markets are listed and opened, quoted, held between
 * balls, suspended at incidents, turned in-play, closed and paid. It looks at the state alone, so showing the same state
 * twice changes nothing, and a server that was killed goes on from any state.
 */
import type { Ended } from '#engine/market-types/market-type.ts';
import { suspendSurely } from '#server/feeds/suspend-surely.ts';
import type { Fixture, FixtureStatus, Score } from '#server/fixtures/fixtures.ts';
import {
	type FeedParts,
	type FixtureMarket,
	findFixture,
	type NewFixture,
	type NewMarket,
	openMarket,
} from '#server/markets/fixture-market.ts';
import { quotesFromChances } from '#server/markets/quotes-from-chances.ts';

/** A market as play sees it. */
export interface MarketState extends NewMarket {
	/** Of each runner, of a fancy that its line is reached, of lines as prices that each is passed; null while there is no betting. */
	chances: readonly number[] | null;
	/** Levels quoted on each side where that is not left to the fixture: few where prices move at every look. */
	depth?: number;
	/** Betting ends when play begins. */
	closesAtStart?: boolean;
	/** A ball is on its way that this market is about. */
	ballRunning?: boolean;
	/** Non-runners, with the basis points they take off the others' prices. */
	removed?: readonly { runner: number; reductionBp: number }[];
	/** How it ended; null before. */
	ended: Ended | null;
	/** What its number has come to: where play stops early, what was reached may stand. */
	soFar?: number;
}

export interface FixtureState {
	inPlay: boolean;
	/** Everything is decided, or void. */
	isOver: boolean;
	/** It was not played to its end. */
	isAbandoned?: boolean;
	/** The main market first; one that is listed once stays. */
	markets: readonly MarketState[];
	score: Score;
	scoreLine: string;
}

/** The same when nobody plays on: what is not decided ends by its kind's rule for that. */
export function abandoned(state: FixtureState): FixtureState {
	const markets = state.markets.map(
		(market): MarketState => ({
			...market,
			ended: market.ended ?? {
				unfinished: true,
				...(state.inPlay ? {} : { unplayed: true }),
				...(market.soFar === undefined ? {} : { value: market.soFar }),
			},
		}),
	);
	const { score } = state;
	const said =
		score.state === 'FINISHED'
			? score
			: { ...score, state: 'FINISHED' as const, note: 'Abandoned', version: score.version + 1 };
	return { ...state, markets, score: said, isOver: true, isAbandoned: true };
}

/** Levels of an exchange market's quotes: the main market's, and the others'. */
const MAIN_DEPTH = 3;
const OTHER_DEPTH = 2;
/** With many runners, one level each is enough to read. */
const MANY_RUNNERS = 12;

export class LiveFixture {
	readonly fixture: Fixture;
	readonly #parts: FeedParts;
	readonly #markets = new Map<string, FixtureMarket>();
	/** Markets paid, which need no more looking at. */
	readonly #done = new Set<string>();
	/** The state shown last, and whether its markets are held. */
	#shown: { state: FixtureState; held: boolean } | null = null;

	private constructor(parts: FeedParts, fixture: Fixture) {
		this.#parts = parts;
		this.fixture = fixture;
	}

	/** Made where it is missing, found where it is not. */
	static async open(parts: FeedParts, about: NewFixture): Promise<LiveFixture> {
		return new LiveFixture(parts, await findFixture(parts.fixtures, about));
	}

	/**
	 * @param incident something that bets waiting in the books could not know of: all markets in play are suspended and
	 * their unmatched bets lapse; the next state without an incident resumes them
	 * @param quoted false for a fixture that is played out of sight: its markets go straight to their results
	 */
	async show(state: FixtureState, { incident = false, quoted = true } = {}): Promise<void> {
		const { fixtures } = this.#parts;
		const { id } = this.fixture;
		const due = state.markets.filter(({ name }) => !this.#done.has(name));
		for (const market of due) await this.#market(market);
		// Before the score is told, so that nobody bets on what he reads.
		if (incident) await Promise.all(due.map((market) => this.#hold(market)));
		if (state.inPlay) await fixtures.setStatus(id, 'IN_PLAY');
		await fixtures.setScore(id, state.score, state.inPlay ? state.scoreLine : '');
		this.#shown = { state, held: incident || !quoted };
		await this.confirm();
		if (state.isOver) await this.#finish(state.isAbandoned ? 'ABANDONED' : 'FINISHED');
	}

	/** Play stands where it stood: its markets are brought there again if they are not, and their leases renewed. */
	async confirm(): Promise<void> {
		if (!this.#shown) return;
		const { state, held } = this.#shown;
		const due = state.markets.filter(({ name }) => !this.#done.has(name));
		await Promise.all(due.map((market, at) => this.#bring(market, state.inPlay, held, at === 0)));
	}

	/** Nobody plays it any more, and nobody knows how far it had come: what is not paid ends by its kind's rule for that. */
	async abandon(): Promise<void> {
		const unplayed = this.fixture.status === 'UPCOMING';
		for (const listing of this.#parts.fixtures.markets(this.fixture.id)) {
			const market = await openMarket(this.#parts, this.fixture, listing);
			if (!market.isOver) await market.pay({ unfinished: true, ...(unplayed ? { unplayed } : {}) });
		}
		await this.#parts.fixtures.setStatus(this.fixture.id, 'ABANDONED');
	}

	/** Nobody watches play any more: nothing of it must stay open. */
	async suspend(signal: AbortSignal): Promise<void> {
		const { id, title } = this.fixture;
		const name = `the suspension of fixture ${id}, ${title},`;
		await suspendSurely([...this.#markets.values()], { name, signal, log: this.#parts.log });
	}

	async #market(state: MarketState): Promise<FixtureMarket> {
		const known = this.#markets.get(state.name);
		if (known) return known;
		const { name, type, runners, lines, handicapQuarters, places, eachWayDivisor, lineRange } = state;
		const { betDelaySeconds, rules } = state;
		const opened = await openMarket(this.#parts, this.fixture, {
			name,
			type,
			runners,
			betDelaySeconds,
			rules,
			...(lines === undefined ? {} : { lines }),
			...(handicapQuarters === undefined ? {} : { handicapQuarters }),
			...(lineRange === undefined ? {} : { lineRange }),
			...(eachWayDivisor === undefined ? {} : { eachWayDivisor }),
			...(places === undefined ? {} : { places }),
		});
		this.#markets.set(name, opened);
		return opened;
	}

	async #hold(state: MarketState): Promise<void> {
		const market = await this.#market(state);
		if (!market.isClosed) await market.suspend({ lapseUnmatched: true });
	}

	async #bring(state: MarketState, inPlay: boolean, held: boolean, main: boolean): Promise<void> {
		const market = await this.#market(state);
		for (const { runner, reductionBp } of state.removed ?? []) await market.remove(runner, reductionBp);
		if (state.ended) {
			await market.pay(state.ended);
			this.#done.add(state.name);
			return;
		}
		if (market.isClosed) return;
		if (inPlay && state.closesAtStart) return await market.close();
		if (inPlay) await market.turnInPlay();
		if (held) return;
		const { chances } = state;
		if (!chances) return await market.suspend();
		if (state.ballRunning) return await market.holdForBall();
		const usual = chances.length >= MANY_RUNNERS ? 1 : main ? MAIN_DEPTH : OTHER_DEPTH;
		await market.offer(quotesFromChances(market.listing, chances, state.depth ?? usual));
	}

	async #finish(status: FixtureStatus): Promise<void> {
		const open = [...this.#markets].filter(([name]) => !this.#done.has(name)).map(([name]) => name);
		if (open.length > 0) throw new Error(`Fixture ${this.fixture.id} is over, but not ${open.join(', ')}.`);
		await this.#parts.fixtures.setStatus(this.fixture.id, status);
	}
}
