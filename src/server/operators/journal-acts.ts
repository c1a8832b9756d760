/** Reading the journal. */
import { namesInJournal } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf } from '#server/operators/act.ts';
import type { JournalRow } from '#server/platform/postgres/journal.ts';

const PAGE = 200;

/** The displayed part of a row; its chain and a player's hash are for the audit. */
type Row = Omit<JournalRow, 'player_id' | 'player_hash'>;

export const JOURNAL_ACTS: ActsOf<'journal'> = {
	journal: async ({ actor, subject, act: name, before }, { reads }) => {
		const { rows } = await reads.query<Row>(
			`select seq, at, actor, address, act, subject, details, before, after, outcome from journal
			 where ($1 = '' or actor = $1) and ($2 = '' or subject = $2) and ($3 = '' or act = any ($5))
			   and ($4 = 0 or seq < $4)
			 order by seq desc limit ${PAGE}`,
			[actor, subject, name, before, namesInJournal(name)],
		);
		return rows.map((row) => ({ ...row, at: isoTime(row.at) }));
	},
};
