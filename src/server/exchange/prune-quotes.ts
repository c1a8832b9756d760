/**
 * Takes the house's quotes that were never matched out of the tables once their market is paid or void. They are most of
 * all bets and say nothing: no match names them, no posting counts them into a result, recovery reads open bets and a
 * reopened market its matched ones. A matched bet stays for ever, and so does every posting. What is deleted can never
 * change again, so it needs no fence.
 */
import type pg from 'pg';

/** Rows deleted in one statement, so that none holds the table for long. */
const AT_ONCE = 20_000;

export class QuotePruning {
	readonly #pool: pg.Pool;
	readonly #houseWallets: readonly number[];
	/** Of the house, the oldest bet in a market that is not over; older ones were looked at. */
	#from = 0;

	constructor(pool: pg.Pool, houseWallets: readonly number[]) {
		this.#pool = pool;
		this.#houseWallets = houseWallets;
	}

	/** @returns how many rows went */
	async run(): Promise<number> {
		const { rows } = await this.#pool.query<{ oldest: number }>(
			`select coalesce(
			   (select min(bet_id) from bet join market_state using (market_id)
			    where wallet_id = any($1) and bet_id >= $2 and status not in ('SETTLED', 'VOIDED')),
			   (select last_bet_id + 1 from lease)) as oldest`,
			[this.#houseWallets, this.#from],
		);
		let [pruned, deleted] = [0, AT_ONCE];
		while (deleted === AT_ONCE) {
			const { rowCount } = await this.#pool.query(
				`delete from bet using (
				   select bet_id from bet join market_state using (market_id)
				   where wallet_id = any($1) and bet_id >= $2 and ended_at is not null and matched = 0 and voided = 0
				     and status in ('SETTLED', 'VOIDED') limit ${AT_ONCE}
				 ) as dead where bet.bet_id = dead.bet_id`,
				[this.#houseWallets, this.#from],
			);
			deleted = rowCount ?? 0;
			pruned += deleted;
		}
		this.#from = rows[0]?.oldest ?? this.#from;
		return pruned;
	}
}
