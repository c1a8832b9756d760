-- What the house owes players at the end of each day, as Merkle-sum trees: src/public-log/sum-tree.ts. A process of its own
-- computes a tree, and writes it in one transaction: src/server/money/liabilities.

create table sum_tree (
	pool text not null,
	day int not null,
	batch bigint not null,
	size int not null check (size > 0),
	root bytea not null,
	cash bigint not null check (cash >= 0),
	held bigint not null check (held >= 0),
	bonus bigint not null check (bonus >= 0),
	shortfall bigint not null check (shortfall >= 0),
	pots bigint not null,
	secret bytea,
	is_logged boolean not null default false,
	primary key (pool, day)
);
comment on table sum_tree is 'A tree for each day and pool: no day has two. Amounts are paise';
comment on column sum_tree.day is 'Its number since 1970 in India’s calendar; the tree has the balances at its end';
comment on column sum_tree.batch is 'The last batch that counts: the last one that ended before the day did';
comment on column sum_tree.size is 'How many leaves the tree has';
comment on column sum_tree.root is 'Hash of the root';
comment on column sum_tree.held is 'For bets, rounds, withdrawals and disputes: exposure and hold of the wallets';
comment on column sum_tree.shortfall is 'What players owe: their cash below zero, which counts as none in the tree';
comment on column sum_tree.pots is 'Held by markets whose settlement was under way';
comment on column sum_tree.secret is 'Key of the salts of its leaves; null once a later tree has replaced it, when its nodes are deleted';
comment on column sum_tree.is_logged is 'The root is in the public log';
create index sum_tree_unlogged on sum_tree (day, pool) where not is_logged;

create table sum_tree_tile (
	pool text not null,
	day int not null,
	level int not null,
	tile int not null,
	nodes bytea not null,
	primary key (pool, day, level, tile),
	foreign key (pool, day) references sum_tree
);
alter table sum_tree_tile alter column nodes set storage external;
comment on table sum_tree_tile is 'Nodes of the newest tree of a pool: up to 256 neighbours of every eighth level, from which paths are computed';
comment on column sum_tree_tile.level is 'In units of eight levels; 0 has the leaves';
comment on column sum_tree_tile.nodes is '56 bytes a node: hash, cash, held, bonus';

create table sum_tree_place (
	pool text not null,
	day int not null,
	block int not null,
	first_wallet bigint not null,
	places bytea not null,
	primary key (pool, day, block),
	foreign key (pool, day) references sum_tree
);
alter table sum_tree_place alter column places set storage external;
comment on table sum_tree_place is 'Where the leaves of each wallet stand in the newest tree of a pool';
comment on column sum_tree_place.block is 'From 0; 256 wallets each, by their ids';
comment on column sum_tree_place.first_wallet is 'The smallest id in the block';
comment on column sum_tree_place.places is 'A wallet after another: its id in 8 bytes, and the places of its leaves in 4 each';
create index sum_tree_place_by_wallet on sum_tree_place (pool, day, first_wallet);
