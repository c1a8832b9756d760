/**
 * The accounts of one person on all brands: those with the same verified mobile, and those that an operator knew by the
 * same document. Persons with several accounts are in memory, so a bet can ask without waiting.
 */
import type pg from 'pg';
import type { PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

interface Account {
	playerId: PlayerId;
	pool: Pool;
}

/** SQL: every account that mobiles and documents connect with the account `$1`. */
const CONNECTED = `
	with recursive person as (
	  select player_id from player where player_id = $1
	  union
	  select other.player_id from person join player as own using (player_id)
	    left join player_identity as known using (player_id)
	    cross join lateral (
	      select player_id from player where mobile = own.mobile
	      union select player_id from player_identity where fingerprint = known.fingerprint
	    ) as other
	) select player_id as "playerId", pool from person join player using (player_id) order by player_id`;

/** SQL: mobiles and documents of several accounts. */
const SHARED = `
	select pool, player_id as "playerId", 'mobile ' || mobile as name from player
	where mobile in (select mobile from player where mobile is not null group by mobile having count(*) > 1)
	union all
	select pool, player_id, 'document ' || fingerprint from player_identity join player using (player_id)
	where fingerprint in (select fingerprint from player_identity group by fingerprint having count(*) > 1)`;

export class Persons {
	readonly #db: pg.Pool;
	/** By each account of a person with several: all of them, the oldest first. */
	readonly #accounts = new Map<PlayerId, readonly Account[]>();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	async load(): Promise<void> {
		const { rows } = await this.#db.query<Account & { name: string }>(SHARED);
		for (const named of Map.groupBy(rows, ({ name }) => name).values()) {
			const known = named.flatMap((account) => this.#accounts.get(account.playerId) ?? [account]);
			this.#keep([...new Map(known.map(({ playerId, pool }) => [playerId, { playerId, pool }])).values()]);
		}
	}

	/** Reads the person of an account that is new, or that was found to share a document. */
	async meet(playerId: PlayerId): Promise<void> {
		const { rows } = await this.#db.query<Account>(CONNECTED, [playerId]);
		if (rows.length > 1) this.#keep(rows);
	}

	/** The person's accounts, the oldest first. */
	accounts(playerId: PlayerId): PlayerId[] {
		return this.#accounts.get(playerId)?.map((account) => account.playerId) ?? [playerId];
	}

	/** The person's accounts in the pool of this one: amounts of different pools do not add up. */
	accountsInPool(playerId: PlayerId): PlayerId[] {
		const accounts = this.#accounts.get(playerId);
		if (!accounts) return [playerId];
		const pool = accounts.find((account) => account.playerId === playerId)?.pool;
		return accounts.filter((account) => account.pool === pool).map((account) => account.playerId);
	}

	#keep(accounts: readonly Account[]): void {
		const sorted = accounts.toSorted((one, other) => one.playerId - other.playerId);
		for (const { playerId } of sorted) this.#accounts.set(playerId, sorted);
	}
}
