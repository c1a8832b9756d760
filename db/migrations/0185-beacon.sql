-- Results of shared rounds depend on a public beacon, whose value is out after the last bet.

alter table game_chain add column beacon jsonb;
alter table game_chain add column salt_round bigint;
alter table game_chain add column salt_signature text;
alter table game_chain add column replaced text;
alter table game_chain alter column salt drop not null;
alter table game_chain add constraint game_chain_salt check ((salt is null) = (beacon is not null));
alter table game_chain add constraint game_chain_salt_round check ((salt_round is null) = (beacon is null));
comment on column game_chain.beacon is 'The beacon of the chain’s rounds, as src/games/beacon has it: {name, publicKey, genesisMs, periodMs}. Null for a chain from before there was one: its hashes alone give the results, until it ends';
comment on column game_chain.salt_round is 'The salt is the beacon’s value of that round, which lies after the announcement in the public log';
comment on column game_chain.salt_signature is 'What the beacon published then; null until it did. No round begins before';
comment on column game_chain.salt is 'Of a chain without a beacon. The salt of others follows from salt_signature';
comment on column game_chain.replaced is 'Why the chain before was left before its end: BEACON (another beacon is configured), UNSALTED (the server stopped before its salt was known), LATE (the public log had it after its salt was out). Null where it came to its end';

alter table table_round add column beacon_round bigint;
alter table table_round add column beacon_signature text;
alter table table_round add column is_announced boolean not null default false;
alter table table_round add constraint table_round_beacon check (beacon_signature is null or beacon_round is not null);
create index table_round_unannounced on table_round (game, round) where not is_announced and beacon_round is not null;
comment on column table_round.beacon_round is 'The beacon’s round whose value decides with the hash, announced before bets; its time lies after the last bet. Null in a chain without a beacon';
comment on column table_round.beacon_signature is 'What the beacon published then. A locked round is final from here on';
comment on column table_round.is_announced is 'The public log has beacon_round';
comment on column table_round.is_interrupted is 'It was not played to its end: a restart, or the beacon';
comment on column table_round.void_reason is 'Why the round is void: RESTART, BEACON (no value in time) or CLOCK (the value was out before the last bet). Null for others, and for rounds that were void before this column';
comment on column table_round.void_result is 'The result that a void round would have had; JSON null where its beacon was replaced before it gave a value';

-- As with the payment simulator: whatever the code does, no real money depends on a beacon of the house.
alter table workflow add constraint workflow_local_beacon_takes_no_real_money
	check (pool <> 'REAL' or kind <> 'CASINO' or data ->> 'beacon' is distinct from 'local');
