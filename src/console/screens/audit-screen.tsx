/** The journal: who did what, when, from where, before and after. */
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { type Column, RecordTable } from '#console/parts/record-table.tsx';

type Row = ResultOf<'journal'>[number];

const COLUMNS: readonly Column<Row>[] = [
	{ head: 'No', value: ({ seq }) => seq, isFigure: true, width: 0.6 },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 1.3 },
	{ head: 'Who', value: ({ actor }) => actor },
	{ head: 'From', value: ({ address }) => address ?? '' },
	{ head: 'Act', value: ({ act }) => act, width: 1.6 },
	{ head: 'About', value: ({ subject }) => subject, width: 2 },
	{ head: 'Outcome', value: ({ outcome }) => outcome, width: 1.5 },
	{ head: 'Details', value: ({ details }) => (details === null ? '' : JSON.stringify(details)), width: 3 },
];

const NOTHING = { actor: '', subject: '', act: '', before: 0 };

export function AuditScreen(): ReactElement {
	const [asked, setAsked] = useState(NOTHING);
	const [opened, setOpened] = useState<Row | null>(null);
	const query = useCall('journal', asked);
	const find = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const field = (name: string) => String(form.get(name) ?? '').trim();
		setAsked({ actor: field('actor'), subject: field('subject'), act: field('act'), before: 0 });
	};
	return (
		<>
			<h1>Audit</h1>
			<form className="table-tools" onSubmit={find}>
				<input name="actor" aria-label="Who" placeholder="Who" />
				<input name="act" aria-label="Act" placeholder="Act" />
				<input name="subject" aria-label="About" placeholder="About, such as player 1003" />
				<button type="submit">Find</button>
			</form>
			<Loaded query={query}>
				{(rows) => (
					<>
						<RecordTable
							title="Journal"
							columns={COLUMNS}
							rows={rows}
							keyOf={({ seq }) => String(seq)}
							onOpen={setOpened}
							empty="Nothing was done."
						/>
						<p className="acts">
							<button
								type="button"
								disabled={rows.length === 0}
								onClick={() => setAsked({ ...asked, before: rows.at(-1)?.seq ?? 0 })}
							>
								Older
							</button>
							<button type="button" disabled={asked.before === 0} onClick={() => setAsked({ ...asked, before: 0 })}>
								Newest
							</button>
						</p>
					</>
				)}
			</Loaded>
			{opened && (
				<Dialog title={`${opened.act} · ${opened.subject}`} onClose={() => setOpened(null)}>
					<pre>{JSON.stringify({ details: opened.details, before: opened.before, after: opened.after }, null, 2)}</pre>
				</Dialog>
			)}
		</>
	);
}
