/**
 * Markets of a Betfair stream as our own, live: each is listed by the catalogue's names, quoted as the stream's book
 * stands, and moved through its life by the stream's definition. When the line is lost all of them are suspended; they
 * open again when the stream has said anew how they stand.
 */
import type pg from 'pg';
import { type CatalogueOptions, findListedMarket, marketTypeOf } from '#server/feeds/betfair/catalogue.ts';
import { StreamConnection, type StreamOptions } from '#server/feeds/betfair/stream-connection.ts';
import { type FeedParts, type FixtureMarket, findFixture, openMarket } from '#server/feeds/fixture-market.ts';
import type { RunningFeed } from '#server/feeds/recorded-match.ts';
import { type StreamDefinition, type StreamMarket, StreamMarkets } from '#server/feeds/stream-market.ts';
import { streamQuotes } from '#server/feeds/stream-quotes.ts';

const SOURCE = 'betfair';
/** A market the catalogue does not know yet is asked for again after this long. */
const ASK_AGAIN_MS = 60_000;
const RULES =
	'Settled by the result of the exchange it is taken from. Runners that do not take part are void, and the prices of ' +
	'the others are reduced.';

export interface LiveStreamOptions extends FeedParts {
	pool: pg.Pool;
	stream: Pick<StreamOptions, 'host' | 'port' | 'tls' | 'marketFilter'>;
	catalogue: Pick<CatalogueOptions, 'url'>;
	appKey: string;
	session(): Promise<string>;
}

/** One of theirs beside ours. */
interface Followed {
	stream: StreamMarket;
	/** Null until the catalogue knew it. */
	market: FixtureMarket | null;
	/** The stream's numbers of the runners, in our order. */
	runnerIds: number[];
	askedAtMs: number;
	/** Spoken of since the line stands; before, nothing known of it is current. */
	current: boolean;
	/** Something came that was not looked at. */
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
	#stopped = false;

	constructor(options: LiveStreamOptions) {
		this.#options = options;
		const { stream, appKey, session, log } = options;
		this.#connection = new StreamConnection({
			...stream,
			appKey,
			session,
			log,
			onMessage: (message) => {
				for (const touched of this.#streams.apply(message)) this.#hear(touched);
			},
			onResumed: () => {
				for (const { stream } of this.#followed.values()) this.#hear(stream);
			},
			onLost: () => this.#suspendAll(),
		});
	}

	start(): void {
		this.#connection.start();
	}

	async stop(): Promise<void> {
		this.#stopped = true;
		await this.#connection.stop();
		await Promise.all([...this.#followed.values()].map(({ working }) => working));
	}

	#hear(stream: StreamMarket): void {
		let followed = this.#followed.get(stream.id);
		if (!followed) {
			followed = { stream, market: null, runnerIds: [], askedAtMs: 0, current: true, due: false, working: null };
			this.#followed.set(stream.id, followed);
		}
		followed.current = true;
		this.#look(followed);
	}

	/** Brings a market to where the stream has it; what comes meanwhile is looked at together, afterwards. */
	#look(followed: Followed): void {
		followed.due = true;
		followed.working ??= this.#work(followed);
	}

	async #work(followed: Followed): Promise<void> {
		try {
			while (followed.due && !this.#stopped) {
				followed.due = false;
				await this.#bring(followed);
			}
		} catch (error) {
			this.#options.log.error({ err: error, market: followed.stream.id }, 'a market of the stream went wrong');
			await followed.market?.suspend().catch(() => undefined);
		} finally {
			followed.working = null;
		}
	}

	async #bring(followed: Followed): Promise<void> {
		const { definition } = followed.stream;
		if (!definition) return;
		const market = followed.market ?? (await this.#open(followed, definition));
		if (!market || market.isOver) return;
		await this.#removals(followed, market, definition);
		if (definition.inPlay) await market.turnInPlay();
		if (definition.status === 'CLOSED') return await this.#pay(followed, market, definition);
		if (!followed.current || definition.status !== 'OPEN') return await market.suspend();
		await market.resume();
		await market.quote(streamQuotes(followed.stream, followed.runnerIds));
	}

	async #open(followed: Followed, definition: StreamDefinition): Promise<FixtureMarket | null> {
		const kind = marketTypeOf(definition.marketType);
		if (!kind || Date.now() - followed.askedAtMs < ASK_AGAIN_MS) return null;
		followed.askedAtMs = Date.now();
		const { catalogue, appKey, session } = this.#options;
		const listed = await findListedMarket({ ...catalogue, appKey, session }, followed.stream.id);
		if (!listed) return null;
		const runners = definition.runners.toSorted((one, other) => one.sortPriority - other.sortPriority);
		followed.runnerIds = runners.map(({ id }) => id);
		const fixture = await findFixture(this.#options.fixtures, {
			sportId: listed.sportId,
			title: listed.eventTitle,
			competition: listed.competition,
			startsAtMs: Number.isFinite(listed.startsAtMs) ? listed.startsAtMs : Date.parse(definition.marketTime),
			status: 'UPCOMING',
			source: SOURCE,
			sourceRef: listed.eventId,
			hasTv: false,
			scoreLine: null,
		});
		followed.market = await openMarket(this.#options, fixture, {
			name: listed.name,
			...kind,
			...(kind.type === 'PLACE' ? { places: definition.numberOfWinners } : {}),
			runners: runners.map(({ id }) => ({
				id: `${followed.stream.id}-${id}`,
				...(listed.runners.get(id) ?? { name: `Runner ${id}` }),
			})),
			betDelaySeconds: definition.betDelay,
			rules: RULES,
		});
		return followed.market;
	}

	async #removals({ runnerIds }: Followed, market: FixtureMarket, definition: StreamDefinition): Promise<void> {
		for (const { id, status, adjustmentFactor } of definition.runners) {
			const runner = runnerIds.indexOf(id);
			if (status === 'REMOVED') await market.remove(runner, Math.round((adjustmentFactor ?? 0) * 100));
			// Theirs may take part after all.
			else await market.takeBack(runner);
		}
	}

	async #pay({ runnerIds }: Followed, market: FixtureMarket, { runners }: StreamDefinition): Promise<void> {
		const winners = runners.filter(({ status }) => status === 'WINNER').map(({ id }) => runnerIds.indexOf(id));
		// Closed without a winner is void there, and here.
		await market.pay(winners.length > 0 ? { winners } : { unfinished: true });
		const { fixtures } = this.#options;
		const open = [...this.#followed.values()].some(
			(other) => other.market?.fixture.id === market.fixture.id && !other.market.isOver,
		);
		if (!open) await fixtures.setStatus(market.fixture.id, 'FINISHED');
	}

	#suspendAll(): void {
		for (const followed of this.#followed.values()) {
			followed.current = false;
			this.#look(followed);
		}
	}
}
