/**
 * A fixture and its markets, moved to a state of play: markets are listed and opened, quoted, held while a ball is in
 * play, suspended at incidents, turned in-play, closed and settled, or their results proposed. Only the state decides,
 * so showing a state twice changes nothing, and a killed server continues from any state.
 */

import type { FeedParts } from '#server/world/feeds/feed.ts';
import { suspendSurely } from '#server/world/feeds/suspend-surely.ts';
import { findFixture, type NewFixture } from '#server/world/fixtures/find-fixture.ts';
import type { Fixture, FixtureStatus, Score } from '#server/world/fixtures/fixtures.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { isOffered, openMarket } from '#server/world/markets/open-market.ts';
import { quotesFromChances } from '#server/world/markets/quotes-from-chances.ts';
import type { MarketState, PlayState } from '#sports/play.ts';

/** Price levels quoted in EXCHANGE markets: in the main market, and in the others. */
const MAIN_DEPTH = 10;
const OTHER_DEPTH = 8;
/** From this many runners on, fewer levels. */
const MANY_RUNNERS = 12;
const DEPTH_OF_MANY = 3;

export class LiveFixture {
	readonly fixture: Fixture;
	readonly #parts: FeedParts;
	readonly #markets = new Map<string, FixtureMarket>();
	/** Names of finished markets: settled, or proposed to members, who no longer need the fixture. */
	readonly #decided = new Set<string>();
	/** The last state, and whether its markets are suspended. */
	#shown: { state: PlayState; held: boolean } | null = null;

	private constructor(parts: FeedParts, fixture: Fixture) {
		this.#parts = parts;
		this.fixture = fixture;
	}

	/** Finds the fixture in the catalogue, or adds it. */
	static async open(parts: FeedParts, about: NewFixture): Promise<LiveFixture> {
		return new LiveFixture(parts, await findFixture(parts.fixtures, about));
	}

	/**
	 * Moves the markets to this state.
	 * @param incident a material event: all markets are suspended and their unmatched bets lapse; the next state without
	 * an incident resumes them
	 * @param quoted false for a fixture that is played before it is shown: its markets open without quotes
	 */
	async show(state: PlayState, { incident = false, quoted = true } = {}): Promise<void> {
		const { fixtures } = this.#parts;
		const { id } = this.fixture;
		const due = this.#due(state);
		for (const market of due) await this.#market(market);
		// Before the score is published: a player who reads it can no longer bet.
		if (incident) await Promise.all(due.map((market) => this.#suspendForIncident(market)));
		if (state.inPlay) await fixtures.setStatus(id, 'IN_PLAY');
		const score: Score = { ...state.score, eventId: String(id) };
		await fixtures.setScore(id, score, state.inPlay ? state.scoreLine : '');
		this.#shown = { state, held: incident || !quoted };
		await this.confirm();
		if (state.isEnded) await this.#finish(state.isAbandoned ? 'ABANDONED' : 'FINISHED');
	}

	/** Repeats the last state: moves markets that are not in it, and renews their leases. */
	async confirm(): Promise<void> {
		if (!this.#shown) return;
		const { state, held } = this.#shown;
		const due = this.#due(state);
		await Promise.all(due.map((market, at) => this.#move(market, state, held, at === 0)));
	}

	/** The markets that are offered here and not decided yet. */
	#due({ markets }: PlayState): MarketState[] {
		const { exchange } = this.#parts;
		return markets.filter(({ name, type }) => !this.#decided.has(name) && isOffered(exchange, { type }));
	}

	/** Suspends all markets, because play is no longer monitored. */
	async suspend(signal: AbortSignal): Promise<void> {
		const { id, title } = this.fixture;
		const name = `the suspension of fixture ${id}, ${title},`;
		await suspendSurely([...this.#markets.values()], { name, signal, log: this.#parts.log });
	}

	async #market(state: MarketState): Promise<FixtureMarket> {
		const known = this.#markets.get(state.name);
		if (known) return known;
		const { name, type, runners, lines, handicapQuarters, places, eachWayDivisor, lineRange } = state;
		const { betDelaySeconds, rules, startingPrice } = state;
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
			...(startingPrice ? { startingPrice } : {}),
		});
		this.#markets.set(name, opened);
		return opened;
	}

	async #suspendForIncident(state: MarketState): Promise<void> {
		const market = await this.#market(state);
		if (!market.isEnded) await market.suspend({ lapseUnmatched: true });
	}

	async #move(
		state: MarketState,
		{ inPlay, ballRunning = false }: PlayState,
		held: boolean,
		main: boolean,
	): Promise<void> {
		const market = await this.#market(state);
		for (const { runner, reductionBp } of state.removed ?? []) await market.removeRunner(runner, reductionBp);
		if (state.result) {
			await market.settle(state.result);
			this.#decided.add(state.name);
			return;
		}
		if (market.isEnded) return;
		if (inPlay && state.closesAtStart) return await market.close();
		if (inPlay) await market.turnInPlay();
		if (held) return;
		const { chances } = state;
		if (!chances) return await market.suspend();
		if (ballRunning && market.listing.bettingModel !== 'EXCHANGE') return await market.holdForBall();
		const usual = chances.length >= MANY_RUNNERS ? DEPTH_OF_MANY : main ? MAIN_DEPTH : OTHER_DEPTH;
		const terms = { depth: state.depth ?? usual, mood: this.#parts.mood };
		await market.offer(quotesFromChances(market.listing, chances, terms));
	}

	async #finish(status: FixtureStatus): Promise<void> {
		const open = [...this.#markets].filter(([name]) => !this.#decided.has(name)).map(([name]) => name);
		if (open.length > 0) throw new Error(`Fixture ${this.fixture.id} has ended, but not ${open.join(', ')}.`);
		await this.#parts.fixtures.setStatus(this.fixture.id, status);
	}
}
