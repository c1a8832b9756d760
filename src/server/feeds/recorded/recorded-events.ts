/**
 * Plays recorded events side by side as live fixtures, on one clock: each begins shortly before its own in-play turn,
 * whatever the year, and recorded time runs at the asked speed for all of them. What the definitions say decides each
 * market's life, and how far an event has come is kept, so that a server that was killed goes on from there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { MirroredMarket } from '#server/feeds/betfair/mirrored-market.ts';
import { type StreamDefinition, StreamMarket } from '#server/feeds/betfair/stream-market.ts';
import { confirmEveryMs, type FeedParts, type RunningFeed } from '#server/feeds/feed.ts';
import { readProgress, writeProgress } from '#server/feeds/feed-progress.ts';
import {
	type RecordedEvent,
	type RecordedMarket,
	readRecordedFiles,
	type Timed,
} from '#server/feeds/recorded/recorded-files.ts';
import { ScoreReader } from '#server/feeds/recorded/score-reader.ts';
import { suspendSurely } from '#server/feeds/suspend-surely.ts';
import { untilDone } from '#server/feeds/until-done.ts';
import { findFixture } from '#server/fixtures/find-fixture.ts';
import type { Fixture } from '#server/fixtures/fixtures.ts';
import { abandonFixture } from '#server/markets/abandon-fixture.ts';
import { openMarket } from '#server/markets/open-market.ts';

const SOURCE = 'recording';
/** Markets are open this long, in recorded time, before play begins. */
const PRE_MATCH_MS = 5 * 60_000;
const PROGRESS_EVERY_MS = 1000;

export interface RecordedEventsOptions extends FeedParts {
	pool: pg.Pool;
	/** Files and folders. */
	recordings: readonly string[];
	speed: number;
}

interface Progress {
	/** Recorded time up to which everything was played. */
	playedTo: number;
}

/** Reads the files and starts to play. @throws Error when a file cannot be read or nothing in them can be played */
export async function startRecordedEvents(options: RecordedEventsOptions): Promise<RunningFeed> {
	const { events, remarks } = await readRecordedFiles(options.recordings);
	for (const remark of remarks) options.log.warn(remark);
	const players = events.map((event) => new EventPlayer(options, event));
	await Promise.all(players.map((player) => player.open()));
	const beganAt = Date.now();
	const elapsed = () => (Date.now() - beganAt) * options.speed;
	for (const player of players) player.start(elapsed);
	return {
		stop: async () => {
			await Promise.all(players.map((player) => player.stop()));
		},
		abandon: async (fixtureId) => {
			const found = players.find((player) => player.fixtureId === fixtureId);
			await found?.abandon();
			return found !== undefined;
		},
	};
}

/** One of the stream's markets and, once it is open, ours. */
interface Followed {
	about: RecordedMarket;
	stream: StreamMarket;
	mirrored: MirroredMarket | null;
	/** The definition that was carried out; none is passed over, however fast time runs. */
	acted: StreamDefinition | null;
}

class EventPlayer {
	readonly #options: RecordedEventsOptions;
	readonly #event: RecordedEvent;
	readonly #followed: readonly Followed[];
	readonly #scores = new ScoreReader();
	readonly #stopping = new AbortController();
	#fixture: Fixture | null = null;
	/** Recorded time at which it begins, or goes on. */
	#from = 0;
	/** Index of the first message that was not taken in. */
	#next = 0;
	/** When all markets were last brought to where the stream stands, on the clock of `performance.now`. */
	#confirmedAtMs = Number.NEGATIVE_INFINITY;
	/** A score was taken in that was not shown. */
	#scoreDue = true;
	#keptAtMs = 0;
	#playing: Promise<void> = Promise.resolve();

	constructor(options: RecordedEventsOptions, event: RecordedEvent) {
		this.#options = options;
		this.#event = event;
		this.#followed = event.markets.map((about) => ({
			about,
			stream: new StreamMarket(about.id),
			mirrored: null,
			acted: null,
		}));
	}

	async open(): Promise<void> {
		const { fixtures, speed, pool } = this.#options;
		const { ref, title, sportId, startsAt } = this.#event;
		const sourceRef = await this.#sourceRef(ref);
		const progress = await readProgress<Progress>(pool, SOURCE, sourceRef);
		this.#from = progress?.playedTo ?? startsAt - PRE_MATCH_MS;
		const fixture = await findFixture(fixtures, {
			sportId,
			title,
			competition: 'Recorded',
			startsAtMs: Math.round(Date.now() + (startsAt - this.#from) / speed),
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef,
			hasTv: false,
			scoreLine: null,
		});
		this.#fixture = fixture;
		for (const followed of this.#followed) {
			const { listed } = followed.about;
			// Recorded time runs at the asked speed, and so does the wait in-play.
			const betDelaySeconds = Math.round(listed.betDelaySeconds / speed);
			const market = await openMarket(this.#options, fixture, { ...listed, betDelaySeconds });
			followed.mirrored = new MirroredMarket(followed.stream, market, this.#options.log);
		}
		this.#scores.continueFrom(fixtures.score(fixture.id)?.version ?? 0);
	}

	/** One that was begun goes on; one that was played to its end is played anew, under a name of its own. */
	async #sourceRef(ref: string): Promise<string> {
		const { fixtures } = this.#options;
		const unfinished = fixtures
			.all()
			.find(
				({ source, sourceRef, status }) =>
					source === SOURCE && sourceRef.startsWith(`${ref}#`) && (status === 'UPCOMING' || status === 'IN_PLAY'),
			);
		if (unfinished) return unfinished.sourceRef;
		const last = await fixtures.newest(SOURCE, `${ref}#`);
		return `${ref}#${Number(last?.sourceRef.split('#')[1] ?? 0) + 1}`;
	}

	/** @param elapsed recorded milliseconds since all began */
	start(elapsed: () => number): void {
		this.#playing = this.#play(() => this.#from + elapsed());
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#playing;
	}

	get fixtureId(): number {
		return this.#ours.id;
	}

	/** What the recording says from now on is not heard. */
	async abandon(): Promise<void> {
		await this.stop();
		await abandonFixture(this.#options, this.#ours);
	}

	get #isEnded(): boolean {
		return this.#followed.every(({ mirrored }) => mirrored?.market.isSettled);
	}

	async #play(recordedNow: () => number): Promise<void> {
		const { fixtures, log, speed } = this.#options;
		const { messages, title } = this.#event;
		const { signal } = this.#stopping;
		this.#skipTo(this.#from);
		await this.#surely(() => this.#goOn(Number.NEGATIVE_INFINITY));
		while (this.#next < messages.length && !this.#isEnded && !signal.aborted) {
			const due = (messages[this.#next] as Timed).pt;
			const waitMs = Math.min((due - recordedNow()) / speed, confirmEveryMs(this.#options));
			if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
			const until = waitMs < confirmEveryMs(this.#options) ? Math.max(recordedNow(), due) : Number.NEGATIVE_INFINITY;
			await this.#surely(() => this.#goOn(until));
		}
		if (signal.aborted) return;
		if (this.#isEnded) {
			await this.#surely(() => fixtures.setStatus(this.#ours.id, 'FINISHED'));
			return;
		}
		log.warn(`The recording of ${title} ends before its result: an operator settles or voids it.`);
		await this.#suspend();
	}

	/** Repeats what fails where the recording stands; meanwhile its markets are suspended. */
	async #surely(attempt: () => Promise<void>): Promise<void> {
		await untilDone({
			name: `the recording of ${this.#event.title}`,
			attempt,
			onFailed: async () => {
				this.#confirmedAtMs = Number.NEGATIVE_INFINITY;
				await this.#suspend();
			},
			signal: this.#stopping.signal,
			log: this.#options.log,
		});
	}

	/** Plays up to then. Now and then all markets are brought to where the stream stands, which renews their leases. */
	async #goOn(until: number): Promise<void> {
		const now = performance.now();
		if (now - this.#confirmedAtMs >= confirmEveryMs(this.#options)) {
			await this.#bring(this.#followed);
			this.#confirmedAtMs = now;
		}
		await this.#takeDue(until);
		if (Date.now() - this.#keptAtMs > PROGRESS_EVERY_MS && this.#next > 0) {
			this.#keptAtMs = Date.now();
			await this.#keep((this.#event.messages[this.#next - 1] as Timed).pt);
		}
	}

	get #ours(): Fixture {
		return this.#fixture as Fixture;
	}

	async #keep(playedTo: number): Promise<void> {
		await writeProgress(this.#options.pool, SOURCE, this.#ours.sourceRef, { playedTo });
	}

	/** Takes in, without acting, what was before. */
	#skipTo(pt: number): void {
		const { messages } = this.#event;
		while (this.#next < messages.length && (messages[this.#next] as Timed).pt <= pt) this.#takeInNext();
	}

	/** The market the message spoke of; null for a score. */
	#takeInNext(): Followed | null {
		const message = this.#event.messages[this.#next++] as Timed;
		if ('score' in message) {
			this.#scores.apply(message.score);
			this.#scoreDue = true;
			return null;
		}
		const followed = this.#followed.find(({ about }) => about.id === message.changes[0]?.id) ?? null;
		for (const change of message.changes) followed?.stream.apply(change);
		return followed;
	}

	/** Takes in everything due, acting wherever a market's state changed in between; shows the last score and prices. */
	async #takeDue(until: number): Promise<void> {
		const { messages } = this.#event;
		const moved = new Set<Followed>();
		while (this.#next < messages.length && (messages[this.#next] as Timed).pt <= until) {
			const followed = this.#takeInNext();
			if (!followed) continue;
			moved.add(followed);
			if (followed.stream.definition !== followed.acted) await this.#bring([followed]);
		}
		await this.#showScore();
		await this.#bring([...moved]);
	}

	async #bring(markets: readonly Followed[]): Promise<void> {
		for (const followed of markets) {
			followed.acted = followed.stream.definition;
			await followed.mirrored?.bring(true);
		}
	}

	async #showScore(): Promise<void> {
		const line = this.#scores.line();
		if (!this.#scoreDue || line === '') return;
		await this.#options.fixtures.setScore(this.#ours.id, this.#scores.card(this.#ours.id), line);
		this.#scoreDue = false;
	}

	/** Nobody watches the recording for now: its markets must not stay open. The others play on. */
	async #suspend(): Promise<void> {
		const name = `the suspension of ${this.#event.title}`;
		const markets = this.#followed.flatMap(({ mirrored }) => mirrored?.market ?? []);
		await suspendSurely(markets, { name, signal: this.#stopping.signal, log: this.#options.log });
	}
}
