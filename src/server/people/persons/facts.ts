/**
 * Facts about accounts, as SQL over the tables in which they are proven, because a copy could diverge. Each kind has a
 * table with a row for an account and a value, and a condition for a proven row.
 */
import type { FactKind } from '#server/people/persons/person-graph.ts';

interface FactSource {
	table: string;
	column: string;
	/** Whether the row is proven. @param row the alias of the table */
	proven: (row: string) => string;
	/** When it was proven, or first stated; milliseconds, null if unknown. */
	at: (row: string) => string;
}

/** The workflow of a withdrawal that arrived. A returned withdrawal proves nothing. */
const arrived = (row: string): string =>
	`exists (select 1 from workflow as payout where payout.wallet_id = ${row}.player_id and payout.kind = 'WITHDRAWAL'
	   and payout.state = 'PAID' and payout.data ->> 'detailsId' = ${row}.details_id)`;

export const FACTS: Readonly<Record<FactKind, FactSource>> = {
	mobile: {
		table: 'player',
		column: 'mobile',
		proven: (row) => `${row}.mobile_verified_at is not null`,
		at: (row) => `coalesce(${row}.mobile_verified_at, ${row}.created_at)`,
	},
	document: {
		table: 'player_identity',
		column: 'fingerprint',
		proven: () => 'true',
		at: (row) => `${row}.at`,
	},
	payout: {
		table: 'payout_details',
		column: 'fingerprint',
		proven: arrived,
		at: (row) => `${row}.at`,
	},
};

const FACT_KINDS = Object.keys(FACTS) as FactKind[];

/** SQL: whether an operator refuted the fact for one of these accounts. */
export const isRefuted = (kind: FactKind, value: string, accounts: readonly string[]): string =>
	`exists (select 1 from refuted_fact as refuted where refuted.kind = '${kind}' and refuted.value = ${value}
	   and refuted.player_id in (${accounts.join(', ')}))`;

/**
 * SQL: whether the row's fact is the account's own: proven, and not refuted since. Whatever a fact gives or imposes rests
 * on this, because a mobile may have a new owner.
 * @param row the alias of the kind's table
 */
export const isOwn = (kind: FactKind, row: string): string => {
	const { column, proven } = FACTS[kind];
	return `(${proven(row)} and not ${isRefuted(kind, `${row}.${column}`, [`${row}.player_id`])})`;
};

/**
 * SQL: the accounts `other_id` that have the same fact as the accounts `player_id` of a relation.
 * @param where over the conditions that the own row, and the other one, is proven
 */
export const sharing =
	(kind: FactKind, where: (own: string, other: string) => string) =>
	(players: string): string => {
		const { table, column, proven } = FACTS[kind];
		return `select own.player_id, other.player_id as other_id from ${players} as asked join ${table} as own using (player_id)
		 join ${table} as other on other.${column} = own.${column}
		 where ${where(`(${proven('own')})`, `(${proven('other')})`)}
		   and not ${isRefuted(kind, `own.${column}`, ['own.player_id', 'other.player_id'])}`;
	};

/** SQL: the facts of the accounts of a relation, as `"playerId", kind, value, state, "atMs"`. */
export const factsOf = (players: string): string =>
	FACT_KINDS.map((kind) => {
		const { table, column, proven, at } = FACTS[kind];
		return `select own.player_id as "playerId", '${kind}' as kind, own.${column} as value, ${at('own')} as "atMs",
		   case when ${isRefuted(kind, `own.${column}`, ['own.player_id'])} then 'REFUTED' when ${proven('own')} then 'PROVEN'
		     else 'HINT' end as state
		 from ${players} as asked join ${table} as own using (player_id) where own.${column} is not null`;
	}).join(' union all ');

/** SQL: the values of a kind of fact that the accounts `$1` and `$2` share, and that are not refuted for `$1`. */
export const sharedValues = (kind: FactKind): string => {
	const { table, column } = FACTS[kind];
	return `select distinct own.${column} as value from ${table} as own join ${table} as other on other.${column} = own.${column}
	 where own.player_id = $1 and other.player_id = $2 and not ${isRefuted(kind, `own.${column}`, ['own.player_id'])}`;
};

/** SQL: the account `$1`, and every account connected with it by facts in any state. */
export const NEIGHBOURS = `
	with recursive near (player_id) as (
	  select $1::bigint
	  union
	  select next.player_id from near cross join lateral (${FACT_KINDS.map((kind) => {
			const { table, column } = FACTS[kind];
			return `select other.player_id from ${table} as own join ${table} as other on other.${column} = own.${column}
			 where own.player_id = near.player_id`;
		}).join(' union ')}) as next
	) select player_id from near`;

/** SQL: accounts that share a fact with another account. */
export const SHARING = FACT_KINDS.map((kind) => {
	const { table, column } = FACTS[kind];
	return `select player_id from ${table} where ${column} in (
	   select ${column} from ${table} where ${column} is not null group by ${column} having count(distinct player_id) > 1)`;
}).join(' union ');
