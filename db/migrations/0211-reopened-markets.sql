-- Markets that were reopened since a time: their results count as the postings say, each at its own time.
create index posting_reopened on posting (at, ref) where kind = 'MARKET_REOPENED';
