/**
 * Lets the rules look at the last weeks, again and again. A look is made of short steps, each a read of some players or
 * markets, with pauses between them, so that it takes a part of one connection's time at most. After a restart it
 * begins from the start; what it found before is known.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Candidate, Reads } from '#server/operators/cases/candidate.ts';
import type { Cases } from '#server/operators/cases/cases.ts';
import { MuleCircles } from '#server/operators/cases/circle-rule.ts';
import { ChargebackWinners } from '#server/operators/cases/dispute-rule.ts';
import { SeenMatches } from '#server/operators/cases/match-rules.ts';
import { moneyCandidates } from '#server/operators/cases/money-rules.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { CASE_WINDOW_DAYS } from '#values/cases.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** After the end of a look; sooner after one that a fault ended. */
const EVERY_MS = HOUR_MS;
const AFTER_FAULT_MS = 5 * 60_000;
/** After the start: a process that has just taken over has other work. */
const FIRST_AFTER_MS = 60_000;
const PLAYERS_AT_ONCE = 500;
const MARKETS_AT_ONCE = 20;
/** A read that is refused because others wait is tried again. */
const MOST_TRIES = 10;
const BUSY_MS = 5_000;
/** How many times as long as the step before it a pause is. */
const REST = 3;

interface CaseSweepOptions {
	reads: Reads;
	cases: Pick<Cases, 'take'>;
	log: Pick<Logger, 'error'>;
	/** Milliseconds since 1970. */
	clock: () => number;
	/** The oldest account of the player's person. */
	personOf: (playerId: PlayerId) => PlayerId;
	/** How long each pause is, by the step before it. */
	restMs?: (stepMs: number) => number;
}

/** What a look did. */
export interface Looked {
	opened: number;
	extended: number;
	reopened: number;
	steps: number;
	longestStepMs: number;
}

export class CaseSweep {
	readonly #options: CaseSweepOptions;
	readonly #restMs: (stepMs: number) => number;
	readonly #stopping = new AbortController();
	#timer: ReturnType<typeof setTimeout> | null = null;
	#running: Promise<unknown> = Promise.resolve();
	#lastAtMs: number | null = null;

	constructor(options: CaseSweepOptions) {
		this.#options = options;
		this.#restMs = options.restMs ?? ((stepMs) => REST * stepMs);
	}

	/** When the last look that came to its end began; null before the first one. */
	get lastAtMs(): number | null {
		return this.#lastAtMs;
	}

	start(): void {
		this.#again(FIRST_AFTER_MS);
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		if (this.#timer) clearTimeout(this.#timer);
		await this.#running;
	}

	#again(afterMs: number): void {
		if (this.#stopping.signal.aborted) return;
		this.#timer = setTimeout(() => {
			this.#running = this.#lookSurely().then((isWhole) => this.#again(isWhole ? EVERY_MS : AFTER_FAULT_MS));
		}, afterMs).unref();
	}

	/** A fault is no end: the next look tries again. */
	async #lookSurely(): Promise<boolean> {
		try {
			await this.look();
			return true;
		} catch (error) {
			const isElsewhere = isDatabaseFault(error) || (error instanceof Refused && error.code === 'DRAINING');
			if (!isElsewhere && !this.#stopping.signal.aborted)
				this.#options.log.error({ err: error }, 'the rules of cases could not look');
			return false;
		}
	}

	/** Looks once at everything. @throws Refused OVERLOADED if a read is refused each time */
	async look(): Promise<Looked> {
		const { clock, personOf } = this.#options;
		const startedAtMs = clock();
		const sinceMs = startedAtMs - CASE_WINDOW_DAYS * DAY_MS;
		const looked: Looked = { opened: 0, extended: 0, reopened: 0, steps: 0, longestStepMs: 0 };
		const circles = new MuleCircles(personOf);
		for (let after = 0; ; ) {
			const players = await this.#step(looked, (reads) => playersAfter(reads, after));
			if (players.length === 0) break;
			after = players.at(-1) ?? after;
			await this.#take(looked, await this.#step(looked, (reads) => moneyCandidates(reads, players, sinceMs)));
			await this.#step(looked, (reads) => circles.look(reads, players, sinceMs));
		}
		await this.#take(looked, circles.candidates());
		await this.#take(looked, await this.#seenMatches(looked, sinceMs));
		const winners = new ChargebackWinners();
		while (await this.#step(looked, (reads) => winners.look(reads, sinceMs)));
		await this.#take(looked, winners.candidates());
		this.#lastAtMs = startedAtMs;
		return looked;
	}

	async #seenMatches(looked: Looked, sinceMs: number): Promise<Candidate[]> {
		const seen = new SeenMatches();
		const markets = await this.#step(looked, (reads) => settledSince(reads, sinceMs));
		for (let at = 0; at < markets.length; at += MARKETS_AT_ONCE)
			await this.#step(looked, (reads) => seen.look(reads, markets.slice(at, at + MARKETS_AT_ONCE)));
		return seen.candidates();
	}

	/** One read, and a pause after it. @throws the reason of the stop */
	async #step<T>(looked: Looked, work: (reads: Reads) => Promise<T>): Promise<T> {
		const { signal } = this.#stopping;
		signal.throwIfAborted();
		const fromMs = performance.now();
		const result = await this.#tried(work);
		const tookMs = performance.now() - fromMs;
		looked.steps += 1;
		looked.longestStepMs = Math.max(looked.longestStepMs, tookMs);
		await delay(this.#restMs(tookMs), undefined, { signal });
		return result;
	}

	async #tried<T>(work: (reads: Reads) => Promise<T>, tries = 1): Promise<T> {
		try {
			return await work(this.#options.reads);
		} catch (error) {
			const isBusy = error instanceof Refused && error.code === 'OVERLOADED';
			if (!isBusy || tries === MOST_TRIES) throw error;
		}
		await delay(this.#restMs(BUSY_MS), undefined, { signal: this.#stopping.signal });
		return await this.#tried(work, tries + 1);
	}

	async #take(looked: Looked, candidates: readonly Candidate[]): Promise<void> {
		for (const candidate of candidates) {
			this.#stopping.signal.throwIfAborted();
			const as = await this.#options.cases.take(candidate);
			if (as === 'OPENED') looked.opened += 1;
			if (as === 'EXTENDED') looked.extended += 1;
			if (as === 'REOPENED') looked.reopened += 1;
		}
	}
}

/** Demo players are in no rule. */
async function playersAfter(reads: Reads, playerId: PlayerId): Promise<PlayerId[]> {
	const { rows } = await reads.query<{ playerId: PlayerId }>(
		`select player_id as "playerId" from player where player_id > $1 and pool not like 'DEMO%'
		 order by player_id limit ${PLAYERS_AT_ONCE}`,
		[playerId],
	);
	return rows.map((row) => row.playerId);
}

async function settledSince(reads: Reads, sinceMs: number): Promise<MarketId[]> {
	const { rows } = await reads.query<{ marketId: MarketId }>(
		'select distinct market_id as "marketId" from player_settlement where at >= $1 order by 1',
		[sinceMs],
	);
	return rows.map((row) => row.marketId);
}
