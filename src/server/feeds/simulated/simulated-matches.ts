/**
 * The default that always lives: one simulated match is played, others are announced. A match is its seed and its
 * number, so how far it has come is a number of balls, and a restarted server plays on from there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { readProgress, writeProgress } from '#server/feeds/feed-progress.ts';
import { type FixtureMarket, openFixture } from '#server/feeds/fixture-market.ts';
import type { RunningFeed } from '#server/feeds/recorded-match.ts';
import { quotesOf } from '#server/feeds/simulated/quote-chance.ts';
import { randomFrom } from '#server/feeds/simulated/random.ts';
import { TwentyOverMatch } from '#server/feeds/simulated/twenty-over-match.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import { CRICKET } from '#values/sports.ts';

const SOURCE = 'simulated';
const BALL_MS = 30_000;
const WICKET_PAUSE_MS = 12_000;
const INNINGS_BREAK_MS = 180_000;
/** Between the starts of two matches, and less than one lasts: something is always being played. */
const SPACING_MS = 110 * 60_000;
const ANNOUNCED = 2;
/** The very first match is found some overs in, so that a new server shows a live one at once. */
const HEAD_START_BALLS = 27;

export interface SimulatedOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	pool: pg.Pool;
	log: Logger;
	/** 1 is real time. */
	speed: number;
	seed: number;
}

interface Progress {
	ballsPlayed: number;
}

export async function startSimulatedMatches(options: SimulatedOptions): Promise<RunningFeed> {
	const schedule = new Schedule(options);
	await schedule.fill();
	return schedule;
}

class Schedule implements RunningFeed {
	readonly #options: SimulatedOptions;
	readonly #stopping = new AbortController();
	readonly #running = new Map<number, Promise<void>>();

	constructor(options: SimulatedOptions) {
		this.#options = options;
	}

	/** Takes up unfinished matches and announces new ones until one is live or about to be and two wait. */
	async fill(): Promise<void> {
		const { fixtures, speed } = this.#options;
		const own = fixtures.all().filter(({ source }) => source === SOURCE);
		const numbers = own.map(({ sourceRef }) => Number(sourceRef.split('#')[1]));
		for (const fixture of own) {
			if (fixture.status === 'FINISHED' || fixture.status === 'ABANDONED') continue;
			await this.#begin(Number(fixture.sourceRef.split('#')[1]), fixture.startsAtMs);
		}
		let next = Math.max(0, ...numbers.map((number) => number + 1));
		let startsAtMs = Math.max(Date.now() - SPACING_MS / speed, ...own.map((fixture) => fixture.startsAtMs));
		while (this.#running.size < 1 + ANNOUNCED) {
			startsAtMs = Math.max(startsAtMs + SPACING_MS / speed, Date.now());
			await this.#begin(next++, startsAtMs);
		}
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await Promise.all(this.#running.values());
	}

	async #begin(number: number, startsAtMs: number): Promise<void> {
		if (this.#running.has(number)) return;
		const match = new PlayedMatch(this.#options, number, startsAtMs, this.#stopping.signal);
		await match.open();
		this.#running.set(number, this.#run(number, match));
	}

	async #run(number: number, match: PlayedMatch): Promise<void> {
		try {
			const finished = await match.play();
			this.#running.delete(number);
			if (finished && !this.#stopping.signal.aborted) await this.fill();
		} catch (error) {
			this.#options.log.error({ err: error, number }, 'a simulated match stopped');
		}
	}
}

class PlayedMatch {
	readonly #options: SimulatedOptions;
	readonly #number: number;
	readonly #startsAtMs: number;
	readonly #signal: AbortSignal;
	readonly #match: TwentyOverMatch;
	readonly #sourceRef: string;
	readonly #sizes: () => number;
	#market: FixtureMarket | null = null;

	constructor(options: SimulatedOptions, number: number, startsAtMs: number, signal: AbortSignal) {
		this.#options = options;
		this.#number = number;
		this.#startsAtMs = startsAtMs;
		this.#signal = signal;
		this.#match = new TwentyOverMatch(options.seed, number);
		this.#sourceRef = `${options.seed}#${number}`;
		this.#sizes = randomFrom(number + 77);
	}

	/** Makes or finds the fixture and brings the match to where it was. */
	async open(): Promise<void> {
		const { pool } = this.#options;
		const progress = await readProgress<Progress>(pool, SOURCE, this.#sourceRef);
		const played = progress?.ballsPlayed ?? (this.#number === 0 ? HEAD_START_BALLS : 0);
		while (this.#match.ballsPlayed < played && this.#match.winner === null) this.#match.playBall();
		const [first, second] = this.#match.teams;
		this.#market = await openFixture(this.#options, {
			sportId: CRICKET,
			title: `${first.name} v ${second.name}`,
			competition: 'Backlay Twenty20 · simulated',
			startsAtMs: Math.round(this.#startsAtMs),
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef: this.#sourceRef,
			hasTv: false,
			scoreLine: null,
			runners: [first, second].map(({ name }, at) => ({ id: `${this.#number}-${at + 1}`, name })),
			betDelaySeconds: 0,
		});
	}

	/** Plays to the end; false when it was stopped before. */
	async play(): Promise<boolean> {
		const market = this.#market as FixtureMarket;
		try {
			await this.#quote(market);
			if (this.#match.ballsPlayed === 0) await this.#wait((this.#startsAtMs - Date.now()) * this.#options.speed);
			if (this.#signal.aborted) return false;
			await market.turnInPlay();
			await market.resume();
			await this.#quote(market);
			while (this.#match.winner === null) {
				await this.#wait(BALL_MS);
				if (this.#signal.aborted) return false;
				await this.#ball(market);
			}
			await market.settle(this.#match.winner);
			return true;
		} catch (error) {
			await market.suspend().catch(() => undefined);
			throw error;
		}
	}

	async #ball(market: FixtureMarket): Promise<void> {
		const { fixtures, pool } = this.#options;
		const { wicket, inningsOver } = this.#match.playBall();
		if (wicket || this.#match.winner !== null) await market.suspend();
		await fixtures.setScore(market.fixture.id, this.#match.card(market.fixture.id), this.#match.line());
		await writeProgress(pool, SOURCE, this.#sourceRef, { ballsPlayed: this.#match.ballsPlayed });
		if (this.#match.winner !== null) return;
		if (wicket) {
			await this.#wait(WICKET_PAUSE_MS);
			if (this.#signal.aborted) return;
			await market.resume();
		}
		await this.#quote(market);
		if (inningsOver) await this.#wait(INNINGS_BREAK_MS);
	}

	async #quote(market: FixtureMarket): Promise<void> {
		market.maker.quote(quotesOf(this.#match.chance, this.#sizes));
		await market.maker.settled();
	}

	/** Simulated milliseconds. */
	async #wait(ms: number): Promise<void> {
		const real = ms / this.#options.speed;
		if (real > 0) await delay(real, undefined, { signal: this.#signal }).catch(() => undefined);
	}
}
