import { type Guard, machine } from '#server/money/funds/machine.ts';

interface WithdrawalFacts {
	/** The domain requires identity verification for this amount, and the player is not verified. */
	asksIdentity: boolean;
	/** Coins of the demo pool, for which no operator decides. */
	isDemo: boolean;
}

const asksIdentity: Guard<WithdrawalFacts> = {
	text: 'identity asked for, player not verified',
	holds: (facts) => facts.asksIdentity,
};

const ofDemo: Guard<WithdrawalFacts> = { text: 'coins of the demo pool', holds: ({ isDemo }) => isDemo };

const held = [
	{ debit: 'cash', credit: 'hold', amount: 'amount' },
	{ debit: 'cash', credit: 'tax', amount: 'tax' },
] as const;

/** In the same batch as what is returned. */
const taxBack = { debit: 'tax', credit: 'cash', amount: 'tax' } as const;
const back = [{ debit: 'hold', credit: 'cash', amount: 'amount' }, taxBack] as const;
const paid = [{ debit: 'payout', credit: 'bank', amount: 'amount' }] as const;
const failed = [{ debit: 'payout', credit: 'cash', amount: 'amount' }, taxBack] as const;

/** The states in which the amount is on the player's hold: until the payout has begun. */
export const HOLDING_STATES: ReadonlySet<string> = new Set(['REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'APPROVED']);

export const WITHDRAWAL = machine<WithdrawalFacts, 'amount' | 'tax'>({
	kind: 'WITHDRAWAL',
	title: 'Withdrawal',
	open: ['REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'APPROVED', 'PROCESSING', 'UNKNOWN'],
	rows: [
		{ from: [], event: 'request', guard: ofDemo, to: 'APPROVED', by: 'player, with enough free cash', moves: held },
		{
			from: [],
			event: 'request',
			guard: asksIdentity,
			to: 'WAITING_FOR_KYC',
			by: 'player, with enough free cash',
			moves: held,
		},
		{ from: [], event: 'request', to: 'REQUESTED', by: 'player, with enough free cash', moves: held },
		{ from: ['REQUESTED', 'FROZEN'], event: 'wait-for-kyc', to: 'WAITING_FOR_KYC', by: 'operator' },
		{
			from: ['WAITING_FOR_KYC'],
			event: 'identify',
			to: 'APPROVED',
			by: 'server, once the player is verified and no rule doubts',
		},
		{ from: ['REQUESTED', 'WAITING_FOR_KYC'], event: 'freeze', to: 'FROZEN', by: 'rule or operator' },
		{
			from: ['WAITING_FOR_KYC', 'FROZEN'],
			event: 'release',
			to: 'REQUESTED',
			by: 'operator, or server once the player is verified',
		},
		{
			from: ['REQUESTED', 'WAITING_FOR_KYC', 'FROZEN'],
			event: 'reject',
			to: 'REJECTED',
			by: 'operator, with a reason',
			moves: back,
		},
		{
			from: ['REQUESTED', 'WAITING_FOR_KYC'],
			event: 'cancel',
			to: 'CANCELLED',
			by: 'player, where the domain allows it',
			moves: back,
		},
		{ from: ['REQUESTED', 'UNKNOWN', 'PAID'], event: 'propose', to: null, by: 'the first of two operators' },
		{ from: ['REQUESTED'], event: 'approve', to: 'APPROVED', by: 'operator; a second one above a threshold per day' },
		{
			from: ['APPROVED'],
			event: 'pay-out',
			to: 'PROCESSING',
			by: 'server; the payout id is fixed',
			moves: [{ debit: 'hold', credit: 'payout', amount: 'amount' }],
		},
		{ from: ['PROCESSING', 'UNKNOWN'], event: 'paid', to: 'PAID', by: 'provider', moves: paid },
		{
			from: ['PROCESSING', 'UNKNOWN'],
			event: 'failed',
			to: 'FAILED',
			by: 'provider, only when it definitely refused',
			moves: failed,
		},
		{
			from: ['PROCESSING'],
			event: 'time-out',
			to: 'UNKNOWN',
			by: 'clock; looked up by our reference, never sent again',
		},
		{
			from: ['PAID'],
			event: 'return',
			to: 'RETURNED',
			by: 'two operators, by the bank’s statement',
			moves: [{ debit: 'bank', credit: 'cash', amount: 'amount' }, taxBack],
		},
	],
});
