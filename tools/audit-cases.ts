/** The audit of cases: the evidence of each entry is what the entry seals; the journal has the hash of the entry. */
import type { CaseFact } from '../src/server/operators/cases/case-rows.ts';
import { factsDigest } from '../src/server/operators/cases/facts-digest.ts';
import type { Check } from './audit-check.ts';
import { rowsOf } from './audit-seals.ts';

interface Entry {
	caseId: number;
	number: number;
	digest: Buffer | null;
	facts: CaseFact[];
}

export const casesHaveTheirFacts: Check = {
	name: 'every fact of a case is one that the case was opened or extended with, and none is missing',
	run: async (client) => {
		let rows = 0;
		const query = `select entry.case_id as "caseId", number, facts_digest as digest,
			coalesce(jsonb_agg(jsonb_build_object('fact', fact, 'playerId', player_id, 'atMs', fact.at, 'kind', fact.kind,
				'ref', ref, 'amount', amount, 'words', words)) filter (where fact is not null), '[]') as facts
			from compliance_case_entry as entry left join compliance_case_fact as fact
				on fact.case_id = entry.case_id and fact.entry = number
			group by entry.entry_id order by entry.entry_id`;
		for await (const { caseId, number, digest, facts } of rowsOf<Entry>(client, 'case_facts', query)) {
			rows += facts.length;
			const isSealed = digest === null ? facts.length === 0 : factsDigest(facts).equals(digest);
			if (!isSealed) return { rows, wrong: { table: 'compliance_case_fact', caseId, entry: number, is: 'edited' } };
		}
		return { rows, wrong: null };
	},
};
