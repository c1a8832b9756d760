/** The data of payment disputes in their workflows. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';

export type DisputeData = DataOf<'DISPUTE'>;

/** Whether the player's money does not cover it yet: its hold is incomplete, or it is lost and not fully paid. */
export function isShort(dispute: Workflow<'DISPUTE'>): boolean {
	const { amount, held } = dispute.data;
	return dispute.state === 'OWED' || (dispute.state === 'OPEN' && held < amount);
}
