-- Support finds a withdrawal by the bank's reference that the player reads on the statement.

create index workflow_payout_by_utr on workflow ((data ->> 'utr')) where kind = 'WITHDRAWAL' and data ? 'utr';
