/** The record of login attempts, which the player can read. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { LoginAttempt } from '#server/people/players/players.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

/** How long an attempt is kept. */
const KEPT_MS = 90 * DAY_MS;

interface AttemptFilter {
	succeeded: boolean | null;
	take: number;
	skip: number;
}

export class LoginAttempts {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	#sweptAtMs = Number.NEGATIVE_INFINITY;

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	/**
	 * Records an attempt. Unknown names are not recorded, because people type their passwords there.
	 * @param isNewDevice whether the device logs in as the player for the first time; null if it has no cookie
	 */
	async add(
		{ playerId, brand, isNewDevice = null }: { playerId: PlayerId | null; brand: string; isNewDevice?: boolean | null },
		address: string,
		succeeded: boolean,
	): Promise<void> {
		await this.#sweep();
		await this.#db.query(
			`insert into login_attempt (attempt_id, at, brand, player_id, address, succeeded, is_new_device)
			 values ($1, $2, $3, $4, $5, $6, $7)`,
			[randomUUID(), this.#clock(), brand, playerId, address, succeeded, isNewDevice],
		);
	}

	/** Newest first. */
	async of(playerId: PlayerId, { succeeded, take, skip }: AttemptFilter) {
		const matching = 'from login_attempt where player_id = $1 and ($2::boolean is null or succeeded = $2)';
		const [count, rows] = await Promise.all([
			this.#db.query<{ n: number }>(`select count(*) as n ${matching}`, [playerId, succeeded]),
			this.#db.query<{ at: number; address: string; succeeded: boolean }>(
				`select at, address, succeeded ${matching} order by at desc, attempt_id limit $3 offset $4`,
				[playerId, succeeded, take, skip],
			),
		]);
		const items = rows.rows.map(
			(row): LoginAttempt => ({
				at: new Date(row.at).toISOString(),
				result: row.succeeded ? 'SUCCESS' : 'FAILURE',
				userIp: row.address,
			}),
		);
		return { totalCount: count.rows[0]?.n ?? 0, items };
	}

	/** The player's last log-in; null before the first, and when it was too long ago. */
	async lastLogin(playerId: PlayerId): Promise<{ at: string; userIp: string } | null> {
		const { items } = await this.of(playerId, { succeeded: true, take: 1, skip: 0 });
		const [last] = items;
		return last ? { at: last.at, userIp: last.userIp } : null;
	}

	/** Deletes old attempts once a day. */
	async #sweep(): Promise<void> {
		const now = this.#clock();
		if (now - this.#sweptAtMs < DAY_MS) return;
		this.#sweptAtMs = now;
		await this.#db.query('delete from login_attempt where at < $1', [now - KEPT_MS]);
	}
}
