/**
 * What the house owes its players, proven to each of them: at the end of each day the money of all wallets of a pool goes
 * into a Merkle-sum tree, whose root is a leaf of the public log. A process of its own computes it.
 *
 * This file has the money at the end of a day, however late it is read: the wallets of one snapshot, without the moves of
 * later batches. A batch that goes over midnight counts to the next day as a whole.
 */
import type pg from 'pg';
import type { AnyMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID, type Pool } from '#values/pools.ts';

/** From the first command of a batch to its last, at most. */
export const LONGEST_BATCH_MS = 60_000;
const ROWS_AT_ONCE = 10_000;

/** A day of the books that is closed: its number since 1970, and its end. */
export interface ClosedDay {
	day: number;
	untilMs: number;
}

/** The end of a day: between two batches of the ledger. */
export interface DayEnd extends ClosedDay {
	pool: Pool;
	/** The last batch that ended before the day did. */
	batch: number;
}

/** A player's wallet as it was then. */
export interface WalletThen {
	walletId: number;
	brand: string;
	name: string;
	/** Below zero where the player owes. */
	cash: AnyMinor;
	held: AnyMinor;
	bonus: AnyMinor;
}

/** What of a pool is not players' money: with theirs it comes to zero. */
interface OtherMoney {
	/** All accounts of the house, its wallets included. */
	total: AnyMinor;
	/** Of markets whose settlement was under way. */
	pots: AnyMinor;
}

/** @param client in a transaction with one snapshot */
export async function dayEndOf(client: pg.ClientBase, pool: Pool, { day, untilMs }: ClosedDay): Promise<DayEnd> {
	const { rows } = await client.query<{ batch: number }>(
		'select coalesce((select min(batch) - 1 from posting where at >= $1), batch) as batch from lease',
		[untilMs],
	);
	return { pool, day, untilMs, batch: rows[0]?.batch ?? 0 };
}

/** Each account of the pool that later batches moved, by its kind. The index by time needs a bound of it. */
const movedLater = ({ pool, untilMs, batch }: DayEnd): string => `(
	select account, owner, sum(amount)::bigint as amount from (
		select debit as account, debit_owner as owner, -amount as amount, pool, batch, at from posting
		union all select credit, credit_owner, amount, pool, batch, at from posting
	) as move
	where pool = '${pool}' and batch > ${batch} and at >= ${untilMs - LONGEST_BATCH_MS}
	group by account, owner)`;

/** Players' accounts are told from pots, whose owners are markets, by their kind. */
const IS_PLAYERS = `account in ('cash', 'exposure', 'hold', 'bonus') and owner >= ${FIRST_PLAYER_ID}`;

/** Players' wallets as they were then. Accounts that were made later are left out. */
const walletsOf = (end: DayEnd): string => `(
	with later as (
		select owner, sum(amount) filter (where account = 'cash') as cash,
			sum(amount) filter (where account in ('exposure', 'hold')) as held,
			sum(amount) filter (where account = 'bonus') as bonus
		from ${movedLater(end)} as moved where ${IS_PLAYERS} group by owner
	), then_held as (
		select wallet_id, wallet.cash - coalesce(later.cash, 0) as cash,
			exposure + hold - coalesce(later.held, 0) as held, wallet.bonus - coalesce(later.bonus, 0) as bonus
		from wallet left join later on owner = wallet_id
		where pool = '${end.pool}' and wallet_id >= ${FIRST_PLAYER_ID}
	)
	select wallet_id, brand, user_name, cash::bigint, held::bigint, bonus::bigint
	from then_held join player on player_id = wallet_id
	where created_at < ${end.untilMs} or cash <> 0 or held <> 0 or bonus <> 0)`;

/** How many wallets the pool has by now, at least as many as then. @param client as above */
export async function walletCount(client: pg.ClientBase, pool: Pool): Promise<number> {
	const { rows } = await client.query<{ count: number }>(
		'select count(*)::int as count from wallet where pool = $1 and wallet_id >= $2',
		[pool, FIRST_PLAYER_ID],
	);
	return rows[0]?.count ?? 0;
}

/** In the order of their ids. @param client as above */
export async function* walletsThen(client: pg.ClientBase, end: DayEnd): AsyncGenerator<WalletThen[]> {
	// The statement of a cursor takes no parameters.
	await client.query(
		`declare wallets no scroll cursor for select * from ${walletsOf(end)} as wallets order by wallet_id`,
	);
	for (;;) {
		const { rows } = await client.query<[number, string, string, number, number, number]>({
			text: `fetch ${ROWS_AT_ONCE} from wallets`,
			rowMode: 'array',
		});
		if (rows.length > 0)
			yield rows.map(([walletId, brand, name, cash, held, bonus]) => ({ walletId, brand, name, cash, held, bonus }));
		if (rows.length < ROWS_AT_ONCE) break;
	}
	await client.query('close wallets');
}

/** From the house's own rows and postings, so that it can contradict the wallets. @param client as above */
export async function otherMoneyThen(client: pg.ClientBase, end: DayEnd): Promise<OtherMoney> {
	const { rows } = await client.query<OtherMoney>(
		`with now as (
			select kind as account, balance from house_account where pool = $1
			union all select 'wallet', cash + exposure + hold + bonus from wallet where pool = $1 and wallet_id < $2
		), later as (select account, amount from ${movedLater(end)} as moved where not (${IS_PLAYERS}))
		select ((select coalesce(sum(balance), 0) from now) - (select coalesce(sum(amount), 0) from later))::bigint as total,
			((select coalesce(sum(balance), 0) from now where account = 'pot')
				- (select coalesce(sum(amount), 0) from later where account = 'pot'))::bigint as pots`,
		[end.pool, FIRST_PLAYER_ID],
	);
	return rows[0] ?? { total: 0, pots: 0 };
}
