/** Disputes of payments as their workflows know them. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';

export type DisputeData = DataOf<'DISPUTE'>;

/** Whether the player's money does not cover it yet: it lacks a part of its hold, or is lost and not paid. */
export function isShort(dispute: Workflow<'DISPUTE'>): boolean {
	const { amount, held } = dispute.data;
	return dispute.state === 'OWED' || (dispute.state === 'OPEN' && held < amount);
}
