-- A bet is matched, ends and gets its result in the row that was written when it was placed: PostgreSQL writes the new version
-- beside the old one, and no index, as long as no index has a column that changes and the page has room. Five entries in
-- indexes were half of what a settled bet cost.
drop index if exists bet_of_market;
drop index if exists bet_of_settled_market;
drop index if exists bet_of_market_without_result;
drop index if exists bet_of_wallet_by_end;
create index bet_in_market on bet (market_id, wallet_id);

do $$ declare part regclass; begin
	for part in select inhrelid::regclass from pg_inherits where inhparent = 'bet'::regclass loop
		execute format('alter table %s set (fillfactor = 50)', part);
	end loop;
end $$;

create table bet_end (
	wallet_id bigint not null,
	ended_at bigint not null,
	market_id bigint not null,
	primary key (wallet_id, ended_at, market_id)
);
comment on table bet_end is 'When bets of a player ended: some of that market did then, unless it was reopened since. Finds bets by their end. Not sealed, the audit checks it against the bets';
comment on column bet_end.ended_at is 'Milliseconds since 1970; as of those bets';

insert into bet_end (wallet_id, ended_at, market_id)
select distinct wallet_id, ended_at, market_id from bet where ended_at is not null and wallet_id >= 1000;
