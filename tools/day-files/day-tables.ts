/**
 * The tables of a day's files, with the statements that read them. Rows are in a fixed order, so that a day that is
 * written twice has the same bytes. Players are numbers: no file has a name, a mobile, bank details or a secret.
 */
import type { Column } from './parquet-table.ts';

/** Milliseconds since 1970, and numbers of batches; each range begins after its first number or with its first instant. */
export interface DayBounds {
	fromMs: number;
	toMs: number;
	after: number;
	last: number;
	/** What stands after `from`: the table, with the detached months that the day needs. */
	tables: Record<'bet' | 'bet_match', string>;
}

export interface DayTable {
	name: string;
	columns: readonly Column[];
	query: (bounds: DayBounds) => string;
}

/** Whole numbers unless the type stands after a colon; `?` where a column may be null. */
const columnsOf = (text: string): Column[] =>
	text.split(' ').map((word) => {
		const [named = '', type = 'whole'] = word.replace('?', '').split(':');
		return { name: named, type: type as Column['type'], ...(word.endsWith('?') ? { mayBeNull: true as const } : {}) };
	});

const namesOf = (columns: readonly Column[], of = ''): string => columns.map(({ name }) => `${of}${name}`).join(', ');

const POSTING = columnsOf(
	'batch line at:time kind:text ref step pool:text debit:text debit_owner credit:text credit_owner amount wallet_id cash_after market_id',
);
const MATCH = columnsOf('batch line at:time taker_bet_id maker_bet_id market_id runner price stake taker_side');
const BET = columnsOf(
	'bet_id wallet_id market_id pool:text runner side price stake placed_at:time matched_at:time? ended_at:time? matched matched_value cancelled lapsed voided result:text profit_exact? parts',
);
const SETTLEMENT = columnsOf('market_id wallet_id net commission profit at:time');
const STEP = columnsOf(
	'kind:text id step at:time wallet_id pool:text from_state:text? to_state:text game:text? stake? payout?',
);
const PLAYER = columnsOf('player_id brand:text pool:text is_demo:flag created_at:time');
const SEAL = columnsOf('batch part key_id:text entries:bytes chain:bytes');

const within = ({ fromMs, toMs }: DayBounds, time = 'at'): string => `${time} >= ${fromMs} and ${time} < ${toMs}`;

export const POSTINGS: DayTable = {
	name: 'posting',
	columns: POSTING,
	query: (day) => `select ${namesOf(POSTING)} from posting where ${within(day)} order by batch, line`,
};
export const MATCHES: DayTable = {
	name: 'bet_match',
	columns: MATCH,
	query: (day) => `select ${namesOf(MATCH)} from ${day.tables.bet_match} where ${within(day)} order by batch, line`,
};
/** Those that a settlement of the day decided, also where they ended in an earlier one: a market may be settled again. */
export const BETS: DayTable = {
	name: 'bet',
	columns: BET,
	query: (day) => `select ${namesOf(BET, 'bet.')}
		from player_settlement as paid join ${day.tables.bet} using (market_id, wallet_id)
		where ${within(day, 'paid.at')} and bet.result is not null order by bet_id`,
};
export const SETTLEMENTS: DayTable = {
	name: 'player_settlement',
	columns: SETTLEMENT,
	query: (day) =>
		`select ${namesOf(SETTLEMENT)} from player_settlement where ${within(day)} order by market_id, wallet_id`,
};
/** Steps of what moved money that day: rounds of the casino with their amounts, payments, bonuses. */
const STEPS: DayTable = {
	name: 'workflow_step',
	columns: STEP,
	query: (day) => `select ${namesOf(STEP.slice(0, 4), 'workflow_step.')}, wallet_id, pool, from_state, to_state,
			case when kind = 'CASINO' then workflow_step.data ->> 'game' end as game,
			case when kind = 'CASINO' then (workflow_step.data ->> 'stake')::bigint end as stake,
			case when kind = 'CASINO' then (workflow_step.data ->> 'payout')::bigint end as payout
		from (select distinct kind, ref as id from posting where ${within(day)}) as moved
		join workflow_step using (kind, id) join workflow using (kind, id)
		where ${within(day, 'workflow_step.at')} order by kind, id, step`,
};
/** Those who registered that day. */
const PLAYERS: DayTable = {
	name: 'player',
	columns: PLAYER,
	query: (day) => `select ${namesOf(PLAYER)} from player where ${within(day, 'created_at')} order by player_id`,
};
export const SEALS: DayTable = {
	name: 'batch_seal',
	columns: SEAL,
	query: ({ after, last }) =>
		`select ${namesOf(SEAL)} from batch_seal where batch > ${after} and batch <= ${last} order by batch, part`,
};

/** Read by statements; the balances follow from the postings. */
export const DAY_TABLES: readonly DayTable[] = [POSTINGS, MATCHES, BETS, SETTLEMENTS, STEPS, PLAYERS, SEALS];

export const BALANCE_FILE = 'account_balance';
/** Accounts that held something or moved, as the day began and as it ended. */
export const BALANCE_COLUMNS: readonly Column[] = columnsOf('pool:text account:text owner opening closing');
