-- What each batch wrote, sealed with a key that is not in the database: an entry for each row, and the chain over them.
create table batch_seal (
	batch bigint not null,
	-- 0, but where the rows of a database from before the seals are entered, which is done in several parts
	part int not null,
	-- which key, without telling it
	key_id text not null,
	-- 17 bytes a row: the table, the row's name, and the keyed hash of what it holds
	entries bytea not null,
	-- keyed hash over the chain before, the batch and its entries
	chain bytea not null,
	primary key (batch, part)
);
-- hashes do not shrink
alter table batch_seal alter column entries set storage external;

alter table lease
	-- the batch after which batches are sealed, null until the first start
	add column sealed_from bigint,
	-- the chain as that batch left it: sha256 over its postings, without a key
	add column sealed_chain bytea;
