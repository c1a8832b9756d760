-- Postings of a day, for operators: they are written in the order of their time, so that ranges of blocks are enough, and
-- writing one costs next to nothing.
create index posting_by_time on posting using brin (at);
