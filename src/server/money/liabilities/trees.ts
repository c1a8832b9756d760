/**
 * Makes the sum trees of each day soon after it is closed, in a process of its own, and reads players' proofs from them.
 * A process that is killed leaves nothing of a tree, and the next look makes it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { isAnyDue, lastClosedDay, type MadeTree, type TreesOf } from '#server/money/liabilities/make-trees.ts';
import { proofOf, type StoredProof } from '#server/money/liabilities/tree-rows.ts';
import { BackOff } from '#server/platform/pacing/back-off.ts';
import { earlierTime } from '#server/platform/postgres/earlier-time.ts';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

const PROCESS = join(import.meta.dirname, 'tree-process.ts');
const LOOK_EVERY_MS = 60_000;
/** Between attempts: a trial balance that does not come to zero needs an operator. */
const RETRY = { firstMs: LOOK_EVERY_MS, longestMs: 3_600_000 };

/** What the process is asked. */
export interface TreeRequest extends TreesOf {
	databaseUrl: string;
}

type TreeMessage = { made: MadeTree } | { failure: string };

interface SumTreesOptions {
	db: pg.Pool;
	databaseUrl: string;
	pools: readonly Pool[];
	/** Whose days the books have. */
	zone: string;
	log: Logger;
	/** Milliseconds since 1970; `earlierTime` by default. */
	clock?: () => Promise<number>;
	lookEveryMs?: number;
}

export class SumTrees {
	readonly #options: SumTreesOptions;
	#timer: NodeJS.Timeout | null = null;
	#child: ChildProcess | null = null;
	#looking: Promise<unknown> = Promise.resolve();
	/** The last closed day when all pools had their trees. */
	#madeUntil = Number.NEGATIVE_INFINITY;
	readonly #backOff = new BackOff(RETRY);

	constructor(options: SumTreesOptions) {
		this.#options = options;
	}

	/** Of the process that makes trees now; null for none. */
	get pid(): number | null {
		return this.#child?.pid ?? null;
	}

	start(): void {
		this.#waitFor(this.#lookEveryMs);
	}

	async stop(): Promise<void> {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		this.#child?.kill('SIGKILL');
		await this.#looking;
	}

	/** A player's leaves in the newest tree; null where it has none, and before the first. */
	proof(pool: Pool, playerId: PlayerId): Promise<StoredProof | null> {
		return proofOf(this.#options.db, pool, playerId);
	}

	get #lookEveryMs(): number {
		return this.#options.lookEveryMs ?? LOOK_EVERY_MS;
	}

	#waitFor(ms: number): void {
		this.#timer = setTimeout(() => {
			this.#looking = this.#look();
		}, ms).unref();
	}

	async #look(): Promise<void> {
		const { db, log, clock = () => earlierTime(db) } = this.#options;
		let waitMs = this.#lookEveryMs;
		try {
			await this.makeDue(await clock());
			this.#backOff.succeeded();
		} catch (error) {
			waitMs = this.#backOff.failed();
			// A stop kills the process.
			if (this.#timer) log.error({ err: error }, 'the sum trees of the last day are not made');
		}
		if (this.#timer) this.#waitFor(waitMs);
	}

	/** Makes what is due, in a process. @throws Error with what the process found wrong, or that it was killed */
	async makeDue(nowMs: number): Promise<MadeTree[]> {
		const { db, databaseUrl, pools, zone, log } = this.#options;
		const closed = await lastClosedDay(db, { nowMs, zone });
		if (closed <= this.#madeUntil) return [];
		const made = (await isAnyDue(db, { pools, zone }, closed))
			? await this.#inProcess({ databaseUrl, pools, zone, nowMs })
			: [];
		for (const tree of made) log.info(tree, 'a sum tree is made');
		this.#madeUntil = closed;
		return made;
	}

	async #inProcess(request: TreeRequest): Promise<MadeTree[]> {
		const child = fork(PROCESS, {
			// It gets no setting of the server, so it knows no key.
			env: { PATH: process.env['PATH'] ?? '' },
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		this.#child = child;
		const made: MadeTree[] = [];
		let failure: string | null = null;
		child.on('message', (message: TreeMessage) => {
			if ('failure' in message) failure = message.failure;
			else made.push(message.made);
		});
		child.send(request, () => undefined);
		const [code] = (await once(child, 'exit')) as [number | null];
		this.#child = null;
		if (failure !== null) throw new Error(failure);
		if (code !== 0) throw new Error('The process that makes sum trees was killed.');
		return made;
	}
}
