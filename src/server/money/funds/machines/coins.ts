import { machine } from '#server/money/funds/machine.ts';

export const COINS = machine<null, 'amount'>({
	kind: 'COINS',
	title: 'Coins',
	open: [],
	rows: [
		{
			from: [],
			event: 'give',
			to: 'GIVEN',
			by: 'sign-up once, or the player once a day up to the floor',
			moves: [{ debit: 'mint', credit: 'cash', amount: 'amount' }],
		},
	],
});
