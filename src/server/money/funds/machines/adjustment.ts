import { type Guard, machine } from '#server/money/funds/machine.ts';

export interface AdjustmentFacts {
	/** True if the player gains, false if the house does. */
	isCredit: boolean;
	/** A bonus granted or revoked by an operator: it is booked with the bonuses' cost. */
	isBonus: boolean;
}
const credits: Guard<AdjustmentFacts> = { text: 'credit to the player', holds: ({ isCredit }) => isCredit };
const givesBonus: Guard<AdjustmentFacts> = {
	text: 'credit to the player, a bonus',
	holds: ({ isCredit, isBonus }) => isCredit && isBonus,
};
const takesBonus: Guard<AdjustmentFacts> = {
	text: 'debit of the player, a bonus',
	holds: ({ isCredit, isBonus }) => !isCredit && isBonus,
};

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
			guard: givesBonus,
			to: 'POSTED',
			by: 'server',
			moves: [{ debit: 'bonus_cost', credit: 'cash', amount: 'amount' }],
		},
		{
			from: ['APPROVED'],
			event: 'post',
			guard: takesBonus,
			to: 'POSTED',
			by: 'server; cash may go below zero',
			moves: [{ debit: 'cash', credit: 'bonus_cost', amount: 'amount', mayOverdraw: true }],
		},
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
