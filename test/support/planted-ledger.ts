/** Rows of a ledger that no exchange wrote, for what reads the ledger: players, their money and their matches. */
import type pg from 'pg';
import { limitIn } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { FIRST_PLAYER_ID, poolOf } from '#values/pools.ts';

const HOST = 'localhost';

interface Match {
	backer: number;
	layer: number;
	/** Rupees. */
	stake: number;
	/** Decimal. */
	price: number;
	/** Whether the backed runner won; null for a market without a result. */
	isWon: boolean | null;
	atMs: number;
	runner?: number;
}

/** Collects rows; `write` puts them into the database. Ids count up from the first one given. */
export class PlantedLedger {
	#rows: Record<string, object[]> = {};
	readonly #players = new Set<number>();
	readonly #details = new Set<string>();
	#next: number;

	readonly #currency: Currency;
	readonly #pool: string;

	/** @param currency of all its money: what is named in rupees is as much in it */
	constructor(first = 1, currency: Currency = HOME_CURRENCY) {
		this.#next = first;
		this.#currency = currency;
		this.#pool = poolOf('PLAY', currency);
	}

	#minor(rupees: number): number {
		return limitIn(this.#currency, rupees * MINOR_PER_MAJOR);
	}

	#id(): number {
		return this.#next++;
	}

	#add(table: string, row: object): void {
		(this.#rows[table] ??= []).push(row);
	}

	/** Once, however often it is named. */
	player(playerId: number, brand = HOST): number {
		if (this.#players.has(playerId)) return playerId;
		this.#players.add(playerId);
		const userName = `planted${playerId}`;
		this.#add('player', {
			player_id: playerId,
			brand,
			user_name: userName,
			name_key: userName,
			is_demo: false,
			pool: this.#pool,
			created_at: 0,
		});
		return playerId;
	}

	/** @returns the id of the payment */
	deposit(playerId: number, rupees: number, atMs: number): number {
		this.player(playerId);
		const id = this.#money({ kind: 'PAYMENT', state: 'SUCCESS', playerId, rupees, atMs, data: {} });
		this.#posting({ kind: 'PAYMENT', id, playerId, rupees, atMs, debit: 'gateway', credit: 'cash' });
		return id;
	}

	/** @param account the payout account; players who share it have the same one */
	withdrawal(playerId: number, rupees: number, atMs: number, account = `own ${playerId}`, state = 'PAID'): number {
		this.player(playerId);
		const detailsId = `${account} of ${playerId}`;
		if (!this.#details.has(detailsId))
			this.#add('payout_details', {
				details_id: detailsId,
				player_id: playerId,
				method: 'UPI',
				masked: 'x***@bank',
				fingerprint: account,
				key_id: 'none',
				bytes: '\\x00',
				at: 0,
			});
		this.#details.add(detailsId);
		const data = { amount: this.#minor(rupees), detailsId };
		const id = this.#money({ kind: 'WITHDRAWAL', state, playerId, rupees, atMs, data });
		this.#posting({ kind: 'WITHDRAWAL', id, playerId, rupees, atMs, debit: 'cash', credit: 'hold' });
		return id;
	}

	/** Money at risk in a decided event. */
	play(playerId: number, rupees: number, atMs: number): void {
		const amount = this.#minor(rupees);
		this.#add('money_at_risk', {
			wallet_id: playerId,
			what: 'market',
			ref: this.#id(),
			at: atMs,
			since: atMs,
			amount,
			long_amount: amount,
		});
	}

	/** @returns the id of the dispute */
	dispute(
		playerId: number,
		payment: number,
		rupees: number,
		{ paidAtMs, atMs }: { paidAtMs: number; atMs: number },
	): number {
		const data = { payment, amount: this.#minor(rupees), paidAtMs };
		return this.#money({ kind: 'DISPUTE', state: 'LOST', playerId, rupees, atMs, data });
	}

	/** A settled market with matches on its first runner. @returns its id */
	market(matches: readonly Match[]): number {
		const marketId = this.#id();
		const players = new Set(matches.flatMap(({ backer, layer }) => [backer, layer]));
		for (const match of matches) this.#match(marketId, match);
		const atMs = Math.max(...matches.map((match) => match.atMs));
		for (const walletId of players)
			this.#add('player_settlement', {
				market_id: marketId,
				wallet_id: walletId,
				net: 0,
				commission: 0,
				profit: 0,
				at: atMs,
			});
		return marketId;
	}

	#match(marketId: number, { backer, layer, stake, price, isWon, atMs, runner = 0 }: Match): void {
		for (const playerId of [backer, layer]) if (playerId >= FIRST_PLAYER_ID) this.player(playerId);
		const staked = this.#minor(stake);
		const profit = Math.round(staked * (isWon ? price - 1 : -1));
		const ids = [this.#id(), this.#id()] as const;
		for (const [side, walletId] of [backer, layer].entries()) {
			const own = side === 0 ? profit : -profit;
			this.#add('bet', {
				bet_id: ids[side],
				wallet_id: walletId,
				market_id: marketId,
				pool: this.#pool,
				runner,
				side,
				price: Math.round(price * 100),
				stake: staked,
				persist: false,
				placed_at: atMs,
				matched: staked,
				matched_value: Math.round(staked * price * 100),
				remaining: 0,
				cancelled: 0,
				lapsed: 0,
				voided: 0,
				fill_or_kill: false,
				parts: 1,
				result: isWon === null ? null : own > 0 ? 'WON' : 'LOST',
				profit_exact: isWon === null ? null : own * 100,
			});
		}
		this.#add('bet_match', {
			batch: this.#id(),
			line: 0,
			taker_bet_id: ids[0],
			maker_bet_id: ids[1],
			market_id: marketId,
			runner,
			price: Math.round(price * 100),
			stake: staked,
			taker_side: 0,
			at: atMs,
		});
	}

	#money(row: { kind: string; state: string; playerId: number; rupees: number; atMs: number; data: object }): number {
		const id = this.#id();
		this.#add('workflow', {
			kind: row.kind,
			id,
			wallet_id: row.playerId,
			pool: this.#pool,
			state: row.state,
			step: 1,
			postings: 1,
			is_open: false,
			opened_at: row.atMs,
			at: row.atMs,
			data: row.data,
		});
		return id;
	}

	#posting(row: {
		kind: string;
		id: number;
		playerId: number;
		rupees: number;
		atMs: number;
		debit: string;
		credit: string;
	}): void {
		this.#add('posting', {
			batch: this.#id(),
			line: 0,
			at: row.atMs,
			kind: row.kind,
			ref: row.id,
			step: 0,
			pool: this.#pool,
			debit: row.debit,
			debit_owner: row.debit === 'gateway' ? 0 : row.playerId,
			credit: row.credit,
			credit_owner: row.playerId,
			amount: this.#minor(row.rupees),
			wallet_id: row.playerId,
			cash_after: 0,
			market_id: 0,
		});
	}

	/** Writes what was collected since the last time. */
	async write(db: Pick<pg.Pool, 'query'>): Promise<void> {
		for (const [table, rows] of Object.entries(this.#rows))
			await db.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
				JSON.stringify(rows),
			]);
		this.#rows = {};
	}
}
