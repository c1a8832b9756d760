-- When a match was made. Rows from before have none: of those the time their taker was placed counts, as it did then.
alter table bet_match add column at bigint;
