-- Taxes: what is owed to authorities (tax), and what of it the house bears (tax_cost).

alter table house_account drop constraint house_account_check;
alter table house_account add constraint house_account_check check (
	balance >= 0
	or kind in ('mint', 'rounding', 'gateway', 'bank', 'payment_cost', 'casino', 'bonus_cost', 'referral_cost', 'loss',
		'tax_cost')
);
