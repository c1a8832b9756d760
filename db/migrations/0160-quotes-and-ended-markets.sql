-- A market maker's wallet: its bets are quotes, and come here when they are matched, as far as they are matched.
alter table wallet add column quotes boolean not null default false;
-- Quotes that were never matched, from when each had a row.
delete from bet using market_state
where bet.market_id = market_state.market_id and wallet_id in (1, 2, 3) and ended_at is not null
  and matched = 0 and voided = 0;

-- A start reads the markets that are not over. The column changes once in a market's life, which keeps the index out of
-- all other updates of its row.
alter table market_state add column is_over boolean generated always as (status in ('SETTLED', 'VOIDED')) stored;
create index market_in_progress on market_state (market_id) where not is_over;
-- It reads the house's accounts that hold something, too: pots are empty once their market is paid.
create index house_account_in_use on house_account (kind, pool, owner) where balance <> 0;
-- What is held for a market that lost a runner is found by its postings.
create index posting_of_market on posting (market_id) where debit = 'exposure' or credit = 'exposure';
