/** What the entry of a case seals of its facts: the journal has a keyed hash of the entry, and so of the facts. */
import { createHash } from 'node:crypto';
import type { Fact } from '#server/operators/cases/candidate.ts';
import { canonicalJson } from '#values/canonical-json.ts';

/** A fact as its row has it. */
interface SealedFact extends Omit<Fact, 'name' | 'currency'> {
	fact: string;
}

/** SHA-256 of the facts, in any order. */
export function factsDigest(facts: readonly SealedFact[]): Buffer {
	const rows = facts
		.map(({ fact, playerId, atMs, kind, ref, amount, words }) =>
			canonicalJson([fact, playerId, atMs, kind, ref, amount, words]),
		)
		.sort();
	return createHash('sha256').update(rows.join('\n')).digest();
}
