/**
 * The simulated sports, the feed of a server without recordings. Each sport always has a fixture in play, announced
 * ones, and the last one that ended.
 */

import type { RunningFeed } from '#server/world/feeds/feed.ts';
import { abandonUnknown } from '#server/world/feeds/simulated/abandon-unknown.ts';
import {
	PlayedFixture,
	playNamed,
	type SimulationParts,
	SOURCE,
} from '#server/world/feeds/simulated/played-fixture.ts';
import { untilDone } from '#server/world/feeds/until-done.ts';
import { type Fixture, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import type { OrderRate } from '#server/world/markets/crowd.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import type { SimulatedSport } from '#sports/play.ts';
import type { FixtureId } from '#values/ids.ts';

/** Fixtures that a server announces before it reports its start. */
const ANNOUNCED_AT_ONCE = 2;
/** How far ahead fixtures are announced, in simulated time. */
export const ANNOUNCED_MS = 72 * 3_600_000;
/** The pause between two further announcements, so that they delay nothing else. */
const ANNOUNCING_PAUSE_MS = 250;
/** Fixtures that a resuming server opens before it continues; the others are opened in the background. */
const RESUMED_AT_ONCE = 4;

export interface SimulationOptions extends SimulationParts {
	seed: number;
	/** Limit of announced fixtures of a sport; by default its calendar decides. */
	mostAnnounced?: number;
}

export async function startSimulatedSports(options: SimulationOptions): Promise<RunningFeed> {
	await abandonUnknown(options);
	const lanes = SIMULATED_SPORTS.map((sport) => new Lane(options, sport));
	await Promise.all(lanes.map((lane) => lane.begin()));
	return {
		stop: async () => {
			await Promise.all(lanes.map((lane) => lane.stop()));
		},
		abandon: async (fixtureId) => {
			const found = await Promise.all(lanes.map((lane) => lane.abandon(fixtureId)));
			return found.includes(true);
		},
	};
}

/** How often the crowd gives orders in a simulated fixture; null for fixtures of other feeds. */
export const rateOf = ({ source, sportId }: Pick<Fixture, 'source' | 'sportId'>): OrderRate | null =>
	source === SOURCE ? (SIMULATED_SPORTS.find((sport) => sport.sportId === sportId)?.orders ?? null) : null;

/** The state in which a new fixture begins. */
interface Beginning {
	steps?: number;
	quoted?: boolean;
}

/** The fixtures of one sport, one after another. */
class Lane {
	readonly #options: SimulationOptions;
	readonly #sport: SimulatedSport;
	readonly #stopping = new AbortController();
	readonly #running = new Map<PlayedFixture, Promise<void>>();
	/** Fixtures that a new server starts with, before it announces any. */
	#firstFixtures: { startsAtMs: number; from: Beginning }[] = [];
	/** Number of the next new fixture; rises once the previous one is durable. */
	#next = 0;
	#filling: Promise<void> = Promise.resolve();
	#resuming: Promise<void> = Promise.resolve();
	#nextAnnouncement: NodeJS.Timeout | null = null;

	constructor(options: SimulationOptions, sport: SimulatedSport) {
		this.#options = options;
		this.#sport = sport;
	}

	/** Real milliseconds between two starts. */
	get #spacingMs(): number {
		return this.#sport.spacingMs / this.#options.speed;
	}

	/** Resolves when the sport has a fixture in play and announced ones. */
	async begin(): Promise<void> {
		// Fixtures that start meanwhile cause another filling afterwards.
		this.#filling = this.#resumeUnfinished().then(() => this.#retryFill());
		await this.#filling;
	}

	/** Resumes unfinished fixtures, the next ones first. A new server starts with one ended fixture and one in play. */
	async #resumeUnfinished(): Promise<void> {
		const last = await this.#options.fixtures.newest(SOURCE, `${this.#sport.key}-${this.#sport.model}.`);
		if (last) this.#next = (playNamed(last.sourceRef, [this.#sport])?.number ?? 0) + 1;
		const known = this.#known();
		const unfinished = known
			.filter(isUnfinished)
			.sort((one, other) => one.startsAtMs - other.startsAtMs)
			.map(({ seed, number, startsAtMs }) => this.#fixture(seed, number, startsAtMs));
		for (const played of unfinished.slice(0, RESUMED_AT_ONCE)) await this.#resume(played);
		this.#resuming = this.#resumeAll(unfinished.slice(RESUMED_AT_ONCE));
		if (known.length > 0) return;
		const now = Date.now();
		this.#firstFixtures = [
			{ startsAtMs: now - 2 * this.#spacingMs, from: { steps: Number.POSITIVE_INFINITY, quoted: false } },
			{ startsAtMs: this.#slotBefore(now), from: { steps: this.#sport.headStartSteps } },
		];
	}

	async #resumeAll(unfinished: readonly PlayedFixture[]): Promise<void> {
		for (const played of unfinished) if (!this.#stopping.signal.aborted) await this.#resume(played);
	}

	/** The sport's fixtures in memory. */
	#known() {
		return this.#options.fixtures.all().flatMap(({ source, sourceRef, status, startsAtMs }) => {
			const named = source === SOURCE ? playNamed(sourceRef, [this.#sport]) : null;
			return named ? [{ ...named, status, startsAtMs }] : [];
		});
	}

	#fixture(seed: number, number: number, startsAtMs: number): PlayedFixture {
		return new PlayedFixture(this.#options, this.#sport, seed, number, startsAtMs);
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		if (this.#nextAnnouncement) clearTimeout(this.#nextAnnouncement);
		await this.#resuming;
		await this.#filling;
		await Promise.all(this.#running.values());
	}

	/** @returns true when the fixture is one of this lane's and its markets are settled or void */
	async abandon(fixtureId: FixtureId): Promise<boolean> {
		const found = [...this.#running].find(([played]) => played.status !== null && played.fixtureId === fixtureId);
		if (!found) return false;
		const [played, running] = found;
		await played.abandon();
		await running;
		return played.status === 'ABANDONED';
	}

	/** Announces the next fixtures, or one of the others, and starts one if none is in play or about to be. Can be repeated after a failure. */
	async #fill(): Promise<void> {
		for (let first = this.#firstFixtures[0]; first; first = this.#firstFixtures[0]) {
			await this.#add(first.startsAtMs, first.from);
			this.#firstFixtures.shift();
		}
		// A fixture that could not be opened yet counts as well.
		const upcoming = () => [...this.#running.keys()].filter(({ status }) => status === 'UPCOMING' || status === null);
		do {
			const [slot] = this.#openSlots();
			if (slot === undefined || this.#stopping.signal.aborted) break;
			await this.#add(slot, {});
		} while (upcoming().length < ANNOUNCED_AT_ONCE);
		const playing = [...this.#running.keys()].some(({ status }) => status === 'IN_PLAY');
		const [first] = upcoming().sort((one, other) => one.startsAtMs - other.startsAtMs);
		if (!playing && first?.status && first.startsAtMs > Date.now() + this.#spacingMs) await first.startNow();
		if (this.#openSlots().length > 0) this.#announceLater();
	}

	#announceLater(): void {
		if (this.#nextAnnouncement) clearTimeout(this.#nextAnnouncement);
		this.#nextAnnouncement = setTimeout(() => this.#refill(), ANNOUNCING_PAUSE_MS).unref();
	}

	#slotBefore(atMs: number): number {
		return Math.floor(atMs / this.#spacingMs) * this.#spacingMs;
	}

	/** Times in the sport's calendar at which nothing is announced yet, the next one first. */
	#openSlots(): number[] {
		const { next, every } = this.#sport.calendar;
		const { mostAnnounced = Number.POSITIVE_INFINITY, speed } = this.#options;
		const now = Date.now();
		const taken = new Set(
			this.#known()
				.filter(isUnfinished)
				.map(({ startsAtMs }) => this.#slotBefore(startsAtMs)),
		);
		const first = Math.floor(now / this.#spacingMs) + 1;
		const last = Math.floor((now + ANNOUNCED_MS / speed) / this.#spacingMs);
		const slots: number[] = [];
		for (let slot = first; slot <= last && slots.length < mostAnnounced; slot++) {
			if (slot < first + next || slot % every === 0) slots.push(slot * this.#spacingMs);
		}
		return slots.filter((slot) => !taken.has(this.#slotBefore(slot)));
	}

	async #add(startsAtMs: number, from: Beginning): Promise<void> {
		const played = this.#fixture(this.#options.seed, this.#next, startsAtMs);
		await played.open(from);
		this.#next++;
		if (!played.isEnded) this.#running.set(played, this.#run(played));
	}

	/** Resolves after the first attempt to open the fixture. Later attempts run while others play. */
	async #resume(played: PlayedFixture): Promise<void> {
		const { log } = this.#options;
		const tried = Promise.withResolvers<void>();
		const opened = untilDone({
			name: `a ${this.#sport.key} fixture, ${played.play.title},`,
			attempt: () => played.open().finally(tried.resolve),
			onFailed: () => played.suspend(this.#stopping.signal),
			signal: this.#stopping.signal,
			log,
		});
		this.#running.set(
			played,
			opened.then((isOpen) => (isOpen ? this.#run(played) : undefined)),
		);
		await tried.promise;
	}

	async #run(played: PlayedFixture): Promise<void> {
		try {
			await played.run(this.#stopping.signal, () => this.#refill());
		} catch (error) {
			this.#options.log.error({ err: error, eventId: played.fixtureId }, 'a simulated fixture stopped');
		}
		this.#running.delete(played);
		this.#refill();
	}

	/** Fillings run one at a time, because each depends on the announcements of the previous one. */
	#refill(): void {
		if (!this.#stopping.signal.aborted) this.#filling = this.#filling.then(() => this.#retryFill());
	}

	async #retryFill(): Promise<void> {
		await untilDone({
			name: `announcing ${this.#sport.key}`,
			attempt: () => this.#fill(),
			signal: this.#stopping.signal,
			log: this.#options.log,
		});
	}
}
