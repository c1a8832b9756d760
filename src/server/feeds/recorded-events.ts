/**
 * Plays recorded events side by side as live fixtures, on one clock: each begins shortly before its own in-play turn,
 * whatever the year, and recorded time runs at the asked speed for all of them. What the definitions say decides each
 * market's life, and how far an event has come is kept, so that a server that was killed goes on from there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readProgress, writeProgress } from '#server/feeds/feed-progress.ts';
import { type FeedParts, findFixture, openMarket, type RunningFeed } from '#server/feeds/fixture-market.ts';
import { LiveFixture } from '#server/feeds/live-fixture.ts';
import { MirroredMarket } from '#server/feeds/mirrored-market.ts';
import {
	type RecordedEvent,
	type RecordedMarket,
	readRecordedFiles,
	type Timed,
} from '#server/feeds/recorded-files.ts';
import { ScoreReader } from '#server/feeds/score-reader.ts';
import { type StreamDefinition, StreamMarket } from '#server/feeds/stream-market.ts';
import type { Fixture } from '#server/fixtures/fixtures.ts';

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
		this.#playing = this.#play(() => this.#from + elapsed()).catch((cause: unknown) => this.#fail(cause));
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
		await (await LiveFixture.open(this.#options, this.#ours)).abandon();
	}

	get #isOver(): boolean {
		return this.#followed.every(({ mirrored }) => mirrored?.market.isOver);
	}

	async #play(recordedNow: () => number): Promise<void> {
		const { speed, fixtures } = this.#options;
		const { messages } = this.#event;
		const { signal } = this.#stopping;
		let next = this.#skipTo(this.#from);
		await this.#showScore();
		await this.#bring(this.#followed);
		let keptAt = 0;
		while (next < messages.length && !this.#isOver && !signal.aborted) {
			const due = (messages[next] as Timed).pt;
			const wait = (due - recordedNow()) / speed;
			if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined);
			if (signal.aborted) break;
			next = await this.#takeDue(next, Math.max(recordedNow(), due));
			if (Date.now() - keptAt > PROGRESS_EVERY_MS) {
				keptAt = Date.now();
				await this.#keep((messages[next - 1] as Timed).pt);
			}
		}
		if (signal.aborted) return;
		if (this.#isOver) return await fixtures.setStatus(this.#ours.id, 'FINISHED');
		this.#options.log.warn(
			`The recording of ${this.#event.title} ends before its result: an operator settles or voids it.`,
		);
		await this.#suspend();
	}

	get #ours(): Fixture {
		return this.#fixture as Fixture;
	}

	async #keep(playedTo: number): Promise<void> {
		await writeProgress(this.#options.pool, SOURCE, this.#ours.sourceRef, { playedTo });
	}

	/** Takes in, without acting, what was before; returns the index of the first message to play. */
	#skipTo(pt: number): number {
		const { messages } = this.#event;
		const first = messages.findIndex((message) => message.pt > pt);
		const upTo = first < 0 ? messages.length : first;
		for (const message of messages.slice(0, upTo)) this.#takeIn(message);
		return upTo;
	}

	/** The market the message spoke of; null for a score. */
	#takeIn(message: Timed): Followed | null {
		if ('score' in message) {
			this.#scores.apply(message.score);
			return null;
		}
		const followed = this.#followed.find(({ about }) => about.id === message.changes[0]?.id) ?? null;
		for (const change of message.changes) followed?.stream.apply(change);
		return followed;
	}

	/** Takes in everything due, acting wherever a market's state changed in between; shows the last score and prices. */
	async #takeDue(from: number, until: number): Promise<number> {
		const { messages } = this.#event;
		const moved = new Set<Followed>();
		let scored = false;
		let at = from;
		for (; at < messages.length && (messages[at] as Timed).pt <= until; at++) {
			const message = messages[at] as Timed;
			const followed = this.#takeIn(message);
			scored ||= 'score' in message;
			if (!followed) continue;
			moved.add(followed);
			if (followed.stream.definition !== followed.acted) await this.#bring([followed]);
		}
		if (scored) await this.#showScore();
		await this.#bring([...moved]);
		return at;
	}

	async #bring(markets: readonly Followed[]): Promise<void> {
		for (const followed of markets) {
			followed.acted = followed.stream.definition;
			await followed.mirrored?.bring(true);
		}
	}

	async #showScore(): Promise<void> {
		const line = this.#scores.line();
		if (line !== '') await this.#options.fixtures.setScore(this.#ours.id, this.#scores.card(this.#ours.id), line);
	}

	async #suspend(): Promise<void> {
		await Promise.all(
			this.#followed.map(({ mirrored }) => mirrored?.market.isClosed === false && mirrored.market.suspend()),
		);
	}

	/** Nobody watches the recording any more: its markets must not stay open. The others play on. */
	async #fail(cause: unknown): Promise<void> {
		this.#options.log.error({ err: cause }, `the recording of ${this.#event.title} stopped`);
		// If the exchange itself is down its own log says so.
		await this.#suspend().catch(() => undefined);
	}
}
