import { type Guard, machine } from '#server/money/funds/machine.ts';

interface DepositFacts {
	/**
	 * The provider has the bank's reference, or the same person has sent the reference or the picture in a receipt that
	 * stands.
	 */
	isDuplicate: boolean;
}

const seenBefore: Guard<DepositFacts> = {
	text: 'UTR of a payment, or UTR or image of a receipt of the same person that stands',
	holds: ({ isDuplicate }) => isDuplicate,
};

export const DEPOSIT = machine<DepositFacts, 'amount'>({
	kind: 'DEPOSIT',
	title: 'Manual deposit with receipt',
	open: ['SUBMITTED', 'SCREENED'],
	rows: [
		{
			from: [],
			event: 'submit',
			guard: seenBefore,
			to: 'DUPLICATE',
			by: 'player',
		},
		{ from: [], event: 'submit', to: 'SUBMITTED', by: 'player: amount, UTR, image; the limits reserve room' },
		{ from: ['SUBMITTED'], event: 'screen', to: 'SCREENED', by: 'OCR, which confirms and flags and never credits' },
		{
			from: ['SUBMITTED', 'SCREENED'],
			event: 'approve',
			to: 'APPROVED',
			by: 'operator; a second one above a threshold, or above a deposit limit of the player',
			moves: [{ debit: 'bank', credit: 'cash', amount: 'amount' }],
		},
		{ from: ['SUBMITTED', 'SCREENED', 'APPROVED'], event: 'propose', to: null, by: 'the first of two operators' },
		{ from: ['SUBMITTED', 'SCREENED'], event: 'reject', to: 'REJECTED', by: 'operator, with a reason' },
		{
			from: ['REJECTED'],
			event: 'reopen',
			to: 'SCREENED',
			by: 'bank statement: it has the UTR and the amount, and nothing is credited for it',
		},
		{
			from: ['SUBMITTED', 'SCREENED'],
			event: 'displace',
			to: 'DUPLICATE',
			by: 'payment provider: it was paid the same UTR',
		},
		{
			from: ['APPROVED'],
			event: 'displace',
			to: 'DUPLICATE',
			by: 'payment provider: it was paid the same UTR, so the bank was not; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'bank', amount: 'amount', mayOverdraw: true }],
		},
		{
			from: ['APPROVED'],
			event: 'reverse',
			to: 'REVERSED',
			by: 'two operators, with a reason; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'bank', amount: 'amount', mayOverdraw: true }],
		},
	],
});
