/**
 * Payments and deposits that name the same transfer, or show the same picture: duplicates and their originals, in both
 * directions.
 */
import type pg from 'pg';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { type Evidence, SAME_TRANSFER } from '#server/money/funds/receipts/evidence.ts';

/** More claims on one transfer are rare. */
const MOST = 20;

/** The others: payments first, because the provider's word takes precedence. */
export async function sameTransfer(db: pg.Pool, workflow: Workflow): Promise<Evidence[]> {
	const { kind, id } = workflow;
	if (kind !== 'PAYMENT' && kind !== 'DEPOSIT') return [];
	const { utr = null } = workflow.data;
	const imageRef = kind === 'DEPOSIT' ? workflow.data.imageRef : null;
	const { rows } = await db.query<Evidence>(`${SAME_TRANSFER} order by kind desc, id limit ${MOST}`, [utr, imageRef]);
	return rows.filter((row) => row.kind !== kind || row.id !== id);
}
