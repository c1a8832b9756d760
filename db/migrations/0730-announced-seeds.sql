-- The commitment of a player's next pair is published while the pair before it is in use, so that no server seed is
-- chosen by a client seed that is known. A pair that is announced has no client seed yet.
alter table game_seed_pair alter column client_seed drop not null;
alter table game_seed_pair alter column begun_at drop not null;
-- Pairs from before this migration are of rule 1: their commitment was made when their client seed was known.
alter table game_seed_pair add column rule smallint not null default 1;
alter table game_seed_pair alter column rule drop default;
alter table game_seed_pair add column announced_at bigint;
-- How many rounds were played with the pair, which its nonces count from zero; null while it is in use, and of rule 1.
alter table game_seed_pair add column rounds int;
alter table game_seed_pair add constraint game_seed_pair_rule check (rule in (1, 2));
alter table game_seed_pair add constraint game_seed_pair_announced check (rule = 1 or announced_at is not null);
alter table game_seed_pair add constraint game_seed_pair_begun check ((client_seed is null) = (begun_at is null));
alter table game_seed_pair add constraint game_seed_pair_revealed check (server_seed is null or client_seed is not null);
