/** Names the command after which a standby differs: the first whose postings are not those of the ledger. */
import type pg from 'pg';
import { type Evidence, nameOf } from '#server/exchange/standby/follower.ts';

/** Of a posting, in the order of the query. */
const text = (...values: readonly unknown[]): string => values.join(' ');

/** @returns null when all postings agree, so that the difference is elsewhere in the batch */
export async function nameDifference(
	db: pg.Pool,
	{ batch, inputs, postings, postingCounts }: Evidence,
): Promise<string | null> {
	const { rows } = await db.query<unknown[]>({
		text: `select kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount
			from posting where batch = $1 order by line`,
		values: [batch],
		rowMode: 'array',
	});
	const ours = postings.map(({ kind, ref, step, pool, debit, debitOwner, credit, creditOwner, amount }) =>
		text(kind, ref, step, pool, debit, debitOwner, credit, creditOwner, amount),
	);
	const theirs = rows.map((row) => text(...row));
	const most = Math.max(ours.length, theirs.length);
	for (let at = 0; at < most; at++) {
		if (ours[at] === theirs[at]) continue;
		const command = postingCounts.findIndex((count) => count > at);
		const name = nameOf(batch, inputs, command < 0 ? inputs.length - 1 : command);
		return `${name}: the exchange posted "${theirs[at] ?? 'nothing'}", the standby "${ours[at] ?? 'nothing'}".`;
	}
	return null;
}
