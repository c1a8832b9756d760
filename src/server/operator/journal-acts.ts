/** Reading the journal. */
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { type Act, act } from '#server/operator/act.ts';

const PAGE = 200;

interface Row {
	seq: number;
	at: number;
	actor: string;
	address: string | null;
	act: string;
	subject: string;
	details: unknown;
	before: unknown;
	after: unknown;
	outcome: string;
}

export const JOURNAL_ACTS: Record<string, Act> = {
	journal: act({
		...OPERATOR_CALLS.journal,
		run: async ({ actor, subject, act: name, before }, { reads }) => {
			const { rows } = await reads.query<Row>(
				`select seq, at, actor, address, act, subject, details, before, after, outcome from journal
				 where ($1 = '' or actor = $1) and ($2 = '' or subject = $2) and ($3 = '' or act = $3)
				   and ($4 = 0 or seq < $4)
				 order by seq desc limit ${PAGE}`,
				[actor, subject, name, before],
			);
			return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
		},
	}),
};
