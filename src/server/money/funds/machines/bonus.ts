import { machine } from '#server/money/funds/machine.ts';

const taken = [{ debit: 'bonus', credit: 'bonus_cost', amount: 'amount' }] as const;

/** Amounts: `amount` of the grant; for a free bet the returned amount, and the `rest` of the grant. */
export const BONUS = machine<unknown, 'amount' | 'rest'>({
	kind: 'BONUS',
	title: 'Bonus grant',
	open: ['ACTIVE'],
	rows: [
		{
			from: [],
			event: 'claim',
			to: 'ACTIVE',
			by: 'player; once per player and bonus, within the campaign’s budget',
			moves: [{ debit: 'bonus_cost', credit: 'bonus', amount: 'amount' }],
		},
		{
			from: [],
			event: 'give',
			to: 'RELEASED',
			by: 'player; free coins once, cashback once a period, within the campaign’s budget',
			moves: [{ debit: 'bonus_cost', credit: 'cash', amount: 'amount' }],
		},
		{
			from: ['ACTIVE'],
			event: 'refund',
			to: 'RELEASED',
			by: 'server, when the market of a free bet was lost: what was lost, up to the grant',
			moves: [
				{ debit: 'bonus', credit: 'cash', amount: 'amount' },
				{ debit: 'bonus', credit: 'bonus_cost', amount: 'rest' },
			],
		},
		{
			from: ['ACTIVE'],
			event: 'release',
			to: 'RELEASED',
			by: 'server, when the money at risk in decided events and rounds comes to the wagering',
			moves: [{ debit: 'bonus', credit: 'cash', amount: 'amount' }],
		},
		{
			from: ['ACTIVE'],
			event: 'forfeit',
			to: 'FORFEITED',
			by: 'withdrawal, exclusion or closure; a chargeback or the reversal of the deposit that it matches',
			moves: taken,
		},
		{ from: ['ACTIVE'], event: 'expire', to: 'EXPIRED', by: 'clock, or a free bet whose market was won', moves: taken },
		{ from: ['ACTIVE'], event: 'cancel', to: 'CANCELLED', by: 'two operators, with a reason', moves: taken },
		{ from: ['ACTIVE', 'RELEASED'], event: 'propose', to: null, by: 'the first of two operators' },
		{
			from: ['RELEASED'],
			event: 'claw-back',
			to: 'CLAWED_BACK',
			by: 'two operators, with a reason; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'bonus_cost', amount: 'amount', mayOverdraw: true }],
		},
	],
});
