/** Payments and deposits that name the same transfer, or show the same picture: the duplicate and what it repeats, both ways. */
import type pg from 'pg';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { type Evidence, SAME_TRANSFER } from '#server/money/funds/receipts/evidence.ts';

/** One transfer is seldom claimed more often. */
const MOST = 20;

/** The others: payments first, because the provider's word counts most. */
export async function sameTransfer(db: pg.Pool, workflow: Workflow): Promise<Evidence[]> {
	const { kind, id } = workflow;
	if (kind !== 'PAYMENT' && kind !== 'DEPOSIT') return [];
	const { utr = null } = workflow.data;
	const imageRef = kind === 'DEPOSIT' ? workflow.data.imageRef : null;
	const { rows } = await db.query<Evidence>(`${SAME_TRANSFER} order by kind desc, id limit ${MOST}`, [utr, imageRef]);
	return rows.filter((row) => row.kind !== kind || row.id !== id);
}
