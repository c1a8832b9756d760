/** One simulation: a cluster, its database, players and faults from a seed, and what has to hold all the time. */

import type pg from 'pg';
import { createEngine } from '#engine/create-engine.ts';
import { DIGEST_FORMAT } from '#engine/state-hash.ts';
import type { Committed } from '#server/exchange/committed.ts';
import { type LeaseRow, restore } from '#server/exchange/recovery/recovery.ts';
import { APPLICATION_NAME, SIGNS_SUFFIX } from '#server/platform/postgres/connect.ts';
import { monthOf } from '#server/platform/postgres/months.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { History } from './checks/history.ts';
import { LedgerWatch } from './checks/ledger-watch.ts';
import { DatabaseDouble } from './database/double.ts';
import { parsedOf, received } from './database/statements.ts';
import type { Row } from './database/tables.ts';
import { type Cluster, Faults, isOf } from './faults.ts';
import type { FeedPlan } from './feed.ts';
import { Host } from './host.ts';
import { Network } from './network.ts';
import { Players } from './players.ts';
import { SeededNumbers } from './seeded-numbers.ts';
import { GONE_MS, type Role, SILENCE_MS, SimulatedProcess } from './simulated-process.ts';
import { BEGINNING_MS, SimulatedTime } from './simulated-time.ts';

const LEDGER_KEY = 'the key of simulated ledgers';
/** Before anything goes wrong. */
const QUIET_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
/** After which everything has to have recovered. */
const RECOVERS_WITHIN_MS = 60_000;
/** After which the database ends the connections of a machine that is gone. */
const EVENTS_KEPT = 60;
const KEEP_ALIVE_MS = 8_000;
/** A process that lost its connections has others so soon. */
const RECONNECTS_WITHIN_MS = 150;
/** The time between the decision of a standby and its statement's arrival, at most. */
const DECIDED_BEFORE_MS = 25;
/** A standby saw the last signs of a connection that has ended at most this long before they came last. */
const SEEN_LATER_MS = 50;
/** A process that died, or hangs, is replaced so soon by one that follows. */
const REPLACED_WITHIN_MS = 1_000;
/** The same when the database has ended everybody's connections meanwhile. */
const UNSEEN_REPLACED_WITHIN_MS = 4_000;
/** A turn of the event loop that takes so long hangs. */
const HANGS_AFTER_MS = 6_000;
/** A delayed bet is admitted so soon after it is due. */
const ADMITTED_WITHIN_MS = 5_000;

export interface WorldOptions {
	seed: number;
	/** Simulated, with faults. */
	seconds: number;
	standbys?: number;
	hasFaults?: boolean;
	/** How many of the last events the result has. */
	eventsKept?: number;
}

export interface Result {
	seed: number;
	/** What is wrong; null when everything held. */
	failure: string | null;
	/** The last that happened. */
	lastEvents: readonly string[];
	/** Of everything that happened: the same for the same seed. */
	fingerprint: string;
	figures: { seconds: number; events: number; batches: number; answers: number; bets: number; takeovers: number };
}

export async function simulate(options: WorldOptions): Promise<Result> {
	const world = new World(options);
	using _ = world.time.install();
	const rejected = (error: unknown) => world.time.fail(error as Error);
	process.on('unhandledRejection', rejected);
	try {
		await world.run();
	} finally {
		process.off('unhandledRejection', rejected);
	}
	return world.result();
}

class World {
	readonly #options: WorldOptions;
	readonly #numbers: SeededNumbers;
	readonly time: SimulatedTime;
	readonly #network: Network;
	readonly #database: DatabaseDouble;
	readonly #watch = new LedgerWatch();
	readonly #history = new History(this.#watch, () => this.#database.clockSetBackAtMs);
	readonly #players: Players;
	readonly #faults: Faults;
	readonly #feed: FeedPlan;
	readonly #supervisor = new Host('supervisor', 0);
	readonly #books = new Map<string, string>();
	#processes: SimulatedProcess[] = [];
	#started = 0;
	#events: string[] = [];
	#fingerprint = 0;
	/** When the process that holds the lease was seen to live last, and when to be in no long turn. */
	#livedAtMs = 0;
	#forwardAtMs = 0;
	/** When the process that holds the lease wrote last. */
	#batchAtMs = 0;
	/** Since when the epoch is seen. */
	#led: { epoch: unknown; sinceMs: number } = { epoch: 0, sinceMs: 0 };

	constructor(options: WorldOptions) {
		this.#options = options;
		this.#numbers = new SeededNumbers(options.seed);
		const numbers = this.#numbers;
		this.time = new SimulatedTime(numbers);
		const { time } = this;
		this.#network = new Network(time, numbers);
		this.#database = new DatabaseDouble(time, numbers, APPLICATION_NAME);
		this.#feed = {
			silentUntilMs: 0,
			changesPrices: () => numbers.chance(20),
			winnerOf: (marketId) => marketId % 2,
			onRenewed: (marketId, process, atMs) => this.#watch.renewed(marketId, process, atMs),
		};
		const [network, database, feed] = [this.#network, this.#database, this.#feed];
		const history = this.#history;
		this.#players = new Players({ time, numbers, network, history, processes: () => this.#processes });
		const trace = (text: string) => this.#trace(text);
		this.#faults = new Faults({ time, numbers, network, database, feed, cluster: this.#cluster(), trace });
	}

	#cluster(): Cluster {
		const processes = () => this.#processes;
		return {
			get processes() {
				return processes();
			},
			kill: (process, closes) => {
				process.kill(closes);
				if (!closes) this.time.after(KEEP_ALIVE_MS, this.#supervisor, () => process.kill(true));
				this.#left(process);
			},
			startAnother: (role, afterMs) => this.#startAfter(afterMs, role),
			on: (process, act) => void this.time.after(0, process.host, act),
		};
	}

	#trace(text: string): void {
		const line = `${(this.time.nowMs / 1000).toFixed(4)} ${text}`;
		for (let at = 0; at < line.length; at++)
			this.#fingerprint = (Math.imul(this.#fingerprint, 31) + line.charCodeAt(at)) | 0;
		this.#events.push(line);
		const { eventsKept = EVENTS_KEPT } = this.#options;
		if (this.#events.length > 2 * eventsKept) this.#events = this.#events.slice(-eventsKept);
	}

	#startAfter(ms: number, role: Role): void {
		this.time.after(ms, this.#supervisor, () => {
			const process = new SimulatedProcess({
				name: `p${++this.#started}`,
				time: this.time,
				network: this.#network,
				database: this.#database,
				ledgerKey: LEDGER_KEY,
				feed: this.#feed,
				onCommitted: (each, committed) => this.#committed(each, committed),
				onEnded: (each, unexpected) => {
					this.#left(each);
					if (unexpected) this.time.fail(new Error(`${each.name} ended: ${unexpected.stack}`));
				},
				trace: (text) => this.#trace(text),
			});
			this.#trace(`supervisor: ${process.name} starts to ${role}`);
			this.#processes = [...this.#processes, process];
			this.time.after(0, process.host, () => process.start(role));
		});
	}

	/** As many as at the beginning go on, whatever happened to some. */
	#left(process: SimulatedProcess): void {
		this.#processes = this.#processes.filter((each) => each !== process);
		this.time.after(6_000, this.#supervisor, () => {
			if (this.#processes.length < 1 + (this.#options.standbys ?? 1)) this.#startAfter(0, 'stand by');
		});
	}

	/** No two processes publish different books under one version, or anything that is not durable. */
	#committed(process: SimulatedProcess, { books, wallets }: Committed): void {
		for (const { version, ...book } of books) {
			const name = `${book.marketId} ${book.pool} ${version}`;
			const text = JSON.stringify(book);
			const before = this.#books.get(name);
			if (before !== undefined && before !== text)
				this.time.fail(new Error(`${process.name} publishes another book ${name} than was published before`));
			this.#books.set(name, text);
		}
		for (const { walletId, version } of wallets)
			if (version > (this.#watch.versions.get(walletId) ?? 0))
				this.time.fail(
					new Error(`${process.name} publishes version ${version} of wallet ${walletId}, which is not durable`),
				);
	}

	async run(): Promise<void> {
		const { seconds, standbys = 1, hasFaults = true } = this.#options;
		this.#prepare();
		this.#database.onCommit = (changes, { applicationName }, judgedAtMs) => {
			const name = applicationName.replace('backlay ', '');
			const before = this.#watch.holder;
			const wasReleased = this.#lease()['released'] === true;
			this.#watch.committed(changes, name, judgedAtMs);
			const wroteBatch = changes.some((change) => 'row' in change && change.table.definition.name === 'lease');
			if (wroteBatch && this.#watch.holder === before) this.#batchAtMs = this.time.nowMs;
			if (this.#watch.holder !== before) this.#livedAtMs = this.#forwardAtMs = this.time.nowMs;
			if (this.#watch.holder !== before && !wasReleased) this.#deposed(before, name, judgedAtMs - DECIDED_BEFORE_MS);
		};
		this.#database.onRejected = (error, { applicationName }) =>
			this.time.fail(new Error(`${applicationName} sent a batch that the database refuses: ${error.message}`));
		this.#startAfter(0, 'serve');
		for (let standby = 0; standby < standbys; standby++) this.#startAfter(500 + 200 * standby, 'stand by');
		this.time.after(100, this.#players.host, () => {
			void this.#players.play().catch((error: Error) => this.time.fail(error));
		});
		if (hasFaults) this.#faults.start(QUIET_MS);
		this.#lookEverySecond();
		try {
			await this.time.runUntil(seconds * 1_000);
			this.#faults.stop();
			this.#trace('faults: none any more');
			await this.time.runUntil(seconds * 1_000 + RECOVERS_WITHIN_MS / 2);
			this.#players.leave();
			await this.time.runUntil(seconds * 1_000 + RECOVERS_WITHIN_MS);
			await this.#check();
		} catch (error) {
			this.time.fail(error as Error);
		}
	}

	#lease(): Row {
		return [...this.#database.table('lease').rows()][0] as Row;
	}

	/** A process that lives and reaches the database keeps the lease, unless another one is started to serve. */
	#deposed(holder: string | null, taker: string, decidedAtMs: number): void {
		const by = this.#processes.find(({ name }) => name === taker);
		const from = this.#processes.find(({ name }) => name === holder);
		if (by?.exchange && from !== by) throw new Error(`${taker}, which recovers, takes the lease from ${holder}`);
		if (!from || !by?.standby || from === by) return;
		const isConnected = [...this.#database.sessions()].some(
			(session) => isOf(session, from) && session.startedAtMs < this.time.nowMs - RECONNECTS_WITHIN_MS,
		);
		const aliveAtMs = this.#database.heardBefore(`backlay ${holder}${SIGNS_SUFFIX}`, decidedAtMs);
		const silentMs = decidedAtMs + DECIDED_BEFORE_MS - Math.max(this.#batchAtMs, aliveAtMs);
		// A look that took long counts for a quarter of it.
		const patienceMs = (by.follows ? 0.7 : 5) * SILENCE_MS;
		const leastMs = isConnected ? patienceMs : GONE_MS - SEEN_LATER_MS;
		if (silentMs < leastMs && by.host.troubledUntilMs < decidedAtMs)
			throw new Error(
				`${taker}, which ${by.follows ? 'follows' : 'joins'}, deposes ${holder}, which was silent for ${silentMs} ms`,
			);
		const quietSinceMs = Math.max(from.host.troubledUntilMs, this.#database.host.troubledUntilMs);
		if (from.leads && this.time.nowMs > quietSinceMs + QUIET_MS)
			throw new Error(`${taker} deposes ${holder}, which lives`);
	}

	#lookEverySecond(): void {
		this.time.after(LOOK_EVERY_MS, this.#supervisor, () => {
			this.#delaysEnd();
			this.#deadAreReplaced();
			this.#lookEverySecond();
		});
	}

	/** A process that died or hangs is replaced by one that follows it, unless something is wrong with that one. */
	#deadAreReplaced(): void {
		const { holder } = this.#watch;
		const { epoch } = this.#lease();
		const leader = this.#processes.find(({ name }) => name === holder);
		if (leader?.host.isDead === false) this.#livedAtMs = this.time.nowMs;
		if (leader?.host.isDead === false && leader.host.busyUntilMs <= this.time.nowMs)
			this.#forwardAtMs = this.time.nowMs;
		const follower = this.#processes.find(
			(process) => process.follows && process.name !== holder && process.standby?.position?.epoch === epoch,
		);
		const quietSinceMs = Math.max(
			leader ? this.#forwardAtMs + HANGS_AFTER_MS : this.#livedAtMs,
			this.#database.host.troubledUntilMs,
			follower?.host.troubledUntilMs ?? 0,
			follower?.host.busyUntilMs ?? 0,
		);
		const wasSeen = this.#database.host.troubledUntilMs < this.#livedAtMs - LOOK_EVERY_MS;
		const withinMs = LOOK_EVERY_MS + (wasSeen ? REPLACED_WITHIN_MS : UNSEEN_REPLACED_WITHIN_MS);
		if (follower && this.time.nowMs > quietSinceMs + withinMs)
			throw new Error(`${follower.name}, which follows, does not replace ${holder}`);
	}

	/** A process that has led for a while without trouble admits delayed bets when they are due. */
	#delaysEnd(): void {
		const leader = this.#processes.find(({ leads }) => leads);
		const { epoch, at } = this.#lease();
		if (!leader || this.#led.epoch !== epoch) this.#led = { epoch, sinceMs: this.time.nowMs };
		const quietSinceMs = Math.max(
			this.#led.sinceMs,
			this.#database.host.troubledUntilMs,
			leader?.host.troubledUntilMs ?? 0,
			leader?.host.busyUntilMs ?? 0,
		);
		if (!leader || this.time.nowMs < quietSinceMs + ADMITTED_WITHIN_MS) return;
		for (const [betId, dueAtMs] of this.#watch.delayed)
			if (dueAtMs + ADMITTED_WITHIN_MS < (at as number))
				throw new Error(`bet ${betId} is still delayed, and was due at ${dueAtMs}`);
	}

	#prepare(): void {
		this.#database.months = [monthOf(BEGINNING_MS)];
		const zero = {
			epoch: 0,
			batch: 0,
			chain: Buffer.alloc(32),
			digest: createEngine().hash(),
			digest_format: DIGEST_FORMAT,
		};
		const counters = { last_bet_id: 0, last_reservation: 0, last_command: 0 };
		this.#database.fill('lease', { id: 1, ...zero, ...counters, sealed_from: 0, sealed_code: 14 });
	}

	/** Reads the tables at once, outside of simulated time. */
	#reader(): Pick<pg.Pool, 'query'> {
		const query = async (config: pg.QueryConfig | string, values?: unknown[]) => {
			const { text, values: given = values ?? [] } = typeof config === 'string' ? { text: config } : config;
			const parsed = parsedOf(text);
			const rows = this.#database.read(parsed, received(parsed, given));
			return { rows, rowCount: rows.length };
		};
		return { query } as unknown as pg.Pool;
	}

	/** What has to be true when nothing went wrong for a while. */
	async #check(): Promise<void> {
		const must = (holds: boolean, what: string) => {
			if (!holds) throw new Error(`at the end ${what}`);
		};
		must(this.#players.pending === 0, `${this.#players.pending} requests are not decided`);
		const leaders = this.#processes.filter((process) => process.leads);
		must(leaders.length === 1, `${leaders.length} processes lead`);
		const lease = this.#lease() as unknown as LeaseRow;
		for (const process of this.#processes) {
			if (process === leaders[0]) continue;
			const { epoch, batch } = process.standby?.position ?? { epoch: 0, batch: 0 };
			must(
				epoch === lease.epoch && lease.batch - batch < 100,
				`${process.name} stands at batch ${batch} of epoch ${epoch}`,
			);
		}
		await restore(this.#reader() as pg.Pool, lease, {});
		const byPlayers = [...this.#database.table('bet').rows()].filter(
			(row) => (row['wallet_id'] as number) >= FIRST_PLAYER_ID,
		);
		const asked = this.#history.betsAskedFor();
		must(new Set(asked).size === asked.length, 'two requests have one bet');
		must(byPlayers.length === asked.length, `there are ${byPlayers.length} bets, and ${asked.length} were asked for`);
	}

	result(): Result {
		const { seed } = this.#options;
		const { failure, eventCount, nowMs } = this.time;
		return {
			seed,
			failure: failure && `${failure.message}\n${failure.stack ?? ''}`,
			lastEvents: this.#events.slice(-(this.#options.eventsKept ?? EVENTS_KEPT)),
			fingerprint: (this.#fingerprint >>> 0).toString(16),
			figures: {
				seconds: Math.round(nowMs / 1_000),
				events: eventCount,
				batches: this.#watch.batches,
				answers: this.#history.answers,
				bets: this.#database.table('bet').size,
				takeovers: this.#watch.epochCount,
			},
		};
	}
}
