-- Matches of a period, for the report of linked accounts that met. Matches are added in the order of time.
create index bet_match_by_time on bet_match using brin (at) with (pages_per_range = 16);
