-- Reports read what bonuses cost in a period from the few postings between players' cash and the accounts of bonuses.
create index posting_of_bonuses on posting (at) where (
	debit in ('bonus', 'bonus_cost', 'referral_cost') and credit = 'cash' or credit in ('bonus', 'bonus_cost', 'referral_cost') and debit = 'cash'
);
