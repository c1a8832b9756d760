import { type Guard, machine } from '#server/money/funds/machine.ts';

interface PaymentFacts {
	/** The provider names the amount and the currency of the order. */
	isAsOrdered: boolean;
	/** The player may deposit now: the account is not barred, and the limits leave room for a late payment. */
	mayDeposit: boolean;
	/** Another dispute of it is open. */
	isDisputed: boolean;
	/** A dispute of it was lost, in part or in full. */
	isLost: boolean;
	/** Coins of the demo pool, for which no operator decides. */
	isDemo: boolean;
	/** The provider returns it to its payer when the server asks. */
	isSentBack: boolean;
	/** No chargeback of it is open, as the provider says while it waits for review. */
	isUndisputed: boolean;
	/** Nor was one lost. */
	isKept: boolean;
}

export const NO_PAYMENT_FACTS: PaymentFacts = {
	isAsOrdered: false,
	mayDeposit: false,
	isDisputed: false,
	isLost: false,
	isDemo: false,
	isSentBack: false,
	isUndisputed: false,
	isKept: false,
};

const allowed: Guard<PaymentFacts> = {
	text: 'amount and currency equal, account open, limits allow what is late',
	holds: ({ isAsOrdered, mayDeposit }) => isAsOrdered && mayDeposit,
};
const stillDisputed: Guard<PaymentFacts> = { text: 'another dispute is open', holds: ({ isDisputed }) => isDisputed };
const ofDemo: Guard<PaymentFacts> = { text: 'coins of the demo pool', holds: ({ isDemo }) => isDemo };
const sentBack: Guard<PaymentFacts> = {
	text: 'the provider returns payments',
	holds: ({ isSentBack }) => isSentBack,
};
const undisputed: Guard<PaymentFacts> = {
	text: 'no chargeback of it is open',
	holds: ({ isUndisputed }) => isUndisputed,
};
const kept: Guard<PaymentFacts> = { text: 'no chargeback of it is open or lost', holds: ({ isKept }) => isKept };
const partLost: Guard<PaymentFacts> = { text: 'a part or all was lost', holds: ({ isLost }) => isLost };

/** Amounts: `amount` of the order, `paid` as reported by the provider. */
export const PAYMENT = machine<PaymentFacts, 'amount' | 'paid'>({
	kind: 'PAYMENT',
	title: 'UPI payment',
	open: ['CREATED', 'PENDING', 'FAILED', 'EXPIRED', 'REVIEW', 'REFUNDED', 'DISPUTED'],
	rows: [
		{ from: [], event: 'generate', to: 'CREATED', by: 'player; the limits reserve room' },
		{ from: ['CREATED'], event: 'ordered', to: 'PENDING', by: 'provider, called by the name that is stored before' },
		{
			from: ['CREATED', 'PENDING'],
			event: 'succeeded',
			guard: allowed,
			to: 'SUCCESS',
			by: 'provider, with a UTR not seen before',
			moves: [{ debit: 'gateway', credit: 'cash', amount: 'paid' }],
		},
		{ from: ['CREATED', 'PENDING'], event: 'failed', to: 'FAILED', by: 'provider' },
		{ from: ['CREATED', 'PENDING'], event: 'expired', to: 'EXPIRED', by: 'clock; polled for 3 more days' },
		{
			from: ['FAILED', 'EXPIRED'],
			event: 'succeeded',
			guard: allowed,
			to: 'SUCCESS',
			by: 'provider, late',
			moves: [{ debit: 'gateway', credit: 'cash', amount: 'paid' }],
		},
		{
			from: ['CREATED', 'PENDING', 'FAILED', 'EXPIRED'],
			event: 'succeeded',
			guard: ofDemo,
			to: 'REFUNDED',
			by: 'provider: what would wait for review; nothing was paid that had to be returned',
			closes: true,
		},
		{
			from: ['CREATED', 'PENDING', 'FAILED', 'EXPIRED'],
			event: 'succeeded',
			to: 'REVIEW',
			by: 'provider: the amount differs, the account is barred, or it is late and passes a limit',
			moves: [{ debit: 'gateway', credit: 'unmatched', amount: 'paid' }],
		},
		{
			from: [],
			event: 'paid-again',
			to: 'REVIEW',
			by: 'provider: a second payment on a paid order, as an order of its own',
			moves: [{ debit: 'gateway', credit: 'unmatched', amount: 'paid' }],
		},
		{ from: ['FAILED', 'EXPIRED'], event: 'give-up', to: null, by: 'clock, after 3 days', closes: true },
		{ from: ['REVIEW'], event: 'propose', to: null, by: 'the first of two operators' },
		{
			from: ['REVIEW'],
			event: 'charged-back',
			to: null,
			by: 'provider: its word on a chargeback of it, or that it gave it back; what was proposed falls',
		},
		{
			from: ['REVIEW'],
			event: 'credit',
			guard: kept,
			to: 'CREDITED',
			by: 'two operators',
			moves: [{ debit: 'unmatched', credit: 'cash', amount: 'paid' }],
		},
		{
			from: ['REVIEW'],
			event: 'refund',
			guard: sentBack,
			to: 'REFUNDED',
			by: 'two operators; the server then asks the provider',
			moves: [{ debit: 'unmatched', credit: 'gateway', amount: 'paid' }],
		},
		{
			from: ['REVIEW'],
			event: 'refund',
			guard: undisputed,
			to: 'REFUNDED',
			by: 'two operators, who return it outside, unless the provider took it back',
			moves: [{ debit: 'unmatched', credit: 'gateway', amount: 'paid' }],
			closes: true,
		},
		{ from: ['REFUNDED'], event: 'returned', to: null, by: 'provider: the payer has it', closes: true },
		{
			from: ['REFUNDED'],
			event: 'not-returned',
			to: 'REVIEW',
			by: 'provider, only when it definitely returned nothing',
			moves: [{ debit: 'gateway', credit: 'unmatched', amount: 'paid' }],
		},
		{
			from: ['SUCCESS', 'CREDITED', 'WON', 'LOST'],
			event: 'dispute',
			to: 'DISPUTED',
			by: 'with the first open dispute',
		},
		{ from: ['DISPUTED'], event: 'dispute', to: null, by: 'with another dispute beside it' },
		{ from: ['DISPUTED'], event: 'dispute-ended', guard: stillDisputed, to: null, by: 'with a dispute that ends' },
		{
			from: ['DISPUTED', 'WON', 'LOST'],
			event: 'dispute-ended',
			guard: partLost,
			to: 'LOST',
			by: 'with the last dispute that ends, or is ended otherwise by a later word',
		},
		{
			from: ['DISPUTED', 'WON', 'LOST'],
			event: 'dispute-ended',
			to: 'WON',
			by: 'with the last dispute that ends, or is ended otherwise by a later word',
		},
	],
});
