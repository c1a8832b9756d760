-- The commands of each batch, from which a standby builds its own engine. Housekeeping deletes old rows.
create table batch_command (
	batch bigint not null,
	-- A batch with many commands has several rows, numbered from 0.
	part int not null,
	epoch bigint not null,
	-- The batch that was written before.
	previous bigint not null,
	-- Digest of the engine's state after the batch.
	digest text not null,
	at bigint not null,
	-- How `commands` is encoded: see exchange/command-rows.
	format int not null,
	commands text not null,
	primary key (batch, part)
);
-- Rows live for a minute and are read once, so they are not compressed.
alter table batch_command alter column commands set storage external;

-- The standbys of the exchange.
create table follower (
	name text primary key,
	-- The epoch and the batch that it has applied; null while it joins.
	epoch bigint,
	batch bigint,
	-- Set by the exchange when a standby joins: a snapshot of the tables, the batch it shows, and the ended markets that the
	-- exchange has in memory.
	snapshot text,
	snapshot_batch bigint,
	markets bigint[],
	-- What the standby found to differ; null as long as nothing does.
	difference text,
	seen_at timestamptz not null default clock_timestamp()
);

-- Whether the exchange that holds the lease writes heartbeats. Standbys take over from no other.
alter table lease add column beats boolean not null default true;
