/**
 * What results make a player gain, posting by posting: markets that are settled, reopened and settled again, and rounds of
 * the casino. A correction counts by its difference and at its own time.
 */
import type { Posting, PostingKind } from '#engine/effect.ts';
import type { AnyMinor } from '#values/money.ts';

const MARKET_RESULTS = ['MARKET_SETTLED', 'COMMISSION', 'MARKET_REOPENED'] as const satisfies readonly PostingKind[];
const RESULTS: ReadonlySet<PostingKind> = new Set([...MARKET_RESULTS, 'CASINO']);

const isOwn = (account: Posting['debit']): boolean => account === 'cash' || account === 'exposure';

/** Minor units, below zero for a loss; zero for postings that are no result. */
export function gainOf({
	kind,
	debit,
	credit,
	amount,
}: Pick<Posting, 'kind' | 'debit' | 'credit' | 'amount'>): AnyMinor {
	if (!RESULTS.has(kind)) return 0;
	return (isOwn(credit) ? amount : 0) - (isOwn(debit) ? amount : 0);
}

/** SQL: the kinds of postings that are results of markets. */
export const MARKET_RESULT_KINDS = `(${MARKET_RESULTS.map((kind) => `'${kind}'`).join(', ')})`;

/** SQL: `gainOf` of a row of `posting` that is a result. */
export const GAIN = `(case when credit in ('cash', 'exposure') then amount else 0 end
	- case when debit in ('cash', 'exposure') then amount else 0 end)`;

/** SQL: the commission in a row of `posting` that is a result; below zero where it is given back. */
export const COMMISSION = `(case when credit = 'commission' then amount when debit = 'commission' then -amount else 0 end)`;
