-- Each statement has a time and a batch of its own, so that its leaf is hashed when it is made and nothing else of it is kept.

alter table receipt_root add column moments bytea;
alter table receipt_root alter column moments set storage external;
comment on column receipt_root.moments is 'Of each leaf in their order: the time of its statement and the newest durable batch then, 6 bytes each; null where batch and at are those of all, and where no receipt is given on demand';
comment on column receipt_root.batch is 'The newest durable batch when it was signed, of all its statements; null where each has its own, and where no receipt is given on demand';
