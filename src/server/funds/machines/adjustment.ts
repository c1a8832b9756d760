import { type Guard, machine } from '#server/funds/machine.ts';

export interface AdjustmentFacts {
	/** The player gains; otherwise the house does. */
	isCredit: boolean;
}
const credits: Guard<AdjustmentFacts> = { text: 'credit to the player', holds: ({ isCredit }) => isCredit };

export const ADJUSTMENT = machine<AdjustmentFacts, 'amount'>({
	kind: 'ADJUSTMENT',
	title: 'Manual adjustment',
	open: ['REQUESTED', 'APPROVED'],
	rows: [
		{ from: [], event: 'request', to: 'REQUESTED', by: 'operator, with a reason code' },
		{ from: ['REQUESTED'], event: 'approve', to: 'APPROVED', by: 'another operator' },
		{ from: ['REQUESTED', 'APPROVED'], event: 'reject', to: 'REJECTED', by: 'another operator, with a reason' },
		{
			from: ['APPROVED'],
			event: 'post',
			guard: credits,
			to: 'POSTED',
			by: 'server',
			moves: [{ debit: 'loss', credit: 'cash', amount: 'amount' }],
		},
		{
			from: ['APPROVED'],
			event: 'post',
			to: 'POSTED',
			by: 'server, debit of the player; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'loss', amount: 'amount', mayOverdraw: true }],
		},
	],
});
