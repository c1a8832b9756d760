/** Where the bets and matches of a day are whose month was detached: in the schema `archive`, or no longer there. */
import type pg from 'pg';
import { archivedTable, type DetachedMonth, detachedMonths } from '../../src/server/exchange/ledger/detached-months.ts';
import { boundsOf } from '../../src/server/platform/postgres/months.ts';
import { dayName } from '../../src/values/zoned-calendar.ts';
import { BETS, type DayBounds, MATCHES } from './day-tables.ts';

type Table = keyof DayBounds['tables'];

interface AskedDay {
	day: number;
	fromMs: number;
	toMs: number;
}

const COLUMNS = { bet: BETS.columns, bet_match: MATCHES.columns };

export class DetachedRows {
	readonly #client: pg.ClientBase;
	readonly #months: readonly DetachedMonth[];
	/** By table and month; null where it is gone. */
	readonly #archived = new Map<string, string | null>();

	private constructor(client: pg.ClientBase, months: readonly DetachedMonth[]) {
		this.#client = client;
		this.#months = months;
	}

	/**
	 * Of a transaction that was just begun, and keeps months from being detached until it ends: a statement reads the
	 * partitions that are attached at its own moment, and not at that of the snapshot.
	 */
	static async read(client: pg.ClientBase): Promise<DetachedRows> {
		await client.query('lock table only bet, only bet_match in access share mode');
		return new DetachedRows(client, await detachedMonths(client));
	}

	/** @throws Error when rows of the day are in neither place: without them its files would be wrong */
	async tablesOf(asked: AskedDay): Promise<DayBounds['tables']> {
		const { fromMs, toMs } = asked;
		const overlap = this.#months.filter(({ month }) => boundsOf(month).fromMs < toMs && boundsOf(month).toMs > fromMs);
		const { rows } = await this.#client.query<{ month: string }>(
			`select month from detached_month where exists (select 1 from player_settlement as paid
			   join detached_bets using (market_id, wallet_id)
			   where detached_bets.month = detached_month.month and paid.at >= $1 and paid.at < $2)`,
			[fromMs, toMs],
		);
		const settled = this.#months.filter(({ month }) => rows.some((row) => row.month === month));
		return { bet: await this.#from('bet', settled, asked), bet_match: await this.#from('bet_match', overlap, asked) };
	}

	async #from(table: Table, months: readonly DetachedMonth[], { day }: AskedDay): Promise<string> {
		const columns = COLUMNS[table].map(({ name }) => name).join(', ');
		const parts: string[] = [table];
		for (const month of months) {
			const archived = await this.#find(table, month);
			if (archived === null)
				throw new Error(
					`${dayName(day)} cannot be written: its rows of ${table} in ${month.month} were detached, and are not in ` +
						'the schema archive. Restore them there, as RUNBOOK says, and run it again.',
				);
			parts.push(archived);
		}
		if (parts.length === 1) return table;
		return `(${parts.map((part) => `select ${columns} from ${part}`).join(' union all ')}) as ${table}`;
	}

	async #find(table: Table, month: DetachedMonth): Promise<string | null> {
		const key = `${table} ${month.month}`;
		const known = this.#archived.get(key);
		if (known !== undefined) return known;
		const found = await archivedTable(this.#client, table, month);
		this.#archived.set(key, found);
		return found;
	}
}
