/** Disputes of payments as their workflows know them. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { AnyPaise } from '#values/money.ts';

/** A cycle of a dispute. Amounts are paise. */
export interface DisputeData {
	/** Id of the payment. */
	payment: number;
	/** From 1, of the payment. */
	cycle: number;
	/** What is disputed of the payment. */
	amount: AnyPaise;
	/** What of it is on the player's hold. */
	held: AnyPaise;
	/** Once it is lost: what the player has paid, and what the house has. */
	taken: AnyPaise;
	rest: AnyPaise;
	/** When the payment was credited. */
	paidAtMs: number;
	/** When it was lost last. */
	lostAtMs?: number;
	/** The provider's name for it; null while only we know it. */
	name: string | null;
	/** Of the provider's last word on it; null when it gives none. */
	sequence: number | null;
	/** The provider said that it was opened, and not only how it ended. */
	wasOpened: boolean;
	/** Until then the bank takes evidence; null when it is not known. */
	deadlineMs: number | null;
	evidence?: readonly { atMs: number; by: string; text: string }[];
}

export const disputeData = (workflow: Workflow): DisputeData => workflow.data as unknown as DisputeData;

/** Whether the player's money does not cover it yet: it lacks a part of its hold, or is lost and not paid. */
export function isShort(dispute: Workflow): boolean {
	const { amount, held } = disputeData(dispute);
	return dispute.state === 'OWED' || (dispute.state === 'OPEN' && held < amount);
}
