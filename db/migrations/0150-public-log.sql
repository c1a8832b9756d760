-- The public log: a Merkle tree to which what the house has to stand by is appended, batch after batch. It follows the
-- tables and decides nothing. The part src/server/platform/public-log writes it, in one transaction each time.

create table public_log (
	log int primary key,
	origin text not null,
	key text not null,
	cluster text not null,
	reason text not null,
	begun_at bigint not null,
	size bigint not null default 0,
	checkpoint text,
	cursors jsonb not null default '{}',
	closed text
);
comment on table public_log is 'Logs, one after another; the last one is in use. A log ends where the database may have lost leaves that were published, so that no two trees of one size are signed';
comment on column public_log.log is 'From 1';
comment on column public_log.origin is 'Name of the log in its checkpoints';
comment on column public_log.key is 'Public key of the checkpoints, NAME+ID+KEY as C2SP signed-note has it';
comment on column public_log.cluster is 'System identifier and timeline of the PostgreSQL cluster that the log was begun in: another one may have less than was published';
comment on column public_log.reason is 'Why the log was begun';
comment on column public_log.size is 'How many leaves it has';
comment on column public_log.checkpoint is 'The newest signed checkpoint; null before the first leaf';
comment on column public_log.cursors is 'How far each source of leaves was read: {source: cursor}';
comment on column public_log.closed is 'Why no leaf is appended any more: set where a backup was restored; null otherwise';

create table public_log_entry (
	log int not null,
	entry bigint not null,
	type text not null,
	ref text,
	leaf text not null,
	primary key (log, entry)
);
comment on table public_log_entry is 'The leaves, never changed';
comment on column public_log_entry.entry is 'Place in the tree, from 0';
comment on column public_log_entry.type is 'What the leaf is about: batch, journal, market, chain, pair, round, rules or log';
comment on column public_log_entry.ref is 'By which a leaf is found; null for leaves that are read in order only';
comment on column public_log_entry.leaf is 'The bytes of the leaf: JSON with sorted keys';
create index public_log_entry_by_ref on public_log_entry (type, ref, log, entry) where ref is not null;

create table public_log_tile (
	log int not null,
	level int not null,
	tile bigint not null,
	hashes bytea not null,
	primary key (log, level, tile)
);
alter table public_log_tile alter column hashes set storage external;
comment on table public_log_tile is 'Hashes of the tree (C2SP tlog-tiles). A tile grows to 256 hashes of 32 bytes and then never changes';

alter table game_seed_pair add column is_logged boolean not null default false;
comment on column game_seed_pair.is_logged is 'The commitment is in the public log';
create index game_seed_pair_unlogged on game_seed_pair (wallet_id, number) where not is_logged and rule = 2;

alter table game_chain add column is_logged boolean not null default false;
comment on column game_chain.is_logged is 'The announcement is in the public log';

alter table table_round add column is_logged boolean not null default false;
comment on column table_round.is_logged is 'What became of the round is in the public log';
create index table_round_unlogged on table_round (game, round) where not is_logged and phase in ('ENDED', 'VOID');
