/**
 * What the provider says about taking back a payment in review. Nothing of it is the player's yet, so it has no
 * cycle of a dispute. While a chargeback of it is open, nothing is decided about it: credited, it would be the player's
 * and the provider's; refunded, the payer would have it twice. Of one that the provider took back nothing is left to
 * credit, and a refund sends nothing.
 */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { NO_PAYMENT_FACTS, PAYMENT } from '#server/money/funds/machines/payment.ts';
import type { ProviderWord } from '#server/money/funds/payments/provider.ts';
import { Refused } from '#values/error-catalogue.ts';

type Chargebacks = NonNullable<DataOf<'PAYMENT'>['chargebacks']>;

const STATES: Partial<Record<ProviderWord['status'], Chargebacks[string]['state']>> = {
	DISPUTED: 'OPEN',
	DISPUTE_WON: 'WON',
	DISPUTE_LOST: 'LOST',
	REVERSED: 'LOST',
};

/** The chargebacks after the word; null where it changes nothing. */
function after(known: Chargebacks, { status, dispute }: Pick<ProviderWord, 'status' | 'dispute'>): Chargebacks | null {
	const state = STATES[status];
	const { name, sequence } = dispute ?? { name: '', sequence: null };
	const before = known[name];
	if (!state) return null;
	// Words without a number come in any order: what was taken back stays so.
	const isOld =
		sequence === null ? before?.state === state || before?.state === 'LOST' : sequence <= (before?.sequence ?? -1);
	if (isOld) return null;
	return { ...known, [name]: { state, sequence } };
}

/** Notes the word in a payment in review. What one person proposed falls: it did not know of this. */
export async function noteChargeback(
	ledger: Pick<FundsLedger, 'happen'>,
	payment: Workflow<'PAYMENT'>,
	word: Pick<ProviderWord, 'status' | 'dispute'>,
): Promise<void> {
	const chargebacks = payment.state === 'REVIEW' ? after(payment.data.chargebacks ?? {}, word) : null;
	if (!chargebacks) return;
	const data = { chargebacks, proposed: null };
	const happening = { event: 'charged-back', facts: NO_PAYMENT_FACTS, amounts: {}, actor: 'provider', data };
	await ledger.happen(PAYMENT, payment, happening);
}

/** What guards of the machine ask. */
export function chargebackFacts({ data }: Workflow<'PAYMENT'>): { isUndisputed: boolean; isKept: boolean } {
	const states = Object.values(data.chargebacks ?? {}).map(({ state }) => state);
	return { isUndisputed: !states.includes('OPEN'), isKept: states.every((state) => state === 'WON') };
}

/** @throws Refused WRONG_STATE with what to do instead, for a decision that would pay out what the provider takes back */
export function refuseChargedBack(payment: Workflow<'PAYMENT'>, event: string): void {
	const { isUndisputed, isKept } = chargebackFacts(payment);
	const { state } = payment;
	if (!isUndisputed && (event === 'credit' || event === 'refund'))
		throw new Refused(
			'WRONG_STATE',
			{ state },
			'A chargeback of it is open. Decide when the provider says how it ended.',
		);
	if (!isKept && event === 'credit')
		throw new Refused(
			'WRONG_STATE',
			{ state },
			'The provider took it back. Refund it, which sends nothing to the payer.',
		);
}
