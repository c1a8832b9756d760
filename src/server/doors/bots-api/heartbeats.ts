/**
 * Cancels what a player has unmatched when its bots are not heard of in time. The deadlines are in the database, so it does
 * not matter how a bot was lost, nor which process leads the exchange when one passes. A deadline is claimed before its
 * cancellation and its command has a request key, so it cancels once, whatever dies in between. A heartbeat that comes too
 * late is told what was done.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { isPassing } from '#server/doors/bots-api/errors.ts';
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** What became of a player's bets since its last heartbeat, in the service's words. */
type Action =
	| 'NONE'
	| 'CANCELLATION_REQUEST_SUBMITTED'
	| 'ALL_BETS_CANCELLED'
	| 'SOME_BETS_NOT_CANCELLED'
	| 'CANCELLATION_REQUEST_ERROR'
	| 'CANCELLATION_STATUS_UNKNOWN';

/** How long a bot may be silent at least and at most, seconds. A shorter time would cancel a healthy bot's bets. */
export const [LEAST_TIMEOUT, MOST_TIMEOUT] = [10, 300];
const LOOK_EVERY_MS = 500;
/** Where the exchange was away, bots could not be heard of: they get this time again. */
const GRACE_MS = LEAST_TIMEOUT * 1000;
/** A process that looked last so long ago stood still meanwhile, or waited for its database: it heard of no bot either. */
const STOOD_STILL_MS = 2_000;

interface HeartbeatsOptions {
	exchange: Pick<Exchange, 'submit' | 'openBets' | 'isOpen' | 'now'>;
	db: pg.Pool;
	log: Logger;
	graceMs?: number;
	lookEveryMs?: number;
}

interface Silent {
	playerId: PlayerId;
	cancelling: number;
}

export class Heartbeats {
	readonly #exchange: HeartbeatsOptions['exchange'];
	readonly #db: pg.Pool;
	readonly #log: Logger;
	readonly #graceMs: number;
	readonly #lookEveryMs: number;
	/** Since when bots can be heard of; null while they cannot. */
	#hearsSinceMs: number | null = null;
	#lastLookMs = 0;
	#looking: Promise<void> | null = null;
	#timer: NodeJS.Timeout | null = null;

	constructor({ exchange, db, log, graceMs = GRACE_MS, lookEveryMs = LOOK_EVERY_MS }: HeartbeatsOptions) {
		this.#exchange = exchange;
		this.#db = db;
		this.#log = log;
		this.#graceMs = graceMs;
		this.#lookEveryMs = lookEveryMs;
	}

	/** Looks for deadlines that have passed until it is stopped. */
	start(): void {
		this.#timer = setInterval(() => {
			this.#looking ??= this.#look().finally(() => {
				this.#looking = null;
			});
		}, this.#lookEveryMs);
	}

	/** Resolves when no cancellation is under way here. Another process goes on with what is not finished. */
	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await this.#looking;
	}

	/**
	 * @param seconds until the player's unmatched bets are cancelled, unless another heartbeat comes; null: never
	 * @returns what was done since the heartbeat before
	 */
	async beat(playerId: PlayerId, seconds: number | null): Promise<Action> {
		const atMs = this.#exchange.now();
		const dueAtMs = seconds === null ? null : atMs + seconds * 1000;
		const { rows } = await this.#db.query<{ action: Action | null }>(
			// Read before it is written: the row that is inserted is made of the count.
			`with before as materialized (select action from bot_heartbeat where player_id = $1 for update)
			 insert into bot_heartbeat as known (player_id, at, due_at, action)
			 select $1, $2, $3, 'NONE' from (select count(*) from before) as read
			 on conflict (player_id) do update set at = excluded.at, due_at = excluded.due_at, action = 'NONE'
			 where known.at <= excluded.at returning (select action from before)`,
			[playerId, atMs, dueAtMs],
		);
		return rows[0]?.action ?? 'NONE';
	}

	async #look(): Promise<void> {
		const now = this.#exchange.now();
		if (now - this.#lastLookMs > STOOD_STILL_MS) this.#hearsSinceMs = null;
		this.#lastLookMs = now;
		this.#hearsSinceMs = this.#exchange.isOpen() ? (this.#hearsSinceMs ?? now) : null;
		if (this.#hearsSinceMs === null) return;
		try {
			if (now - this.#hearsSinceMs >= this.#graceMs) await this.#claim(now);
			const { rows } = await this.#db.query<Silent>({
				name: 'silent-bots',
				text: 'select player_id as "playerId", cancelling from bot_heartbeat where cancelling is not null',
			});
			await Promise.all(rows.map((silent) => this.#cancel(silent)));
		} catch (error) {
			this.#log.warn({ err: error }, 'heartbeats of bots could not be looked at; they are looked at again');
		}
	}

	/** From now on the bets of these are cancelled, whatever becomes of this process. */
	async #claim(now: number): Promise<void> {
		await this.#db.query({
			name: 'claim-silent-bots',
			text: `update bot_heartbeat set cancelling = due_at, due_at = null, action = 'CANCELLATION_REQUEST_SUBMITTED'
			 where due_at <= $1`,
			values: [now],
		});
	}

	async #cancel({ playerId, cancelling }: Silent): Promise<void> {
		const command = { kind: 'cancel-all', walletId: playerId } as const;
		const key: RequestKey = { walletId: playerId, clientRequestId: `heartbeat-${cancelling}`, body: 'heartbeat' };
		let action: Action;
		try {
			const { cancelled } = await this.#exchange.submit(command, key);
			this.#log.info({ playerId, cancelled }, 'a bot was lost, and its unmatched bets are cancelled');
			// What was placed meanwhile, by another program of the player, stands.
			const areLeft = this.#exchange.openBets(playerId).some(({ remaining }) => remaining > 0);
			action = areLeft ? 'SOME_BETS_NOT_CANCELLED' : 'ALL_BETS_CANCELLED';
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
			if (error.code === 'OUTCOME_UNKNOWN')
				await this.#note(playerId, cancelling, 'CANCELLATION_STATUS_UNKNOWN', false);
			// The exchange recovers, or another process leads it: the one that does finds the row.
			if (isPassing(error.code)) return;
			this.#log.error({ playerId, code: error.code }, 'a bot was lost, and its bets could not be cancelled');
			action = 'CANCELLATION_REQUEST_ERROR';
		}
		await this.#note(playerId, cancelling, action, true);
	}

	/** What a heartbeat was told meanwhile stays told. */
	async #note(playerId: PlayerId, cancelling: number, action: Action, isDone: boolean): Promise<void> {
		await this.#db.query(
			`update bot_heartbeat set cancelling = case when $4 then null else cancelling end,
			   action = case when action = 'NONE' then action else $3 end
			 where player_id = $1 and cancelling = $2`,
			[playerId, cancelling, action, isDone],
		);
	}
}
