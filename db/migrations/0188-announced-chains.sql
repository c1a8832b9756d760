-- A restart replaces no chain that was announced.

alter table game_chain add column is_in_time boolean not null default false;
comment on column game_chain.is_in_time is 'The process that ran the game saw the announcement in the public log before the salt was out, so the chain is played whatever happens to the process. Written before the salt is waited for';
comment on column game_chain.number is 'From 1. A round takes its hash from the largest one with a first_round up to it';
comment on column game_chain.replaced is 'Why the chain before was left before its end: BEACON (another beacon is configured), LATE (the public log had it after its salt was out, or a process ended before it had seen it there), UNSALTED (of earlier releases: the server stopped before its salt was known). Null where it came to its end';
