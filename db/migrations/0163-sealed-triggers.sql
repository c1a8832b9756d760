-- Triggers are sealed like bets. Those of before are sealed by the first start of a release that seals them.

alter table lease add column sealed_code int not null default 12;
comment on column lease.sealed_code is 'The largest code of a sealed table whose rows of before are sealed, too: a release that seals further tables enters their rows at its first start';
