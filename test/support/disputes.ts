/** Disputes of payments, as the provider opens and ends them. */
import type { TestServer } from './server.ts';

/** Opens a dispute of all of the payment that is not disputed yet. */
export async function disputeAll({ running }: TestServer, paymentId: number): Promise<void> {
	const { ledger, disputes } = running.funds;
	await ledger.inTurnOf({ kind: 'PAYMENT', id: paymentId }, async (payment) => {
		await disputes.open(payment, { amount: await disputes.undisputed(payment), actor: 'provider' });
	});
}

/** Ends the payment's open disputes. */
export async function endDisputes({ running }: TestServer, paymentId: number, event: 'won' | 'lost'): Promise<void> {
	const { ledger, disputes } = running.funds;
	for (const { id, state } of await disputes.of(await ledger.find('PAYMENT', paymentId)))
		if (state === 'OPEN')
			await ledger.inTurnOf({ kind: 'DISPUTE', id }, (dispute) => disputes.end(dispute, event, 'provider'));
}
