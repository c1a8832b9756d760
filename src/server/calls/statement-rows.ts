/**
 * The rows of a cash statement, in SQL. Postings move what is held for a lost bet straight to the market's pot, so a loss
 * moves no cash when its market is settled. A statement shows instead what a player understands: what was held comes
 * back, and the market is one row of what it made or cost after commission, zero included. The rows still sum to the
 * balance, and those of settled markets to the profit and loss.
 */

import type { MarketId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** `id` names a row: the batch, the posting's row in it, and a letter for rows that stand for several postings. */
export interface StatementRow {
	id: string;
	batch: number;
	kind: string;
	ref: number;
	marketId: MarketId;
	/** Paise, signed. */
	amount: AnyPaise;
	balanceAfter: number;
	atMs: number;
}

const CASH_OF_POSTING = `case when credit = 'cash' then amount when debit = 'cash' then -amount else 0 end`;

/** A settlement's postings of a player: what the market made or cost, and what of it was held. */
const SETTLEMENTS = `select batch, max(line) as line, max(at) as at, max(ref) as ref, market_id,
	   sum(case when kind = 'BET_RELEASED' then 0 when debit = 'exposure' then -amount else ${CASH_OF_POSTING} end) as profit,
	   coalesce(sum(amount) filter (where kind = 'MARKET_SETTLED' and debit = 'exposure'), 0) as held,
	   (array_agg(cash_after order by line desc))[1] as cash_after
	 from posting where wallet_id = $1 and kind in ('MARKET_SETTLED', 'COMMISSION', 'BET_RELEASED')
	 group by batch, market_id having bool_or(kind = 'MARKET_SETTLED')`;

/**
 * All rows of a player's statement; $1 is the wallet. Of rows of one posting, `rank` is 0; what was held comes back
 * before the result is taken from it.
 */
export const STATEMENT_ROWS = `with settlement as (${SETTLEMENTS})
	select batch || '-' || line as id, batch, line, 0 as rank, at, kind, ref, market_id,
	   ${CASH_OF_POSTING} as amount, cash_after as balance_after
	 from posting where wallet_id = $1 and (debit = 'cash' or credit = 'cash')
	   and kind not in ('MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED')
	union all
	select batch || '-' || line || 'H', batch, line, 1, at, 'BET_RELEASED', ref, market_id, held, cash_after - profit
	 from settlement where held > 0
	union all
	select batch || '-' || line || 'S', batch, line, 2, at, 'MARKET_SETTLED', ref, market_id, profit, cash_after
	 from settlement
	union all
	select batch || '-' || max(line) || 'R', batch, max(line), 0, max(at), 'MARKET_REOPENED', max(ref), market_id,
	   sum(${CASH_OF_POSTING}), (array_agg(cash_after order by line desc))[1]
	 from posting where wallet_id = $1 and kind = 'MARKET_REOPENED' group by batch, market_id
	union all
	select '0-' || market_id || 'Z', 9007199254740991, 0, 0, at, 'MARKET_SETTLED', market_id, market_id, 0,
	   (select cash_after from posting where wallet_id = $1 and posting.at <= player_settlement.at
	     order by batch desc, line desc limit 1)
	 from player_settlement where wallet_id = $1 and net = 0 and ${marketIsSettled('player_settlement')}`;

export const NEWEST_FIRST = 'at desc, batch desc, line desc, rank desc';

/** A settlement that was reversed and not made anew is none. */
export function marketIsSettled(table: string): string {
	return `exists (select from market_state where market_state.market_id = ${table}.market_id and status = 'SETTLED')`;
}

/** What a filter asks for: a market's settlement and its reversal are of one kind, so that their sum is its result. */
export const kindsOf = (kind: string): string[] => (kind === 'MARKET_SETTLED' ? [kind, 'MARKET_REOPENED'] : [kind]);
