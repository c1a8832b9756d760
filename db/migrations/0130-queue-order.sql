-- Of a bet that waited out an in-play delay: the last bet placed before it reached the book, behind which it stands.
alter table bet add column queued_after bigint;
