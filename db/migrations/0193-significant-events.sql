-- Significant events are read by time from the journal, the ledger and the tries of passwords.

create index journal_by_time on journal using brin (at);
create index posting_outside on posting (at) where kind in ('PAYMENT', 'DEPOSIT', 'WITHDRAWAL', 'ADJUSTMENT', 'DISPUTE');
create index posting_below_zero on posting (at) where cash_after < 0;
create index login_attempt_failed on login_attempt (at) where not succeeded;
