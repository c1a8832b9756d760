import { machine } from '#server/money/funds/machine.ts';

export const TAX = machine<null, 'amount'>({
	kind: 'TAX',
	title: 'Tax',
	open: [],
	rows: [
		{
			from: [],
			event: 'withhold',
			to: 'WITHHELD',
			by: 'member, of a player’s net winnings of a year that is over; once a player and year; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'tax', amount: 'amount', mayOverdraw: true }],
		},
		{
			from: [],
			event: 'accrue',
			to: 'ACCRUED',
			by: 'member, of a month that is over; once a brand, tax and month',
			moves: [{ debit: 'tax_cost', credit: 'tax', amount: 'amount' }],
		},
	],
});
