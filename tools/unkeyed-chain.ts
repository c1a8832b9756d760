/** The unkeyed hash chain over all postings: each batch's hash covers the chain before it. */
import { createHash } from 'node:crypto';

export interface ChainedPosting {
	atMs: number;
	kind: string;
	ref: number;
	step: number;
	pool: string;
	debit: string;
	debitOwner: number;
	credit: string;
	creditOwner: number;
	amount: number;
	walletId: number;
	cashAfter: number;
	marketId: number;
}

/** The chain after a batch's postings, in order; a batch without postings leaves it unchanged. */
export function chainAfter(chain: Buffer, postings: readonly ChainedPosting[]): Buffer {
	if (postings.length === 0) return chain;
	const hash = createHash('sha256').update(chain);
	for (const posting of postings) {
		hash.update(
			`${posting.atMs}|${posting.kind}|${posting.ref}|${posting.step}|${posting.pool}|${posting.debit}|` +
				`${posting.debitOwner}|${posting.credit}|${posting.creditOwner}|${posting.amount}|${posting.walletId}|` +
				`${posting.cashAfter}|${posting.marketId}\n`,
		);
	}
	return hash.digest();
}
