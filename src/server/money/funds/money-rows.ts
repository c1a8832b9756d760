/**
 * The changes of a player's money, in SQL: the only place that reads postings as income and outgoing. The statement
 * lists these rows, profit and loss and "Your money" sum them, so a figure is the same on every page.
 *
 * A player has a free and a held balance: held for bets, for rounds that are not decided, for withdrawals and disputes.
 * A row changes the free balance by its amount. Rows of the category HELD move money between free and held, and are
 * neither income nor outgoing; every other row changes the total. So over any time
 *
 *   free after = free before + all rows
 *   held after = held before − rows of HELD
 *
 * Postings alone do not show this. The hold of a lost bet goes straight to the market's pot, a lost round posts nothing
 * when it is decided, and a withdrawal is paid out of its hold: none of them moves cash. Here the hold is released
 * first, and then the result is applied: a settled market is one row with its profit or loss after commission, a
 * decided round one row with its win or loss.
 */

import type { MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

export type MoneyCategory = 'HELD' | 'SPORTS' | 'CASINO' | 'BONUS' | 'DEPOSIT' | 'WITHDRAWAL' | 'TAX' | 'ADJUSTMENT';

/**
 * `id` identifies a row: the batch or the round, the posting's row or the round's step, and a letter for rows without a
 * posting.
 */
export interface MoneyRow {
	id: string;
	kind: string;
	category: MoneyCategory;
	ref: number;
	/** 0 without a market. */
	marketId: MarketId;
	/** The code of a round's game. */
	game: string | null;
	/** Minor units, signed: the change of the free balance. */
	amount: AnyMinor;
	/** The commission on a market's result, minor units; negative for a refund. */
	commission: AnyMinor;
	/** The free balance. */
	balanceAfter: AnyMinor;
	atMs: number;
}

const changeOf = (...accounts: string[]): string => {
	const own = accounts.map((account) => `'${account}'`).join(', ');
	return `(case when credit in (${own}) then amount else 0 end - case when debit in (${own}) then amount else 0 end)`;
};
const FREE = changeOf('cash');
const HELD = changeOf('exposure', 'hold');

/** After every batch, so that a row without a posting is the last of its instant. */
const LAST_BATCH = '9007199254740991';

/** A settlement that was reversed without a new one does not count. */
const IS_SETTLED = `exists (select from market_state
	where market_state.market_id = player_settlement.market_id and status = 'SETTLED')`;

/** Of the results of markets: their ref is the market's id. That of other postings of a market numbers them. */
const RESULT_KINDS = `('MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED')`;

/**
 * The results of a player's markets: a row for each settlement and for each reversal. A settlement without a posting is
 * a row as well.
 */
const marketResults = (postings: string): string => `
	select batch || '-' || max(line) || 'S' as id, batch, max(line) as line, 2 as rank, max(at) as at,
	   'MARKET_SETTLED' as kind, 'SPORTS' as category, max(ref) as ref, market_id, null as game,
	   coalesce(sum(${changeOf('cash', 'exposure')}) filter (where kind <> 'BET_RELEASED'), 0)::bigint as amount,
	   coalesce(sum(amount) filter (where kind = 'COMMISSION'), 0)::bigint as commission
	 from ${postings} where wallet_id = $1 and kind in ('MARKET_SETTLED', 'COMMISSION', 'BET_RELEASED')
	 group by batch, market_id having bool_or(kind = 'MARKET_SETTLED')
	union all
	select batch || '-' || max(line) || 'R', batch, max(line), 0, max(at), 'MARKET_REOPENED', 'SPORTS', max(ref), market_id,
	   null, sum(${FREE})::bigint, -coalesce(sum(amount) filter (where debit = 'commission'), 0)::bigint
	 from ${postings} where wallet_id = $1 and kind = 'MARKET_REOPENED' group by batch, market_id
	union all
	select '0-' || market_id || 'Z', ${LAST_BATCH}, 0, 0, at, 'MARKET_SETTLED', 'SPORTS', market_id, market_id, null, 0, 0
	 from player_settlement where wallet_id = $1 and net = 0 and ${IS_SETTLED}`;

export const MARKET_RESULTS = marketResults('posting');

/** The hold of a lost bet is released before the loss is applied. */
const backForResults = (postings: string): string => `
	select batch || '-' || max(line) || 'H' as id, batch, max(line) as line, 1 as rank, max(at) as at,
	   'BET_RELEASED' as kind, 'HELD' as category, max(ref) as ref, market_id, null as game, sum(amount)::bigint as amount,
	   0::bigint as commission
	 from ${postings} where wallet_id = $1 and kind = 'MARKET_SETTLED' and debit = 'exposure' group by batch, market_id`;

const IS_TAX = `'tax' in (debit, credit)`;
const CATEGORY = `case
	when ${IS_TAX} then 'TAX'
	when posting.kind in ('GRANT', 'COINS', 'BONUS', 'REFERRAL') or 'bonus_cost' in (debit, credit) then 'BONUS'
	when posting.kind in ('PAYMENT', 'DEPOSIT', 'DISPUTE') then 'DEPOSIT'
	when posting.kind = 'WITHDRAWAL' then 'WITHDRAWAL'
	else 'ADJUSTMENT' end`;

/** Postings that are no results: placed and lapsed bets, and money from and to the outside. */
const movedIn = (
	postings: string,
): string => `select batch, line, at, case when ${IS_TAX} then 'TAX' else kind end as kind, ref, market_id, ${CATEGORY} as category, ${FREE} as free, ${HELD} as held
	from ${postings} as posting where wallet_id = $1 and kind not in ${RESULT_KINDS} and kind <> 'CASINO'
	  and (debit in ('cash', 'hold') or credit in ('cash', 'hold'))`;

/**
 * The steps of a round with its stake after each step while it is open, and 0 once it is decided. A round of one step
 * is its own.
 */
const ROUND_STEPS = `
	select id, step, at, state, game, case when state = 'OPEN' then max(stake) over (partition by id, known) else 0 end as held
	 from (
	   select round.id, steps.step, steps.at, to_state as state, round.data ->> 'game' as game,
	     (steps.data ->> 'stake')::bigint as stake,
	     count(steps.data ->> 'stake') over (partition by round.id order by steps.step) as known
	   from workflow as round join workflow_step as steps on steps.kind = round.kind and steps.id = round.id
	   where round.kind = 'CASINO' and round.wallet_id = $1 and round.step > 1
	 ) as changed
	union all
	select id, step, at, state, data ->> 'game', case when is_open then (data ->> 'stake')::bigint else 0 end
	 from workflow where kind = 'CASINO' and wallet_id = $1 and step = 1`;

/** The change of a round in an instant: steps of one millisecond count together. */
const PLAYED = `
	select id, max(step) as step, at, game, (array_agg(state order by step desc))[1] as state,
	   (array_agg(held order by step desc))[1]
	     - lag((array_agg(held order by step desc))[1], 1, 0::bigint) over (partition by id order by at) as held,
	   lag((array_agg(state order by step desc))[1]) over (partition by id order by at) as before
	 from round_step group by id, at, game`;

/** By round and instant. */
const roundPostings = (
	postings: string,
): string => `select ref, at, max(batch) as batch, max(line) as line, sum(${FREE})::bigint as free
	from ${postings} where wallet_id = $1 and kind = 'CASINO' and (debit = 'cash' or credit = 'cash') group by ref, at`;

const ROUNDS = `select played.id as ref, played.at, step, game, state, before, held, coalesce(free, 0) as free,
	   coalesce(batch, ${LAST_BATCH}) as batch, coalesce(line, played.id) as line
	 from played left join round_posting on round_posting.ref = played.id and round_posting.at = played.at`;

const isNonzero = (part: 'released' | 'reserved') => (part === 'released' ? 'held < 0' : 'held > 0');

/** Rows for changes of the held balance: releases precede the result, new holds follow it. */
const heldRows = (part: 'released' | 'reserved', { id, kind, from, market, game }: Record<string, string>) =>
	`select ${id}, batch, line, ${part === 'released' ? 1 : 3}, at, ${kind} || '_${part.toUpperCase()}', 'HELD', ref,
	   ${market}, ${game}, -held, 0 from ${from} where ${isNonzero(part)}`;

const ofMoved = {
	id: `batch || '-' || line || case when free + held = 0 then '' else 'H' end`,
	kind: `case when kind like 'BET%' then 'BET' else kind end`,
	from: 'moved',
	market: 'market_id',
	game: 'null',
};
const ofRound = (letter: string) => ({
	id: `ref || '-' || step || '${letter}'`,
	kind: `'CASINO'`,
	from: 'round',
	market: '0',
	game: 'game',
});

/**
 * The rows that follow from postings of the wallet $1. A later suffix of them gives the later rows, where no batch is cut.
 * @param postings the table, or a relation with its columns
 */
export const movesIn = (
	postings: string,
): string => `with moved as (${movedIn(postings)}), round_step as (${ROUND_STEPS}), played as (${PLAYED}),
	round_posting as materialized (${roundPostings(postings)}), round as (${ROUNDS}),
	listed as (
	  ${marketResults(postings)}
	  union all ${backForResults(postings)}
	  union all ${heldRows('released', ofMoved)}
	  union all ${heldRows('reserved', ofMoved)}
	  union all select batch || '-' || line, batch, line, 2, at, kind, category, ref, market_id, null, free + held, 0
	   from moved where free + held <> 0
	  union all ${heldRows('released', ofRound('B'))}
	  union all ${heldRows('reserved', ofRound('P'))}
	  union all select ref || '-' || step || 'C', batch, line, 2, at, 'CASINO', 'CASINO', ref, 0, game, free + held, 0
	   from round where free + held <> 0 or (state = 'SETTLED' and before is distinct from 'SETTLED')
	)
	select * from listed`;

/** All rows of the wallet $1, to be summed. */
export const MONEY_MOVES = movesIn('posting');

/** The same rows with the balance after each, for lists; the order is `NEWEST_FIRST`. */
export const MONEY_ROWS = `select *, sum(amount) over (order by at, batch, line, rank)::bigint as balance_after
	from (${MONEY_MOVES}) as moves`;

/** The columns of a `MoneyRow`. */
export const MONEY_ROW = `id, kind, category, ref, market_id as "marketId", game, amount, commission,
	balance_after as "balanceAfter", at as "atMs"`;

export const NEWEST_FIRST = 'at desc, batch desc, line desc, rank desc';

/** The postings of wallet $1 behind a row, of which $2 to $5 are the time, the reference, the market and the id. */
export const POSTINGS_OF_ROW = `select kind, debit, credit, amount from posting
	where wallet_id = $1 and at = $2 and ref = $3 and market_id = $4
	  and kind in ${RESULT_KINDS} = ($4 > 0 and $5 ~ '[HRSZ]$') order by batch, line`;

/** Income, outgoing and the change of the held balance, as sums of rows. */
export const MONEY_SUMS = `coalesce(sum(amount) filter (where amount > 0 and category <> 'HELD'), 0)::bigint as credited,
	coalesce(-sum(amount) filter (where amount < 0 and category <> 'HELD'), 0)::bigint as debited,
	coalesce(-sum(amount) filter (where category = 'HELD'), 0)::bigint as held`;

/** SQL: the postings of the wallet's workflows of some kinds, each found by its key. */
const postingsOf = (kinds: string): string => `workflow join posting on posting.kind = workflow.kind
	and posting.ref = workflow.id and posting.wallet_id = workflow.wallet_id
	where workflow.wallet_id = $1 and workflow.kind in (${kinds})`;

/**
 * SQL: what all rows of wallet $1 come to as deposits less withdrawals, and as results of markets and rounds. It reads no
 * posting of a bet, because some players have hundreds of thousands; a test compares it with the rows.
 */
export const MONEY_NETS = `select
	(select coalesce(sum(${FREE} + ${HELD}), 0) from ${postingsOf(`'PAYMENT', 'DEPOSIT', 'DISPUTE', 'WITHDRAWAL'`)}
	  and ${CATEGORY} in ('DEPOSIT', 'WITHDRAWAL') and (debit in ('cash', 'hold') or credit in ('cash', 'hold'))
	)::bigint as "netDeposits",
	((select coalesce(sum(net - commission), 0) from player_settlement where wallet_id = $1)
	  + (select coalesce(sum(${FREE}), 0) from ${postingsOf(`'CASINO'`)})
	  + (select coalesce(sum((data ->> 'stake')::bigint), 0) from workflow
	    where kind = 'CASINO' and wallet_id = $1 and is_open))::bigint as "netPosition"`;

/** SQL: the balance of wallet $1 that is held for bets, withdrawals, disputes and open rounds. */
export const HELD_NOW = `exposure + hold + coalesce((select sum((data ->> 'stake')::bigint) from workflow as round
	where round.kind = 'CASINO' and round.wallet_id = $1 and is_open), 0)`;

/** A filter of rows, in the terms of the calls. */
interface MoneyFilter {
	from?: string | undefined;
	to?: string | undefined;
	kind?: string | undefined;
	category?: MoneyCategory | undefined;
	sportId?: number | undefined;
	game?: string | undefined;
}

/** Includes the reversals of a kind, and its holds and releases. */
const kindsWith = (kind: string): string[] =>
	kind === 'MARKET_SETTLED' ? [kind, 'MARKET_REOPENED'] : [kind, `${kind}_RESERVED`, `${kind}_RELEASED`];

/** The condition that a row's market is of the requested sport. */
export const OF_SPORT_SQL = `market_id in (select listed.id from market_listing as listed
	join fixture on fixture.id = listed.fixture_id where fixture.sport_id = ?::numeric)`;

/** SQL: the condition on rows. @param values of the statement's parameters; the filter's values are appended */
export function moneyCondition({ from, to, kind, category, sportId, game }: MoneyFilter, values: unknown[]): string {
	const where = ['true'];
	const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
	if (from) add('at >= ?', Date.parse(from));
	if (to) add('at <= ?', Date.parse(to));
	if (kind) add('kind = any(?)', kindsWith(kind));
	if (category) add('category = ?', category);
	if (sportId) add(OF_SPORT_SQL, sportId);
	if (game) add('game = ?', game);
	return where.join(' and ');
}
