import { type Guard, machine } from '#server/money/funds/machine.ts';

interface DisputeFacts {
	/** Everything is paid, or no money of the player can become free any more. */
	isFinal: boolean;
}

const isFinal: Guard<DisputeFacts> = {
	text: 'all is taken, or no bet, round or withdrawal of the player is open, and no other dispute holds money',
	holds: (facts) => facts.isFinal,
};

const lost = [
	{ debit: 'hold', credit: 'gateway', amount: 'held' },
	{ debit: 'cash', credit: 'gateway', amount: 'taken' },
	{ debit: 'loss', credit: 'gateway', amount: 'rest' },
] as const;
const lostBy = 'provider, or two operators; a rest freezes the account for as long as it is left';
const taken = [{ debit: 'cash', credit: 'loss', amount: 'taken' }] as const;
const takenBy = 'server, as money comes free';

/**
 * A cycle of a dispute. Amounts: `held` from the hold or to it, `taken` from the player's cash, `rest` for the house.
 */
export const DISPUTE = machine<DisputeFacts, 'held' | 'taken' | 'rest'>({
	kind: 'DISPUTE',
	title: 'Dispute of a payment',
	open: ['OPEN', 'OWED'],
	rows: [
		{
			from: [],
			event: 'open',
			to: 'OPEN',
			by: 'provider or operator: a chargeback of a part or all of a payment was opened',
			moves: [{ debit: 'cash', credit: 'hold', amount: 'held' }],
		},
		{
			from: ['OPEN'],
			event: 'hold',
			to: null,
			by: takenBy,
			moves: [{ debit: 'cash', credit: 'hold', amount: 'held' }],
		},
		{ from: ['OPEN'], event: 'evidence', to: null, by: 'operator: what the bank is told' },
		{ from: ['OPEN'], event: 'propose', to: null, by: 'the first of two operators' },
		{
			from: ['OPEN', 'WON', 'OWED', 'LOST'],
			event: 'hear',
			to: null,
			by: 'provider: its name for the dispute, or the opening of one whose end came first',
		},
		{
			from: ['OPEN'],
			event: 'won',
			to: 'WON',
			by: 'provider, or two operators',
			moves: [{ debit: 'hold', credit: 'cash', amount: 'held' }],
		},
		{ from: ['OPEN', 'WON'], event: 'lost', guard: isFinal, to: 'LOST', by: lostBy, moves: lost },
		{ from: ['OPEN', 'WON'], event: 'lost', to: 'OWED', by: lostBy, moves: lost },
		{ from: ['OWED'], event: 'take', guard: isFinal, to: 'LOST', by: takenBy, moves: taken },
		{ from: ['OWED'], event: 'take', to: null, by: takenBy, moves: taken },
		{
			from: ['OWED', 'LOST'],
			event: 'won',
			to: 'WON',
			by: 'provider, by a later word',
			moves: [
				{ debit: 'gateway', credit: 'cash', amount: 'taken' },
				{ debit: 'gateway', credit: 'loss', amount: 'rest' },
			],
		},
		{
			from: ['WON'],
			event: 'reopen',
			to: 'OPEN',
			by: 'provider, by a later word',
			moves: [{ debit: 'cash', credit: 'hold', amount: 'held' }],
		},
		{
			from: ['OWED', 'LOST'],
			event: 'reopen',
			to: 'OPEN',
			by: 'provider, by a later word',
			moves: [
				{ debit: 'gateway', credit: 'hold', amount: 'taken' },
				{ debit: 'gateway', credit: 'loss', amount: 'rest' },
			],
		},
	],
});
