/** One simulated fixture in real time: steps are taken when they are due, and the exchange is shown where play stands. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { confirmEveryMs, type FeedParts } from '#server/feeds/feed.ts';
import { readProgress, writeProgress } from '#server/feeds/feed-progress.ts';
import { LiveFixture } from '#server/feeds/simulated/live-fixture.ts';
import { untilDone } from '#server/feeds/until-done.ts';
import type { FixtureStatus } from '#server/fixtures/fixtures.ts';
import { abandoned, type Play, type SimulatedSport, type Step } from '#sports/play.ts';

export const SOURCE = 'simulated';
/** However fast play is simulated, markets are quoted anew at most this often, real time. */
const SHORTEST_PAUSE_MS = 700;

export interface SimulationParts extends FeedParts {
	pool: pg.Pool;
	/** 1 is real time. */
	speed: number;
}

interface Progress {
	steps: number;
	/** By an operator, after those steps. */
	abandoned?: boolean;
}

/** Which play of which sport a fixture is; null for what this version does not know. */
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
	#hurry = new AbortController();
	#givenUp = new AbortController();
	/** An operator ends it: written down with its steps. */
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
	get eventId(): number {
		return this.#fixture.fixture.id;
	}
	/** Null until it is open. */
	get status(): FixtureStatus | null {
		return this.#live?.fixture.status ?? null;
	}
	get startsAtMs(): number {
		return this.#startsAtMs;
	}
	/** Play has come to its end, or nobody plays on. */
	get isEnded(): boolean {
		return this.play.isEnded || this.#givenUp.signal.aborted;
	}

	/** Makes or finds the fixture and brings play to where it was, or to `steps` when it is new. After a failure it can be repeated. */
	async open({ steps = 0, quoted = true } = {}): Promise<void> {
		const { pool } = this.#parts;
		const known = await readProgress<Progress>(pool, SOURCE, this.#sourceRef);
		const from = known?.steps ?? steps;
		while (this.play.steps < from && !this.play.isEnded) this.play.step();
		if (known?.abandoned) this.#givenUp.abort();
		this.#live ??= await LiveFixture.open(this.#parts, {
			sportId: this.sport.sportId,
			title: this.play.title,
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

	/** Nothing of it must stay open: repeated until that is durable or the signal ends it. */
	async suspend(signal: AbortSignal): Promise<void> {
		await this.#live?.suspend(signal);
	}

	/** Takes one step and shows it; for tests and for `run`. */
	async step(): Promise<Step> {
		const stepped = this.play.step();
		await this.#show({ incident: stepped.incident, quoted: true });
		return stepped;
	}

	/** Begins at once, whatever was announced; one that has begun goes on as it is. */
	async hurry(): Promise<void> {
		if (this.play.steps > 0) return;
		const startsAtMs = Date.now() + Math.round(this.sport.leadMs / this.#parts.speed);
		await this.#parts.fixtures.setStart(this.eventId, startsAtMs);
		this.#startsAtMs = startsAtMs;
		this.#hurry.abort();
	}

	/** Nobody plays on; `run` carries that out. It is written down first, so that a restarted server knows. */
	async abandon(): Promise<void> {
		this.#isAbandoned = true;
		try {
			await this.#keep();
		} catch (error) {
			this.#isAbandoned = false;
			throw error;
		}
		this.#givenUp.abort();
	}

	/**
	 * Plays to the end; false when it was stopped before. What fails is repeated where play stands, with its markets
	 * suspended meanwhile.
	 * @param onStarted told once when play has begun
	 */
	async run(signal: AbortSignal, onStarted: () => void): Promise<boolean> {
		const stopped = AbortSignal.any([signal, this.#givenUp.signal]);
		if (this.play.steps === 0) await this.#waitForStart(stopped);
		let started = false;
		while (!this.isEnded && !signal.aborted) {
			const { pauseMs, incident } = this.#takeDue();
			const shown = () => this.#show({ incident, quoted: true });
			if (!(await this.#surely(shown, stopped))) break;
			if (!started && this.status === 'IN_PLAY') {
				started = true;
				onStarted();
			}
			const until = performance.now() + pauseMs;
			await this.#stand(() => until - performance.now(), stopped);
		}
		if (!this.isEnded || signal.aborted) return false;
		return this.play.isEnded || (await this.#surely(() => this.#show({ incident: false, quoted: false }), signal));
	}

	async #waitForStart(signal: AbortSignal): Promise<void> {
		const { speed } = this.#parts;
		const due = () => this.#startsAtMs - this.sport.leadMs / speed - Date.now();
		await this.#stand(due, AbortSignal.any([signal, this.#hurry.signal]));
	}

	/** Takes as many steps as fit into the shortest pause; says how long to wait then, and whether there was an incident. */
	#takeDue(): Step {
		let pauseMs = 0;
		let incident = false;
		do {
			const stepped = this.play.step();
			incident ||= stepped.incident;
			pauseMs += stepped.pauseMs / this.#parts.speed;
		} while (pauseMs < SHORTEST_PAUSE_MS && !this.play.isEnded);
		return { pauseMs, incident };
	}

	/** Waits while play stands still, and looks now and then whether the quotes stand, too. @param left milliseconds */
	async #stand(left: () => number, signal: AbortSignal): Promise<void> {
		while (!this.play.isEnded && !signal.aborted && left() > 0) {
			const waitMs = Math.min(left(), confirmEveryMs(this.#parts));
			await delay(waitMs, undefined, { signal }).catch(() => undefined);
			if (!signal.aborted && left() > 0) await this.#surely(() => this.#fixture.confirm(), signal);
		}
	}

	/** @returns false when the signal ended it */
	async #surely(attempt: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
		return await untilDone({
			name: `fixture ${this.eventId}, ${this.play.title},`,
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
		// Play runs at that speed, and so does the wait in-play.
		const markets = state.markets.map((market) => ({
			...market,
			betDelaySeconds: Math.round(market.betDelaySeconds / speed),
		}));
		await this.#fixture.show({ ...state, markets }, how);
		if (!state.isAbandoned) await this.#keep();
	}

	async #keep(): Promise<void> {
		const progress: Progress = { steps: this.play.steps, ...(this.#isAbandoned ? { abandoned: true } : {}) };
		await writeProgress(this.#parts.pool, SOURCE, this.#sourceRef, progress);
	}
}
