/** The counters of the process with the exchange, and the gauges read by each scrape. */
import type pg from 'pg';
import type { Counter, Histogram } from 'prom-client';
import type { RequestWatch } from '#server/doors/http/plain-server.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { STANDBY_STATES, type StandbyState, standbyStatus } from '#server/exchange/standby/standby-status.ts';
import { type BusinessSources, watchBusiness } from '#server/process/metrics/business-metrics.ts';
import { Metrics, type MetricsConfig, type Reading } from '#server/process/metrics/metrics.ts';
import { droppedSpansIn, requestsIn, watchHub } from '#server/process/metrics/serving-metrics.ts';
import { sharedReading } from '#server/process/metrics/shared-reading.ts';

/** Seconds: from a commit on a fast disk to the time limit of a batch. */
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Connections to the database, as pg counts them. */
interface ConnectionCounts {
	totalCount: number;
	idleCount: number;
	waitingCount: number;
}

/** How pg counts the connections of each state. */
const CONNECTION_STATES = [
	['open', 'totalCount'],
	['idle', 'idleCount'],
	['waiting', 'waitingCount'],
] as const;

interface ExchangeSources {
	exchange: Exchange;
	fixtures: { all(): readonly unknown[] };
	/** The clients of this process's hub. */
	hub: { connections(): number };
	/** The connections to the database, by what they are for. */
	connections: Readonly<Record<string, ConnectionCounts>>;
	/** Null where no standby is configured. */
	standbys: pg.Pool | null;
	business: BusinessSources;
	/** This machine's clock less others, milliseconds. */
	clockDrifts: () => Readonly<Record<string, number>>;
}

export class ExchangeMetrics {
	readonly #metrics: Metrics;
	readonly #commits: Histogram;
	readonly #betEvents: Counter;
	readonly requests: RequestWatch;
	/** Counts spans that the collector does not get. */
	readonly onDropped: (count: number) => void;

	private constructor(metrics: Metrics) {
		this.#metrics = metrics;
		this.#commits = metrics.histogram(
			'backlay_commit_seconds',
			'How long each batch took until it was durable, from its sealing or the end of the batch before.',
			COMMIT_BUCKETS,
		);
		this.#betEvents = metrics.counter(
			'backlay_bet_events_total',
			'What became of bets in durable batches. Quotes of the house are bets, too.',
			['event'],
		);
		this.requests = requestsIn(metrics);
		this.onDropped = droppedSpansIn(metrics);
	}

	static async open(config: MetricsConfig): Promise<ExchangeMetrics> {
		return new ExchangeMetrics(await Metrics.open(config));
	}

	get url(): string {
		return this.#metrics.url;
	}

	/** A batch is durable. */
	readonly onWritten = (tookMs: number): void => this.#commits.observe(tookMs / 1000);

	readonly onCommitted = ({ betEvents }: Committed): void => {
		const counts = new Map<string, number>();
		for (const { event } of betEvents) counts.set(event, (counts.get(event) ?? 0) + 1);
		for (const [event, count] of counts) this.#betEvents.inc({ event }, count);
	};

	/** Registers all other figures of the exchange. */
	watch({ exchange, fixtures, hub, connections, standbys, business, clockDrifts }: ExchangeSources): void {
		const gauge = (name: string, help: string, read: () => number): void =>
			this.#metrics.gauge({ name: `backlay_${name}`, help, read });
		gauge('exchange_open', '1 while the exchange takes commands.', () => (exchange.isOpen() ? 1 : 0));
		gauge('queued_commands', 'Commands that are not durable yet.', () => exchange.figures().backlog);
		gauge('ledger_epoch', 'The epoch of the lease; it rises with every recovery.', () => exchange.epoch());
		gauge('ledger_batch', 'The last batch that is durable.', () => exchange.figures().batch);
		gauge('ledger_sealed_batch', 'The last batch in the tables: their seals and the digest end there.', () => {
			return exchange.figures().writtenBatch;
		});
		gauge('markets', 'Markets in memory.', () => exchange.figures().markets);
		gauge('open_bets', 'Bets in memory, quotes of the house included.', () => exchange.figures().bets);
		gauge('uneven_markets', 'Markets whose bets do not add up; their settlement has stopped.', () => {
			return exchange.figures().unevenMarkets.length;
		});
		gauge('fixtures', 'Fixtures in memory.', () => fixtures.all().length);
		watchHub(this.#metrics, hub);
		this.#metrics.gauge({
			name: 'backlay_feed_leases',
			help: 'Markets of feeds. Those whose lease ran out take no bets.',
			label: 'state',
			read: () => Object.entries(exchange.figures().feedLeases),
		});
		this.#metrics.gauge({
			name: 'backlay_clock_drift_seconds',
			help: 'How far this machine’s clock is ahead of another one, at the last look.',
			label: 'of',
			read: () => Object.entries(clockDrifts()).map(([of, ms]): Reading => [of, ms / 1000]),
		});
		for (const [state, count] of CONNECTION_STATES) {
			this.#metrics.gauge({
				name: `backlay_database_connections_${state}`,
				help: `Connections to the database (${state}), by what they are for.`,
				label: 'use',
				read: () => Object.entries(connections).map(([use, counts]): Reading => [use, counts[count]]),
			});
		}
		watchBusiness(this.#metrics, business);
		if (standbys) this.#watchStandbys(standbys);
	}

	/** The gauges of one scrape share a query. */
	#watchStandbys(db: pg.Pool): void {
		const ask = sharedReading(() => standbyStatus(db), 0);
		this.#metrics.gauge({
			name: 'backlay_standbys',
			help: 'Standbys of the exchange, by what they do.',
			label: 'state',
			read: async () => {
				const standbys = await ask();
				const inState = (state: StandbyState) => standbys.filter((standby) => standby.state === state).length;
				return STANDBY_STATES.map((state): Reading => [state, inState(state)]);
			},
		});
		this.#metrics.gauge({
			name: 'backlay_standby_batches_behind',
			help: 'How many batches the last of the standbys that follow has not applied.',
			read: async () => {
				const behind = (await ask()).flatMap(({ batchesBehind, state }) =>
					state === 'follows' ? [batchesBehind] : [],
				);
				return behind.length === 0 ? null : Math.max(...behind);
			},
		});
	}

	async close(): Promise<void> {
		await this.#metrics.close();
	}
}
