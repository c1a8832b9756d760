/**
 * Plays recorded events side by side as live fixtures, on one clock. Each begins shortly before its own turn in-play,
 * regardless of the year, and recorded time runs at one speed for all. The recorded definitions decide the life of each
 * market. The progress of each event is stored, and a killed server continues from there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { MirroredMarket, mirroredDelay } from '#server/world/feeds/betfair/mirrored-market.ts';
import { type StreamDefinition, StreamMarket } from '#server/world/feeds/betfair/stream-market.ts';
import { confirmEveryMs, type FeedParts, type RunningFeed } from '#server/world/feeds/feed.ts';
import { readProgress, writeProgress } from '#server/world/feeds/feed-progress.ts';
import {
	type RecordedEvent,
	type RecordedMarket,
	readRecordedFiles,
	type Timed,
} from '#server/world/feeds/recorded/recorded-files.ts';
import { ScoreReader } from '#server/world/feeds/recorded/score-reader.ts';
import { SteppedClock, type SteppedEvent } from '#server/world/feeds/recorded/stepped-clock.ts';
import { suspendSurely } from '#server/world/feeds/suspend-surely.ts';
import { untilDone } from '#server/world/feeds/until-done.ts';
import { findFixture } from '#server/world/fixtures/find-fixture.ts';
import { type Fixture, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { abandonFixture } from '#server/world/markets/abandon-fixture.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import type { MarketId } from '#values/ids.ts';

const SOURCE = 'recording';
/** How long markets are open before play begins, in recorded time. */
const PRE_MATCH_MS = 5 * 60_000;
const PROGRESS_EVERY_MS = 1000;

interface RecordedEventsOptions extends FeedParts {
	db: pg.Pool;
	/** Files and folders. */
	recordings: readonly string[];
	speed: number;
	isStepped?: boolean;
}

interface Progress {
	/** The recorded time reached by play. */
	playedTo: number;
}

/** Reads the files and starts playing. @throws Error if none has an event to play */
export async function startRecordedEvents(options: RecordedEventsOptions): Promise<RunningFeed> {
	const { events, remarks } = await readRecordedFiles(options.recordings);
	for (const remark of remarks) options.log.warn(remark);
	const players = events.map((event) => new EventPlayer(options, event));
	await Promise.all(players.map((player) => player.open()));
	if (options.isStepped) return await startStepped(options, players);
	const beganAt = Date.now();
	const elapsed = () => (Date.now() - beganAt) * options.speed;
	for (const player of players) player.start(elapsed);
	return runningFeed(players);
}

const runningFeed = (players: readonly EventPlayer[]): RunningFeed => ({
	stop: async () => {
		await Promise.all(players.map((player) => player.stop()));
	},
	abandon: async (fixtureId) => {
		const found = players.find((player) => player.fixtureId === fixtureId);
		await found?.abandon();
		return found !== undefined;
	},
});

/** Recorded time stands at the beginning of each event, whose markets are open, until a program lets it go on. */
async function startStepped(options: RecordedEventsOptions, players: readonly EventPlayer[]): Promise<RunningFeed> {
	for (const player of players) await player.begin();
	const clock = new SteppedClock(options, players);
	const feed = runningFeed(players);
	return {
		...feed,
		stop: async () => {
			await Promise.all([feed.stop(), clock.stop()]);
		},
		step: (asked) => clock.step(asked),
	};
}

/** A market of the recording, and ours once it is open. */
interface Followed {
	about: RecordedMarket;
	stream: StreamMarket;
	mirrored: MirroredMarket | null;
	/** The last applied definition; none is skipped at any speed. */
	appliedDefinition: StreamDefinition | null;
}

class EventPlayer implements SteppedEvent {
	readonly #options: RecordedEventsOptions;
	readonly #event: RecordedEvent;
	readonly #followed: readonly Followed[];
	readonly #scores = new ScoreReader();
	readonly #stopping = new AbortController();
	#fixture: Fixture | null = null;
	/** Recorded time at which play begins or continues. */
	#from = 0;
	/** Index of the next message to read. */
	#next = 0;
	/** When all markets were last confirmed, on the clock of `performance.now`. */
	#confirmedAtMs = Number.NEGATIVE_INFINITY;
	/** A score was read and not shown yet. */
	#scoreDue = true;
	#storedAtMs = 0;
	#playing: Promise<void> = Promise.resolve();

	constructor(options: RecordedEventsOptions, event: RecordedEvent) {
		this.#options = options;
		this.#event = event;
		this.#followed = event.markets.map((about) => ({
			about,
			stream: new StreamMarket(about.id),
			mirrored: null,
			appliedDefinition: null,
		}));
	}

	async open(): Promise<void> {
		const { fixtures, speed, db } = this.#options;
		const { ref, title, sportId, startsAt } = this.#event;
		const sourceRef = await this.#sourceRef(ref);
		const progress = await readProgress<Progress>(db, SOURCE, sourceRef);
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
			const { listed, id } = followed.about;
			const betDelaySeconds = this.#betDelay(listed.betDelaySeconds);
			// Programs that know the recording know its markets by their ids. Played again, it gets others.
			const market = await openMarket(this.#options, fixture, { ...listed, betDelaySeconds }, Number(id.slice(2)));
			if (`1.${market.listing.id}` !== id)
				this.#options.log.info(`The recorded market ${id} is played as 1.${market.listing.id}.`);
			const delayOf: typeof mirroredDelay = (definition) => this.#betDelay(mirroredDelay(definition));
			followed.mirrored = new MirroredMarket(followed.stream, market, this.#options.log, delayOf);
		}
		this.#scores.continueFrom(fixtures.score(fixture.id)?.version ?? 0);
	}

	/** Recorded time runs at a speed, and so does the bet delay. Where it stands, a bet would wait for ever. */
	#betDelay(recordedSeconds: number): number {
		const { speed, isStepped } = this.#options;
		return isStepped ? 0 : Math.round(recordedSeconds / speed);
	}

	/** Continues an unfinished event. A completed event is played again as a new fixture. */
	async #sourceRef(ref: string): Promise<string> {
		const { fixtures } = this.#options;
		const unfinished = fixtures
			.all()
			.find((fixture) => fixture.source === SOURCE && fixture.sourceRef.startsWith(`${ref}#`) && isUnfinished(fixture));
		if (unfinished) return unfinished.sourceRef;
		const last = await fixtures.newest(SOURCE, `${ref}#`);
		return `${ref}#${Number(last?.sourceRef.split('#')[1] ?? 0) + 1}`;
	}

	/** @param elapsed recorded milliseconds since the start of all events */
	start(elapsed: () => number): void {
		this.#playing = this.#play(() => this.#from + elapsed());
	}

	get marketIds(): readonly MarketId[] {
		return this.#followed.flatMap(({ mirrored }) => mirrored?.market.listing.id ?? []);
	}

	get nextMs(): number | null {
		const next = this.#event.messages[this.#next];
		return next && !this.#stopping.signal.aborted ? next.pt - this.#from : null;
	}

	/** Opens the markets with what the recording says of them at its beginning. */
	async begin(): Promise<void> {
		this.#readUpTo(this.#from);
		await this.#retry(() => this.#moveMarkets(this.#followed));
	}

	async playTo(elapsedMs: number): Promise<void> {
		const { messages } = this.#event;
		if (this.#next >= messages.length) return;
		const to = this.#from + elapsedMs;
		await this.#retry(() => this.#playDue(to));
		await this.#retry(() => this.#storeProgress(to));
		if (this.#hasResults) return await this.#finish();
		// A recording that ends before its result leaves no strategy without one.
		if (this.#next >= messages.length) await this.#retry(() => abandonFixture(this.#options, this.#openFixture));
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#playing;
	}

	get fixtureId(): number {
		return this.#openFixture.id;
	}

	/** Stops playing the event and ends its markets. */
	async abandon(): Promise<void> {
		await this.stop();
		await abandonFixture(this.#options, this.#openFixture);
	}

	get #hasResults(): boolean {
		return this.#followed.every(({ mirrored }) => mirrored?.market.hasResult);
	}

	async #play(recordedNow: () => number): Promise<void> {
		const { log, speed } = this.#options;
		const { messages, title } = this.#event;
		const { signal } = this.#stopping;
		this.#readUpTo(this.#from);
		await this.#retry(() => this.#advance(Number.NEGATIVE_INFINITY));
		while (this.#next < messages.length && !signal.aborted) {
			const due = (messages[this.#next] as Timed).pt;
			const waitMs = Math.min((due - recordedNow()) / speed, confirmEveryMs(this.#options));
			if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
			const until = waitMs < confirmEveryMs(this.#options) ? Math.max(recordedNow(), due) : Number.NEGATIVE_INFINITY;
			await this.#retry(() => this.#advance(until));
			// The rest of the recording is compared with the results.
			if (this.#hasResults) await this.#finish();
		}
		if (signal.aborted) return;
		if (this.#hasResults) return await this.#finish();
		log.warn(`The recording of ${title} ends before its result: an operator settles or voids it.`);
		await this.#suspend();
	}

	async #finish(): Promise<void> {
		await this.#retry(() => this.#options.fixtures.setStatus(this.#openFixture.id, 'FINISHED'));
	}

	/** Retries at the current position; the event's markets are suspended meanwhile. */
	async #retry(attempt: () => Promise<void>): Promise<void> {
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

	/** Plays up to `until`. Confirms all markets at intervals, which renews their leases. */
	async #advance(until: number): Promise<void> {
		const now = performance.now();
		if (now - this.#confirmedAtMs >= confirmEveryMs(this.#options)) {
			await this.#moveMarkets(this.#followed);
			this.#confirmedAtMs = now;
		}
		await this.#playDue(until);
		if (Date.now() - this.#storedAtMs > PROGRESS_EVERY_MS && this.#next > 0) {
			this.#storedAtMs = Date.now();
			await this.#storeProgress((this.#event.messages[this.#next - 1] as Timed).pt);
		}
	}

	get #openFixture(): Fixture {
		return this.#fixture as Fixture;
	}

	async #storeProgress(playedTo: number): Promise<void> {
		await writeProgress(this.#options.db, SOURCE, this.#openFixture.sourceRef, { playedTo });
	}

	/** Reads messages up to a time without acting on them. */
	#readUpTo(pt: number): void {
		const { messages } = this.#event;
		while (this.#next < messages.length && (messages[this.#next] as Timed).pt <= pt) this.#readNext();
	}

	/** Reads one message. @returns the market it is about; null for a score */
	#readNext(): Followed | null {
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

	/** Reads all messages due. Applies each definition as it changes, then the last score and the last prices. */
	async #playDue(until: number): Promise<void> {
		const { messages } = this.#event;
		const changed = new Set<Followed>();
		while (this.#next < messages.length && (messages[this.#next] as Timed).pt <= until) {
			const followed = this.#readNext();
			if (!followed) continue;
			changed.add(followed);
			if (followed.stream.definition !== followed.appliedDefinition) await this.#moveMarkets([followed]);
		}
		await this.#showScore();
		await this.#moveMarkets([...changed]);
	}

	async #moveMarkets(markets: readonly Followed[]): Promise<void> {
		for (const followed of markets) {
			followed.appliedDefinition = followed.stream.definition;
			await followed.mirrored?.follow(true);
		}
	}

	async #showScore(): Promise<void> {
		const line = this.#scores.line();
		if (!this.#scoreDue || line === '') return;
		await this.#options.fixtures.setScore(this.#openFixture.id, this.#scores.card(this.#openFixture.id), line);
		this.#scoreDue = false;
	}

	/** Suspends the event's markets, because the recording is not watched. Other events continue. */
	async #suspend(): Promise<void> {
		const name = `the suspension of ${this.#event.title}`;
		const markets = this.#followed.flatMap(({ mirrored }) => mirrored?.market ?? []);
		await suspendSurely(markets, { name, signal: this.#stopping.signal, log: this.#options.log });
	}
}
