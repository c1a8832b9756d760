/**
 * Mirrors the markets of a live Betfair stream: lists each by the catalogue's names, quotes the stream's book and follows
 * the stream's definition through the market's life. When the connection is lost all markets are suspended; each resumes
 * when the stream reports its state again.
 */
import type pg from 'pg';
import { type CatalogueOptions, findListedMarket, marketTypeOf } from '#server/world/feeds/betfair/catalogue.ts';
import { isMirrored, MirroredFixtures } from '#server/world/feeds/betfair/mirrored-fixture.ts';
import {
	MIRRORED_RULES,
	MirroredMarket,
	mirroredDelay,
	mirroredRunners,
	unlistable,
} from '#server/world/feeds/betfair/mirrored-market.ts';
import { StreamConnection, type StreamOptions } from '#server/world/feeds/betfair/stream-connection.ts';
import { type StreamDefinition, type StreamMarket, StreamMarkets } from '#server/world/feeds/betfair/stream-market.ts';
import { confirmEveryMs, type FeedParts, type RunningFeed } from '#server/world/feeds/feed.ts';
import { suspendSurely } from '#server/world/feeds/suspend-surely.ts';
import { untilDone } from '#server/world/feeds/until-done.ts';
import type { Fixture } from '#server/world/fixtures/fixtures.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import type { FixtureId } from '#values/ids.ts';

/** Interval between two catalogue queries for a market that is not in it yet. */
const ASK_AGAIN_MS = 60_000;

interface LiveStreamOptions extends FeedParts {
	db: pg.Pool;
	stream: Pick<StreamOptions, 'host' | 'port' | 'tls' | 'marketFilter'>;
	catalogue: Pick<CatalogueOptions, 'url'>;
	appKey: string;
	session(wasRefused?: boolean): Promise<string>;
}

/** A market of the stream, and ours that mirrors it. */
interface Followed {
	stream: StreamMarket;
	/** Null until the catalogue names the market. */
	mirrored: MirroredMarket | null;
	askedAtMs: number;
	/** The definition by which the market was not listed; another one may be. */
	unlisted: StreamDefinition | null;
	/** The stream reported the market on this connection; its state before that is not current. */
	current: boolean;
	/** A change has not been handled yet. */
	due: boolean;
	working: Promise<void> | null;
}

export function startLiveStream(options: LiveStreamOptions): RunningFeed {
	const feed = new LiveStream(options);
	feed.start();
	return feed;
}

class LiveStream implements RunningFeed {
	readonly #options: LiveStreamOptions;
	readonly #connection: StreamConnection;
	readonly #streams = new StreamMarkets();
	readonly #followed = new Map<string, Followed>();
	/** Markets that have their result, by the stream's id, while their fixtures are in memory. */
	readonly #ended = new Map<string, FixtureMarket>();
	readonly #fixtures: MirroredFixtures;
	readonly #stopping = new AbortController();
	#starting: Promise<void> = Promise.resolve();
	/** When all markets were last confirmed, on the clock of `performance.now`. */
	#confirmedAtMs = Number.NEGATIVE_INFINITY;

	constructor(options: LiveStreamOptions) {
		this.#options = options;
		this.#fixtures = new MirroredFixtures(options);
		const { stream, appKey, session, log } = options;
		this.#connection = new StreamConnection({
			...stream,
			appKey,
			session,
			log,
			onMessage: (message) => {
				for (const changed of this.#streams.apply(message)) this.#onChange(changed);
			},
			onResumed: () => {
				for (const { stream } of this.#followed.values()) this.#onChange(stream);
			},
			onAlive: () => this.#confirm(),
			onLost: () => this.#onLost(),
		});
	}

	start(): void {
		this.#starting = this.#start();
	}

	async #start(): Promise<void> {
		const { log } = this.#options;
		const { signal } = this.#stopping;
		const name = 'the abandonment of mirrored fixtures';
		if (await untilDone({ name, attempt: () => this.#fixtures.open(), signal, log })) this.#connection.start();
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await this.#starting;
		await this.#connection.stop();
		await Promise.all([...this.#followed.values()].map(({ working }) => working));
	}

	async abandon(fixtureId: FixtureId): Promise<boolean> {
		const { fixtures } = this.#options;
		const fixture = fixtures.fixture(fixtureId);
		if (!fixture || !isMirrored(fixture)) return false;
		await this.#fixtures.noteAbandoned(fixture);
		const ofFixture = ({ mirrored }: Followed) => mirrored?.market.fixture.id === fixtureId;
		await Promise.all([...this.#followed.values()].filter(ofFixture).map(({ working }) => working));
		await this.#fixtures.abandon(fixture);
		return true;
	}

	#onChange(stream: StreamMarket): void {
		let followed = this.#followed.get(stream.id);
		if (!followed) {
			const ended = this.#ended.get(stream.id);
			const mirrored = ended ? new MirroredMarket(stream, ended, this.#options.log) : null;
			followed = { stream, mirrored, askedAtMs: 0, unlisted: null, current: true, due: false, working: null };
			this.#followed.set(stream.id, followed);
		}
		followed.current = true;
		this.#schedule(followed);
	}

	/** Moves a market to the stream's state. Changes that arrive meanwhile are handled together afterwards. */
	#schedule(followed: Followed): void {
		followed.due = true;
		followed.working ??= this.#work(followed);
	}

	/** The stream is alive: markets without changes are current, and their leases are renewed. */
	#confirm(): void {
		const now = performance.now();
		if (now - this.#confirmedAtMs < confirmEveryMs(this.#options)) return;
		this.#confirmedAtMs = now;
		for (const followed of this.#followed.values()) if (followed.current) this.#schedule(followed);
	}

	/** Retries until it succeeds; the market is suspended meanwhile. */
	async #work(followed: Followed): Promise<void> {
		const { signal } = this.#stopping;
		const { log } = this.#options;
		const name = `market ${followed.stream.id} of the stream`;
		while (followed.due && !signal.aborted) {
			followed.due = false;
			await untilDone({
				name,
				attempt: () => this.#move(followed),
				onFailed: async () => {
					const { mirrored } = followed;
					if (mirrored) await suspendSurely([mirrored.market], { name: `suspending ${name}`, signal, log });
				},
				signal,
				log,
			});
		}
		followed.working = null;
	}

	async #move(followed: Followed): Promise<void> {
		const { definition } = followed.stream;
		if (!definition) return;
		followed.mirrored ??= await this.#open(followed, definition);
		const { mirrored } = followed;
		if (mirrored && !this.#fixtures.isAbandoned(mirrored.market.fixture)) {
			await this.#fixtures.followStart(mirrored.market, definition);
			await mirrored.follow(followed.current);
			if (mirrored.market.hasResult) await this.#fixtures.finish(mirrored.market.fixture);
		}
		const done = mirrored ? mirrored.market.hasResult : !marketTypeOf(definition.marketType);
		if (done && definition.status === 'CLOSED') this.#unfollow(followed);
	}

	/** The market has its result. Later messages of the stream are compared with it. */
	#unfollow({ stream, mirrored }: Followed): void {
		this.#followed.delete(stream.id);
		this.#streams.forget(stream.id);
		if (mirrored) this.#ended.set(stream.id, mirrored.market);
		for (const [id, { listing }] of this.#ended) if (!this.#options.fixtures.market(listing.id)) this.#ended.delete(id);
	}

	/** @returns null while the catalogue does not name the market, and for one that is not listed here */
	async #open(followed: Followed, definition: StreamDefinition): Promise<MirroredMarket | null> {
		const kind = marketTypeOf(definition.marketType);
		if (!kind || definition === followed.unlisted || Date.now() - followed.askedAtMs < ASK_AGAIN_MS) return null;
		followed.askedAtMs = Date.now();
		const { catalogue, appKey, session, log } = this.#options;
		const { id } = followed.stream;
		const found = await findListedMarket({ ...catalogue, appKey, session }, id);
		if (!found) return null;
		const runners = mirroredRunners(id, kind.type, definition.runners, (runner) => found.runners.get(runner.id));
		const reason = unlistable(kind.type, definition, runners.length);
		if (reason !== null) log.warn({ market: id }, `a market of the stream is not listed: ${reason}`);
		const list = (fixture: Fixture, name: string) =>
			openMarket(this.#options, fixture, {
				name,
				...kind,
				...(kind.type === 'PLACE' ? { places: definition.numberOfWinners } : {}),
				runners,
				betDelaySeconds: mirroredDelay(definition),
				rules: MIRRORED_RULES,
			});
		const market = reason === null ? await this.#fixtures.join({ ...found, definition }, list) : null;
		if (market) return new MirroredMarket(followed.stream, market, log);
		followed.unlisted = definition;
		return null;
	}

	#onLost(): void {
		for (const followed of this.#followed.values()) {
			followed.current = false;
			this.#schedule(followed);
		}
	}
}
