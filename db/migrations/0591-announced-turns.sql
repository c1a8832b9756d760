-- How much longer than usual the holder may be silent after its last batch: it has announced a long turn. Milliseconds.
alter table lease add column announced_ms integer not null default 0;
