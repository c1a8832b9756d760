/** The journal: who did what, when, from where, before and after. */
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Row = ResultOf<'journal'>[number];

const COLUMNS: readonly Column<Row>[] = [
	{ head: 'No', value: ({ seq }) => seq, isFigure: true, width: 0.6 },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2.2 },
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
			<form className="asked" onSubmit={find}>
				<input className="filter-text" name="actor" aria-label="Who" placeholder="Who" />
				<input className="filter-text" name="act" aria-label="Act" placeholder="Act" />
				<input className="filter-text" name="subject" aria-label="About" placeholder="About, such as player 1003" />
				<Button type="submit">Find</Button>
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
						<OlderNewest
							onOlder={rows.length === 0 ? null : () => setAsked({ ...asked, before: rows.at(-1)?.seq ?? 0 })}
							onNewest={asked.before === 0 ? null : () => setAsked({ ...asked, before: 0 })}
						/>
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
