/**
 * Plays a recorded market, and its score beside it, as a live fixture. Recorded time runs at the asked speed; the quiet
 * days before are skipped to shortly before the in-play turn. What the definition says decides the market's life, and
 * how far the recording has come is kept, so that a server that was killed goes on from there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { readProgress, writeProgress } from '#server/feeds/feed-progress.ts';
import { type FixtureMarket, openFixture } from '#server/feeds/fixture-market.ts';
import { readRecording } from '#server/feeds/read-recording.ts';
import { type ScoreMessage, ScoreReader } from '#server/feeds/score-reader.ts';
import { type MarketMessage, type StreamDefinition, StreamMarket } from '#server/feeds/stream-market.ts';
import { streamQuotes } from '#server/feeds/stream-quotes.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import { CRICKET } from '#values/sports.ts';

const SOURCE = 'recording';
/** The market is open this long, in recorded time, before it turns in-play. */
const PRE_MATCH_MS = 5 * 60_000;
const PROGRESS_EVERY_MS = 1000;
export interface RecordedMatchOptions {
	exchange: Exchange;
	fixtures: Fixtures;
	pool: pg.Pool;
	log: Logger;
	recording: string;
	score: string | null;
	speed: number;
}

type Timed = { pt: number } & ({ market: MarketMessage } | { score: ScoreMessage });

interface Progress {
	/** Recorded time up to which everything was played. */
	playedTo: number;
}

export interface RunningFeed {
	stop(): Promise<void>;
}

/** Reads the files and starts to play. @throws Error when a file cannot be read or holds no market with a result */
export async function startRecordedMatch(options: RecordedMatchOptions): Promise<RunningFeed> {
	const messages = await readBoth(options);
	const definitions = messages.flatMap((message) =>
		'market' in message ? (message.market.mc ?? []).flatMap(({ marketDefinition }) => marketDefinition ?? []) : [],
	);
	const marketId = messages.flatMap((message) => ('market' in message ? (message.market.mc ?? []) : []))[0]?.id;
	const first = definitions[0];
	if (!marketId || !first) throw new Error(`${options.recording} holds no market.`);
	const inPlayAt = messages.find(
		(message) => 'market' in message && (message.market.mc ?? []).some((change) => change.marketDefinition?.inPlay),
	)?.pt;
	const startsAt = (inPlayAt ?? Date.parse(first.marketTime)) - PRE_MATCH_MS;
	const names = runnerNames(messages, definitions);
	const match = new RecordedMatch(options, marketId, messages, startsAt);
	// Recorded time runs at the asked speed, and so does the wait in-play.
	const betDelay = definitions.at(-1)?.betDelay ?? 0;
	await match.open(first, names, Math.round(betDelay / options.speed));
	return match;
}

async function readBoth({ recording, score }: RecordedMatchOptions): Promise<Timed[]> {
	const market = ((await readRecording(recording)) as MarketMessage[]).map((message) => ({
		pt: message.pt,
		market: message,
	}));
	const scores = score ? ((await readRecording(score)) as ScoreMessage[]) : [];
	return [...market, ...scores.map((message) => ({ pt: message.pt, score: message }))].sort(
		(one, other) => one.pt - other.pt,
	);
}

/** Recorded definitions often carry no names; the score stream says which team is which selection. */
function runnerNames(messages: readonly Timed[], definitions: readonly StreamDefinition[]): Map<number, string> {
	const names = new Map<number, string>();
	for (const { id, name } of definitions.flatMap(({ runners }) => runners)) if (name) names.set(id, name);
	for (const message of messages) {
		for (const part of 'score' in message ? (message.score.cc ?? []) : []) {
			const { homeTeam, awayTeam } = part as Record<string, { name?: string; selectionId?: number } | undefined>;
			for (const team of [homeTeam, awayTeam]) {
				if (team?.name && team.selectionId) names.set(team.selectionId, team.name);
			}
		}
	}
	return names;
}

class RecordedMatch implements RunningFeed {
	readonly #options: RecordedMatchOptions;
	readonly #marketId: string;
	readonly #messages: readonly Timed[];
	readonly #startsAt: number;
	readonly #stream: StreamMarket;
	readonly #scores = new ScoreReader();
	readonly #stopping = new AbortController();
	#market: FixtureMarket | null = null;
	#runnerIds: number[] = [];
	#playing: Promise<void> = Promise.resolve();
	#acted: { status: string; inPlay: boolean } | null = null;

	constructor(options: RecordedMatchOptions, marketId: string, messages: readonly Timed[], startsAt: number) {
		this.#options = options;
		this.#marketId = marketId;
		this.#messages = messages;
		this.#startsAt = startsAt;
		this.#stream = new StreamMarket(marketId);
	}

	async open(definition: StreamDefinition, names: Map<number, string>, betDelaySeconds: number): Promise<void> {
		const { fixtures, speed, pool } = this.#options;
		const earlier = fixtures
			.all()
			.filter(({ source, sourceRef }) => source === SOURCE && sourceRef.startsWith(`${this.#marketId}#`));
		const unfinished = earlier.find(({ status }) => status !== 'FINISHED');
		const sourceRef = unfinished?.sourceRef ?? `${this.#marketId}#${earlier.length + 1}`;
		const progress = await readProgress<Progress>(pool, SOURCE, sourceRef);
		const from = progress?.playedTo ?? this.#startsAt;
		const runners = definition.runners.toSorted((one, other) => one.sortPriority - other.sortPriority);
		this.#runnerIds = runners.map(({ id }) => id);
		this.#market = await openFixture(this.#options, {
			sportId: CRICKET,
			title: runners.map(({ id }) => names.get(id) ?? `Runner ${id}`).join(' v '),
			competition: 'Recorded match',
			startsAtMs: Date.now() + (this.#startsAt + PRE_MATCH_MS - from) / speed,
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef,
			hasTv: false,
			scoreLine: null,
			runners: runners.map(({ id }) => ({ id: String(id), name: names.get(id) ?? `Runner ${id}` })),
			betDelaySeconds,
		});
		this.#scores.continueFrom(fixtures.score(this.#market.fixture.id)?.version ?? 0);
		this.#playing = this.#play(sourceRef, from).catch((cause: unknown) => this.#fail(cause));
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#playing;
		await this.#market?.maker.settled();
	}

	async #play(sourceRef: string, from: number): Promise<void> {
		const market = this.#market as FixtureMarket;
		const { speed, pool } = this.#options;
		const startedAt = Date.now();
		const recordedNow = () => from + (Date.now() - startedAt) * speed;
		let next = this.#skipTo(from);
		await this.#showScore(market);
		let keptAt = 0;
		while (next < this.#messages.length && !this.#stopping.signal.aborted) {
			await this.#actOn(market);
			if (market.isOver) break;
			market.maker.quote(streamQuotes(this.#stream, this.#runnerIds));
			const due = (this.#messages[next] as Timed).pt;
			const wait = (due - recordedNow()) / speed;
			if (wait > 0) await delay(wait, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
			if (this.#stopping.signal.aborted) break;
			// At high speeds a lost tick of the clock is many messages: the maker keeps up by pausing the recording.
			await market.maker.settled();
			next = await this.#takeDue(next, Math.max(recordedNow(), due), market);
			if (Date.now() - keptAt > PROGRESS_EVERY_MS) {
				keptAt = Date.now();
				await writeProgress(pool, SOURCE, sourceRef, { playedTo: (this.#messages[next - 1] as Timed).pt });
			}
		}
		if (!this.#stopping.signal.aborted) await this.#actOn(market);
	}

	/** Takes in, without acting, what was before; returns the index of the first message to play. */
	#skipTo(pt: number): number {
		let at = 0;
		for (; at < this.#messages.length; at++) {
			const message = this.#messages[at] as Timed;
			if (message.pt > pt) break;
			this.#takeIn(message);
		}
		return at;
	}

	#takeIn(message: Timed): boolean {
		if ('score' in message) return this.#scores.apply(message.score);
		for (const change of message.market.mc ?? []) if (change.id === this.#marketId) this.#stream.apply(change);
		return false;
	}

	/** Takes in everything due, acting wherever the market's state changed in between; shows the last score. */
	async #takeDue(from: number, until: number, market: FixtureMarket): Promise<number> {
		let at = from;
		let scored = false;
		for (; at < this.#messages.length && (this.#messages[at] as Timed).pt <= until; at++) {
			const message = this.#messages[at] as Timed;
			scored = this.#takeIn(message) || scored;
			const definition = this.#stream.definition;
			const changed =
				definition && (definition.status !== this.#acted?.status || definition.inPlay !== this.#acted.inPlay);
			if (changed) await this.#actOn(market);
		}
		if (scored) await this.#showScore(market);
		return at;
	}

	async #showScore(market: FixtureMarket): Promise<void> {
		const { fixtures } = this.#options;
		const line = this.#scores.line();
		if (line === '') return;
		await fixtures.setScore(market.fixture.id, this.#scores.card(market.fixture.id), line);
	}

	/** Brings our market to where the recorded one is. */
	async #actOn(market: FixtureMarket): Promise<void> {
		const definition = this.#stream.definition;
		if (!definition || market.isOver) return;
		if (definition.status === this.#acted?.status && definition.inPlay === this.#acted.inPlay) return;
		this.#acted = { status: definition.status, inPlay: definition.inPlay };
		if (definition.inPlay) await market.turnInPlay();
		if (definition.status === 'OPEN') await market.resume();
		else if (definition.status !== 'CLOSED') await market.suspend();
		else {
			const winner = definition.runners.find(({ status }) => status === 'WINNER');
			await this.#showScore(market);
			if (winner) await market.settle(this.#runnerIds.indexOf(winner.id));
			else await market.suspend();
		}
	}

	/** Nobody watches the recording any more: its market must not stay open. */
	async #fail(cause: unknown): Promise<void> {
		this.#options.log.error({ err: cause }, 'the recorded match stopped');
		try {
			await this.#market?.suspend();
		} catch {
			// The exchange itself is down; its own log says so.
		}
	}
}
