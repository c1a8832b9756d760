-- The half of an initial password that the proposing member was shown, sealed with a data key until it is confirmed.
alter table proposal add column half_key_id text, add column half bytea;
-- Rare acts are found without reading the journal from its end.
create index journal_by_act on journal (act, seq desc);
