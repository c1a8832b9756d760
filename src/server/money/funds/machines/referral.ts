import { machine } from '#server/money/funds/machine.ts';

export const REFERRAL = machine<unknown, 'amount'>({
	kind: 'REFERRAL',
	title: 'Referral',
	open: ['LINKED', 'QUALIFIED'],
	rows: [
		{ from: [], event: 'link', to: 'LINKED', by: 'registration with a code of the same domain' },
		{ from: [], event: 'void', to: 'VOID', by: 'registration: own mobile, device or payment details, or a cycle' },
		{
			from: ['LINKED'],
			event: 'qualify',
			to: 'QUALIFIED',
			by: 'server: deposits matured, wagered enough in sports',
		},
		{
			from: ['QUALIFIED'],
			event: 'disqualify',
			to: 'LINKED',
			by: 'server, at a claim: the deposit or the wagering does not stand any more',
		},
		{
			from: ['QUALIFIED'],
			event: 'claim',
			to: 'CLAIMED',
			by: 'referrer, once, within the cap',
			moves: [{ debit: 'referral_cost', credit: 'cash', amount: 'amount' }],
		},
		{ from: ['LINKED', 'QUALIFIED'], event: 'void', to: 'VOID', by: 'rule or operator, with a reason' },
		{ from: ['CLAIMED'], event: 'propose', to: null, by: 'the first of two operators' },
		{
			from: ['CLAIMED'],
			event: 'claw-back',
			to: 'CLAWED_BACK',
			by: 'two operators, with a reason; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'referral_cost', amount: 'amount', mayOverdraw: true }],
		},
	],
});
