/** Payments and deposits that name the same transfer, or show the same picture: the duplicate and what it repeats, both ways. */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { WalletId } from '#values/ids.ts';

/** One transfer is seldom claimed more often. */
const MOST = 20;

const TRANSFERS = `select kind, id, state, wallet_id as "walletId" from workflow`;

/** Of the reference `$1` and of the picture `$2`; null for none. */
export const SAME_TRANSFER = `
	${TRANSFERS} where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr' and data ->> 'utr' = $1
	union
	${TRANSFERS} where kind = 'DEPOSIT' and data ->> 'imageRef' in (
	  select other.image_ref from stored_image as own join stored_image as other using (hash) where own.image_ref = $2
	) order by kind, id limit ${MOST}`;

/** The others. */
export async function sameTransfer(
	db: pg.Pool,
	{ kind, id, data }: Workflow,
): Promise<{ kind: TransferKind; id: number; state: string; walletId: WalletId }[]> {
	if (kind !== 'PAYMENT' && kind !== 'DEPOSIT') return [];
	const { utr = null, imageRef = null } = data as { utr?: string; imageRef?: string };
	const { rows } = await db.query<{ kind: TransferKind; id: number; state: string; walletId: WalletId }>(
		SAME_TRANSFER,
		[utr, imageRef],
	);
	return rows.filter((row) => row.kind !== kind || row.id !== id);
}
