/** Plays one simulated fixture in real time: takes steps when they are due and shows each state to the exchange. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { confirmEveryMs, type FeedParts } from '#server/world/feeds/feed.ts';
import { readProgress, writeProgress } from '#server/world/feeds/feed-progress.ts';
import { LiveFixture } from '#server/world/feeds/simulated/live-fixture.ts';
import { untilDone } from '#server/world/feeds/until-done.ts';
import type { FixtureStatus } from '#server/world/fixtures/fixtures.ts';
import { abandoned, type Play, type SimulatedSport, type Step } from '#sports/play.ts';

export const SOURCE = 'simulated';
/** Until this time before the start only the main market is listed. */
const ALL_LISTED_MS = 2 * 3_600_000;
/** Shortest real time between two states, at any speed of play. */
const SHORTEST_PAUSE_MS = 700;

export interface SimulationParts extends FeedParts {
	db: pg.Pool;
	/** 1 is real time. */
	speed: number;
}

interface Progress {
	steps: number;
	/** The number of steps after which an operator abandoned the fixture. */
	abandoned?: boolean;
}

/** The sport, seed and number in a fixture's source reference; null if this version does not know the model. */
export function playNamed(sourceRef: string, sports: readonly SimulatedSport[]) {
	const [name, seed, number] = sourceRef.split('.');
	const sport = sports.find(({ key, model }) => name === `${key}-${model}`);
	return sport && number !== undefined ? { sport, seed: Number(seed), number: Number(number) } : null;
}

export class PlayedFixture {
	readonly sport: SimulatedSport;
	readonly number: number;
	readonly play: Play;
	readonly #parts: SimulationParts;
	readonly #sourceRef: string;
	#startsAtMs: number;
	#live: LiveFixture | null = null;
	#starting = new AbortController();
	#abandoning = new AbortController();
	/** An operator abandoned it: stored with the number of its steps. */
	#isAbandoned = false;

	constructor(parts: SimulationParts, sport: SimulatedSport, seed: number, number: number, startsAtMs: number) {
		this.#parts = parts;
		this.sport = sport;
		this.number = number;
		this.play = sport.begin(seed, number);
		this.#sourceRef = `${sport.key}-${sport.model}.${seed}.${number}`;
		this.#startsAtMs = startsAtMs;
	}

	get #fixture(): LiveFixture {
		if (!this.#live) throw new Error(`${this.#sourceRef} is not open.`);
		return this.#live;
	}
	get fixtureId(): number {
		return this.#fixture.fixture.id;
	}
	/** Null until it is open. */
	get status(): FixtureStatus | null {
		return this.#live?.fixture.status ?? null;
	}
	get startsAtMs(): number {
		return this.#startsAtMs;
	}
	/** Play has ended or was abandoned. */
	get isEnded(): boolean {
		return this.play.isEnded || this.#abandoning.signal.aborted;
	}

	/**
	 * Finds or adds the fixture and replays it to its stored position, or to `steps` if it is new. Can be repeated after
	 * a failure.
	 */
	async open({ steps = 0, quoted = true } = {}): Promise<void> {
		const { db } = this.#parts;
		const known = await readProgress<Progress>(db, SOURCE, this.#sourceRef);
		const from = known?.steps ?? steps;
		while (this.play.steps < from && !this.play.isEnded) this.play.step();
		if (known?.abandoned) this.#abandoning.abort();
		this.#live ??= await LiveFixture.open(this.#parts, {
			sportId: this.sport.sportId,
			title: this.sport.titleAt?.(this.play.title, this.#startsAtMs) ?? this.play.title,
			competition: this.play.competition,
			startsAtMs: Math.round(this.#startsAtMs),
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef: this.#sourceRef,
			hasTv: false,
			scoreLine: null,
		});
		this.#startsAtMs = this.#live.fixture.startsAtMs;
		await this.#show({ incident: false, quoted });
	}

	/** Suspends all markets; retries until that is durable or the signal ends it. */
	async suspend(signal: AbortSignal): Promise<void> {
		await this.#live?.suspend(signal);
	}

	/** Takes one step and shows its state. */
	async step(): Promise<Step> {
		const stepped = this.play.step();
		await this.#show({ incident: stepped.incident, quoted: true });
		return stepped;
	}

	/** Starts play immediately, before its announced start. Does nothing once play has begun. */
	async startNow(): Promise<void> {
		if (this.play.steps > 0) return;
		const startsAtMs = Date.now() + Math.round(this.sport.leadMs / this.#parts.speed);
		await this.#parts.fixtures.setStart(this.fixtureId, startsAtMs);
		this.#startsAtMs = startsAtMs;
		this.#starting.abort();
	}

	/** Abandons the fixture; `run` then ends its markets. Stored first, so that a restarted server knows. */
	async abandon(): Promise<void> {
		this.#isAbandoned = true;
		try {
			await this.#storeProgress();
		} catch (error) {
			this.#isAbandoned = false;
			throw error;
		}
		this.#abandoning.abort();
	}

	/**
	 * Plays to the end. Failures are retried at the current step, with the markets suspended meanwhile.
	 * @param onStarted called once when play has begun
	 * @returns false if the signal stopped it before the end
	 */
	async run(signal: AbortSignal, onStarted: () => void): Promise<boolean> {
		const stopped = AbortSignal.any([signal, this.#abandoning.signal]);
		if (this.play.steps === 0) await this.#waitForStart(stopped);
		let started = false;
		while (!this.isEnded && !signal.aborted) {
			const { pauseMs, incident } = this.#takeDueSteps();
			const shown = () => this.#show({ incident, quoted: true });
			if (!(await this.#retry(shown, stopped))) break;
			if (!started && this.status === 'IN_PLAY') {
				started = true;
				onStarted();
			}
			const until = performance.now() + pauseMs;
			await this.#waitAndConfirm(() => until - performance.now(), stopped);
		}
		if (!this.isEnded || signal.aborted) return false;
		return this.play.isEnded || (await this.#retry(() => this.#show({ incident: false, quoted: false }), signal));
	}

	get #untilAllListedMs(): number {
		return this.#startsAtMs - ALL_LISTED_MS / this.#parts.speed - Date.now();
	}
	get #listsAll(): boolean {
		return this.play.steps > 0 || this.#untilAllListedMs <= 0;
	}

	async #waitForStart(signal: AbortSignal): Promise<void> {
		const { speed } = this.#parts;
		const starting = AbortSignal.any([signal, this.#starting.signal]);
		if (!this.#listsAll) {
			await this.#waitAndConfirm(() => this.#untilAllListedMs, starting);
			if (!starting.aborted) await this.#retry(() => this.#show({ incident: false, quoted: true }), starting);
		}
		const due = () => this.#startsAtMs - this.sport.leadMs / speed - Date.now();
		await this.#waitAndConfirm(due, starting);
	}

	/** Takes as many steps as fit into the shortest pause. @returns the pause after them, and whether one was an incident */
	#takeDueSteps(): Step {
		let pauseMs = 0;
		let incident = false;
		do {
			const stepped = this.play.step();
			incident ||= stepped.incident;
			pauseMs += stepped.pauseMs / this.#parts.speed;
		} while (pauseMs < SHORTEST_PAUSE_MS && !this.play.isEnded);
		return { pauseMs, incident };
	}

	/** Waits between steps and confirms the quotes at intervals. @param left milliseconds left to wait */
	async #waitAndConfirm(left: () => number, signal: AbortSignal): Promise<void> {
		while (!this.play.isEnded && !signal.aborted && left() > 0) {
			const waitMs = Math.max(0, Math.min(left(), confirmEveryMs(this.#parts)));
			await delay(waitMs, undefined, { signal }).catch(() => undefined);
			if (!signal.aborted && left() > 0) await this.#retry(() => this.#fixture.confirm(), signal);
		}
	}

	/** @returns false when the signal ended it */
	async #retry(attempt: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
		return await untilDone({
			name: `fixture ${this.fixtureId}, ${this.play.title},`,
			attempt,
			onFailed: () => this.suspend(signal),
			signal,
			log: this.#parts.log,
		});
	}

	async #show(how: { incident: boolean; quoted: boolean }): Promise<void> {
		const { speed } = this.#parts;
		const played = this.play.state();
		const state = this.isEnded && !this.play.isEnded ? abandoned(played) : played;
		// Play runs at this speed, and so does the bet delay.
		const listed = this.#listsAll ? state.markets : state.markets.slice(0, 1);
		const markets = listed.map((market) => ({
			...market,
			betDelaySeconds: Math.round(market.betDelaySeconds / speed),
		}));
		await this.#fixture.show({ ...state, markets }, how);
		if (!state.isAbandoned) await this.#storeProgress();
	}

	async #storeProgress(): Promise<void> {
		const progress: Progress = { steps: this.play.steps, ...(this.#isAbandoned ? { abandoned: true } : {}) };
		await writeProgress(this.#parts.db, SOURCE, this.#sourceRef, progress);
	}
}
