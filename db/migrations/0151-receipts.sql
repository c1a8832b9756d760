-- Receipts of answers: each signed root stands here, and in the public log, before a receipt under it is given out.

create table receipt_root (
	id text primary key,
	size int not null,
	root bytea not null,
	at bigint not null,
	is_logged boolean not null default false
);
comment on table receipt_root is 'Roots of the trees of receipts that were signed together. What a receipt says only its player has';
comment on column receipt_root.id is 'Random, 16 hexadecimal digits; part of the signed name';
comment on column receipt_root.size is 'How many receipts';
comment on column receipt_root.at is 'When it was signed, by the exchange’s clock';
comment on column receipt_root.is_logged is 'The root is in the public log';
create index receipt_root_unlogged on receipt_root (at, id) where not is_logged;
