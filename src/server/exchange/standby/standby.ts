/**
 * A standby from its start to its takeover:
 *
 *     joining ──► following ──► taking over ──► the new exchange
 *        ▲            │ a gap, or another epoch
 *        └────────────┘
 *
 * A standby takes over from a state that it follows when the exchange shows no life: neither a batch nor a sign of life (see
 * life-signs), which comes through whatever the exchange is busy with. One that joins has to read the tables as a restart does,
 * which takes long, so it is patient: it takes over when the exchange released the lease, has no connection to the database
 * left or gave signs of life and gives none for long, or when there was none yet.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { FRESH_MS } from '#server/exchange/ledger/committer.ts';
import type { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import {
	continueFrom,
	type Recovered,
	restore,
	type TakenLease,
	takeOutcome,
	takeSeenLease,
} from '#server/exchange/recovery/recovery.ts';
import {
	askToJoin,
	batchesAfter,
	holdersConnections,
	invitation,
	isRunning,
	join,
	type LeaseState,
	leave,
	readLease,
	report,
	reportDifference,
} from '#server/exchange/standby/command-stream.ts';
import { Difference, Follower, type Position } from '#server/exchange/standby/follower.ts';
import { nameDifference } from '#server/exchange/standby/name-difference.ts';
import { Silence } from '#server/exchange/standby/silence.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import { Stages } from '#server/platform/pacing/stages.ts';
import { isDatabaseFault, retryFaults } from '#server/platform/postgres/database-fault.ts';
import { type Queries, within } from '#server/platform/postgres/limited-queries.ts';

/** Between two looks for new batches. */
const LOOK_EVERY_MS = 10;
/** Between two reports of how far the standby has come. */
const REPORT_EVERY_MS = 250;
/** Between two looks at the whole engine. */
const CHECK_EVERY_MS = 60_000;
/** A takeover that comes meanwhile waits for a look, which takes longer with each bet, so looks take at most this share of the time. */
const CHECK_SHARE = 1 / 2_000;
/** Between two looks for signs of life, while no batch comes. */
const LOOK_FOR_LIFE_MS = 20;
/** An exchange whose signs of life cannot be seen may be in a long turn; it is taken for dead after ten times the silence. */
const UNSEEN_FACTOR = 10;
/** The epoch of a new database: there is no exchange to wait for. */
const NEVER_HELD = 0;
/** A look that is not answered by then is a fault of the database, and the next one takes another connection. */
const LOOK_WITHIN_MS = 2_000;
/** An invitation that does not come is asked for again. */
const ASK_AGAIN_MS = 2_000;

interface StandbyOptions {
	db: pg.Pool;
	log: Logger;
	sealer: LedgerSealer;
	/** The exchange is taken for dead when it showed no life for this long. */
	silenceMs: number;
	/** The same when it has no connection to the database left. */
	goneMs: number;
	/** The standby has joined, and shows so much. */
	onFollowing?: (views: DurableViews) => void;
	/** Says which key and which contract it has; the exchange hands over only to its own. */
	mark?: string;
	/** Where it answers other processes once it has taken over. */
	address?: string | null;
	/** Names the standby to operators; unique. */
	name?: string;
}

/** What a standby takes the lease after. */
interface Take {
	seen: Position;
	/** Null when the tables have to be read. */
	follower: Follower | null;
	silentMs: number;
	/** See the committer. */
	writesFromMs: number;
	stages: Stages;
}

export class Standby {
	readonly name: string;
	readonly #options: StandbyOptions;
	/** For short statements. */
	readonly #looks: Queries;
	readonly #silence: Silence;
	#follower: Follower | null = null;
	#reportedAtMs = Number.NEGATIVE_INFINITY;
	#isReporting = false;
	/** By the monotonic clock. */
	#checkAtMs = Number.POSITIVE_INFINITY;
	/** When a batch was seen last, by the monotonic clock. */
	#batchAtMs = Number.NEGATIVE_INFINITY;
	/** The exchange whose connections are looked at. */
	#watchedEpoch = NEVER_HELD;
	#lookedForLifeAtMs = Number.NEGATIVE_INFINITY;
	/** What served the exchange's connections to the database when any was seen last. */
	#backends: readonly string[] = [];
	/** Its last sign of life; null as long as it gave none. */
	#sign: string | null = null;
	/** It had connections, and all of them have ended. */
	#isGone = false;
	#stopped = false;
	#warnedOfSilence = false;
	/** The standby may have taken the lease, or may take it yet: the database did not answer. */
	#unsure: Take | null = null;

	constructor(options: StandbyOptions) {
		this.#options = options;
		this.#looks = within(options.db, LOOK_WITHIN_MS);
		this.#silence = new Silence(options.silenceMs);
		this.name = options.name ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
	}

	/** The batch that the standby has applied; null until it has joined. */
	get position(): Position | null {
		return this.#follower?.position ?? null;
	}

	/**
	 * Follows until the exchange falls silent, and takes the lease.
	 * @returns what the new exchange starts from; null when the standby was stopped
	 * @throws Difference when the standby and the exchange disagree
	 */
	async run(): Promise<Recovered | null> {
		while (!this.#stopped) {
			try {
				const recovered = (await this.#tookAfterAll()) ?? (await this.#step());
				if (recovered) return recovered;
			} catch (error) {
				if (error instanceof Difference) throw await this.#reported(error);
				if (!isDatabaseFault(error)) throw error;
				this.#silence.restart();
				// A database that was restarted has ended everybody's connections.
				this.#forgetLife();
				await delay(ASK_AGAIN_MS / 10);
			}
		}
		await leave(this.#looks, this.name).catch(() => undefined);
		return null;
	}

	async #step(): Promise<Recovered | null> {
		return this.#follower ? await this.#follow(this.#follower) : await this.#join();
	}

	/** Ends `run` at its next look. */
	stop(): void {
		this.#stopped = true;
	}

	/** Asks the exchange for a snapshot and reads it. */
	async #join(): Promise<Recovered | null> {
		const { db, log } = this.#options;
		let seen = await readLease(this.#looks);
		this.#watch(seen);
		await this.#lookForLife();
		await askToJoin(this.#looks, this.name, this.#options.mark ?? '');
		for (const untilMs = performance.now() + ASK_AGAIN_MS; performance.now() < untilMs && !this.#stopped; ) {
			const invited = await invitation(this.#looks, this.name);
			if (invited) {
				const joined = await join(db, invited);
				if (!joined) return null;
				const { restored, position } = joined;
				await report(this.#looks, this.name, position);
				this.#follower = new Follower(restored, position);
				// What was read from the tables has been checked.
				this.#checkAtMs = performance.now() + CHECK_EVERY_MS;
				this.#sawBatch();
				this.#watch(position);
				this.#warnedOfSilence = false;
				log.info({ ...position }, 'the standby follows');
				this.#options.onFollowing?.(restored.views);
				return null;
			}
			const lease = await readLease(this.#looks);
			if (lease.batch !== seen.batch || lease.epoch !== seen.epoch) this.#sawBatch();
			this.#watch(lease);
			await this.#lookForLifeInSilence();
			seen = lease;
			if (this.#isGoneWhileJoining(lease)) return await this.#takeOver(lease, null, this.#mayTake(lease));
			await delay(LOOK_EVERY_MS);
		}
		return null;
	}

	/**
	 * Whether the exchange that the standby would join has ended. One of an earlier version, whose connections live, is not dead,
	 * however long it is silent: it gives no signs of life. Of all others a long silence is enough.
	 */
	#isGoneWhileJoining(lease: LeaseState): boolean {
		const { silenceMs, goneMs } = this.#options;
		if (this.#mayTake(lease) || lease.epoch === NEVER_HELD) return true;
		if (this.#silence.ms >= silenceMs) this.#warnOfSilence(lease);
		if (!lease.beats || this.#silence.ms < goneMs) return false;
		if (this.#isGone) return true;
		const isKnown = this.#sign !== null || this.#backends.length === 0;
		return isKnown && this.#silence.ms >= UNSEEN_FACTOR * silenceMs;
	}

	#warnOfSilence({ beats }: LeaseState): void {
		if (this.#warnedOfSilence) return;
		this.#warnedOfSilence = true;
		this.#options.log.warn(
			beats
				? 'the exchange is silent, and the standby has not joined: it takes over only when the exchange has ended'
				: 'the exchange writes no command rows; start it with COMMAND_ROWS=on',
		);
	}

	/**
	 * Only an exchange that writes heartbeats is dead when it is silent; another one may be idle.
	 */
	#isDead(lease: LeaseState): boolean {
		const { silenceMs, goneMs } = this.#options;
		if (this.#mayTake(lease)) return true;
		if (lease.beats && this.#silence.ms >= goneMs && this.#isGone) return true;
		const enoughMs = this.#sign === null ? UNSEEN_FACTOR * silenceMs : silenceMs;
		if (this.#silence.ms < enoughMs) return false;
		if (!lease.beats) this.#warnOfSilence(lease);
		return lease.beats;
	}

	/** What was seen of another exchange says nothing about this one. */
	#watch({ epoch }: Position): void {
		if (epoch === this.#watchedEpoch) return;
		this.#watchedEpoch = epoch;
		this.#forgetLife();
	}

	#forgetLife(): void {
		this.#backends = [];
		this.#sign = null;
		this.#isGone = false;
	}

	#sawBatch(): void {
		this.#batchAtMs = performance.now();
		this.#silence.restart();
	}

	/** Called after a look that found no batch. */
	async #lookForLifeInSilence(): Promise<void> {
		if (performance.now() - this.#lookedForLifeAtMs >= LOOK_FOR_LIFE_MS) await this.#lookForLife();
		this.#silence.sawNothing(performance.now());
	}

	/**
	 * Looks for a sign of life of the exchange, and whether it is gone: it had connections, and all of them have ended. A process
	 * that is killed loses them at once; one that is stopped keeps them. A pooler keeps its own when a process behind it dies,
	 * and may lend them to others meanwhile.
	 */
	async #lookForLife(): Promise<void> {
		const { backends, sign } = await holdersConnections(this.#looks);
		this.#lookedForLifeAtMs = performance.now();
		if (sign !== null && sign !== this.#sign) this.#silence.restart();
		this.#sign = sign ?? this.#sign;
		const hadConnections = this.#backends.length > 0;
		if (backends.length > 0) this.#backends = backends;
		this.#isGone = backends.length === 0 && hadConnections && !(await isRunning(this.#looks, this.#backends));
	}

	/** Applies what is new, or takes over after the silence. */
	async #follow(follower: Follower): Promise<Recovered | null> {
		const { log } = this.#options;
		const batches = await batchesAfter(this.#looks, follower.position.batch);
		for (const batch of batches) {
			if (!follower.continues(batch)) {
				log.warn(
					{ batch: batch.batch, epoch: batch.epoch },
					'the standby joins again: a batch does not continue its own',
				);
				this.#follower = null;
				return null;
			}
			follower.apply(batch);
		}
		if (batches.length > 0) this.#sawBatch();
		else await this.#lookForLifeInSilence();
		if (performance.now() - this.#reportedAtMs >= REPORT_EVERY_MS) {
			this.#reportedAtMs = performance.now();
			void this.#report(follower.position);
			await this.#lookForLife();
		}
		if (batches.length > 0 && performance.now() >= this.#checkAtMs) this.#check(follower);
		// A lease is released after the last batch, so a look that finds a batch is too early.
		const lease = batches.length === 0 ? await readLease(this.#looks) : null;
		if (lease && this.#isDead(lease)) return await this.#takeOver(follower.position, follower, this.#mayTake(lease));
		await delay(LOOK_EVERY_MS);
		return null;
	}

	#check(follower: Follower): void {
		const fromMs = performance.now();
		follower.check();
		const nowMs = performance.now();
		this.#checkAtMs = nowMs + Math.max(CHECK_EVERY_MS, (nowMs - fromMs) / CHECK_SHARE);
	}

	/** Reports how far the standby has come. Commits that stall must not keep it from looking. */
	async #report(position: Position): Promise<void> {
		if (this.#isReporting) return;
		this.#isReporting = true;
		await report(this.#looks, this.name, position).catch(() => undefined);
		this.#isReporting = false;
	}

	/** The exchange gave the lease up, for this standby or for any. */
	#mayTake({ released, heir }: LeaseState): boolean {
		return released && (heir === null || heir === this.name);
	}

	/** @param follower null when the tables have to be read */
	async #takeOver(seen: Position, follower: Follower | null, isReleased: boolean): Promise<Recovered | null> {
		const { db, address = null } = this.#options;
		const silentMs = Math.round(this.#silence.ms);
		// One that gave the lease up shows nothing any more.
		const writesFromMs = isReleased ? 0 : this.#batchAtMs + FRESH_MS;
		this.#silence.restart();
		const take = { seen, follower, silentMs, writesFromMs, stages: new Stages() };
		this.#unsure = take;
		const lease = await takeSeenLease(db, seen, { isReleased, address });
		this.#unsure = null;
		if (lease) return await this.#began(take, lease);
		// The exchange wrote in this moment, or another standby was faster. Its next batch says which.
		const { epoch } = await readLease(this.#looks);
		if (epoch !== seen.epoch) this.#follower = null;
		return null;
	}

	/** A take whose answer was lost may have been made, even after that; until the exchange writes or another process takes it. */
	async #tookAfterAll(): Promise<Recovered | null> {
		const take = this.#unsure;
		const lease = take && (await takeOutcome(this.#looks, take.seen));
		if (lease === 'open') return null;
		this.#unsure = null;
		return take && lease && (await this.#began(take, lease));
	}

	/** The lease is this process's now, so a database that is away is waited for. */
	async #began({ seen, follower, silentMs, writesFromMs, stages }: Take, lease: TakenLease): Promise<Recovered> {
		const { db, log, sealer } = this.#options;
		log.warn(
			{ epoch: lease.epoch, batch: seen.batch, joined: follower !== null, silentMs, gone: this.#isGone },
			'the exchange is silent; the standby takes over',
		);
		stages.ended('lease');
		void leave(this.#looks, this.name).catch(() => undefined);
		const restored =
			follower?.takeOver(lease) ?? (await retryFaults(() => restore(db, { ...lease, batch: seen.batch })));
		stages.ended('engine');
		const recovered = await retryFaults(() => continueFrom(restored, lease, db, sealer));
		stages.ended('workflows');
		log.info({ stagesMs: stages.tookMs }, 'the standby has the exchange');
		return { ...recovered, writesFromMs };
	}

	/** Leaves the alarm in the log and where operators see it. */
	async #reported(difference: Difference): Promise<Difference> {
		const { db, log } = this.#options;
		const { evidence, message } = difference;
		const named = evidence && (await nameDifference(db, evidence).catch(() => null));
		const found = new Difference(named ? `${named} ${message}` : message);
		log.fatal({ err: found }, 'the standby differs from the exchange and stops');
		await reportDifference(this.#looks, this.name, found.message).catch(() => undefined);
		return found;
	}
}
