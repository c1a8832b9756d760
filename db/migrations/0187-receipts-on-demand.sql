-- A client may ask for its receipt after the answer: the leaves of the tree stand beside the root, so that each path can be computed.

alter table receipt_root add column batch bigint;
alter table receipt_root add column seed bytea;
alter table receipt_root add column leaves bytea;
comment on column receipt_root.batch is 'The newest durable batch when it was signed; null where no receipt is given on demand';
comment on column receipt_root.seed is 'From which the salts of its statements are computed; null where no receipt is given on demand';
comment on column receipt_root.leaves is 'Hashes of its leaves, 32 bytes each, in their order; null where no receipt is given on demand';
