/** Significant events: what is asked for stands in the address, so that the list can be sent to a colleague. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { type InputOf, operate, type ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { useDayBefore } from '#console/parts/days.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { SaveAllPages } from '#console/parts/save-all-pages.tsx';
import { EVENT_KIND_NAMES, EVENT_KINDS } from '#contract/operators/significant-events.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Row = ResultOf<'significant-events'>['rows'][number];

export const SIGNIFICANT_EVENTS_FIELDS = ['from', 'to', 'kind', 'brand', 'playerId'] as const;
type Asked = Record<(typeof SIGNIFICANT_EVENTS_FIELDS)[number], string>;

const textOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value));

const COLUMNS: readonly Column<Row>[] = [
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2.2 },
	{ head: 'Kind', value: ({ kind }) => EVENT_KINDS[kind], width: 2 },
	{ head: 'Who', value: ({ actor }) => actor, width: 1.2 },
	{ head: 'What', value: ({ what }) => what, show: ({ what }) => words(what), width: 1.5 },
	{
		head: 'About',
		value: ({ about }) => about,
		show: ({ about, playerId }) =>
			playerId ? (
				<Link to="/players/$playerId" params={{ playerId }}>
					{about}
				</Link>
			) : (
				about
			),
		width: 1.8,
	},
	{
		head: 'Amount',
		value: ({ amount: sum }) => sum,
		show: (row) => row.amount !== null && amount(row.amount),
		isFigure: true,
		width: 1.3,
	},
	{ head: 'Outcome', value: ({ outcome }) => outcome },
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.4 },
	{ head: 'Details', value: ({ details }) => textOf(details), width: 2 },
	{ head: 'Before', value: ({ before }) => textOf(before) },
	{ head: 'After', value: ({ after }) => textOf(after) },
	{ head: 'Record', value: ({ id }) => id, width: 1.4 },
];

export function SignificantEventsScreen(): ReactElement {
	const navigate = useNavigate();
	const search = useSearch({ from: '/significant' });
	const dayBefore = useDayBefore();
	const [opened, setOpened] = useState<Row | null>(null);
	const asked: Asked = {
		from: search.from ?? dayBefore(0),
		to: search.to ?? dayBefore(0),
		kind: search.kind ?? '',
		brand: search.brand ?? '',
		playerId: search.playerId ?? '',
	};
	const input = asked as InputOf<'significant-events'>;
	const before = search.before ?? '';
	const query = useCall('significant-events', { ...input, before });
	const ask = (changed: Record<string, string>) => {
		const given = Object.entries({ ...asked, ...changed }).filter(([, value]) => value !== '');
		void navigate({ to: '/significant', search: Object.fromEntries(given) });
	};
	const find = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		ask(Object.fromEntries(SIGNIFICANT_EVENTS_FIELDS.map((name) => [name, String(form.get(name) ?? '').trim()])));
	};
	return (
		<>
			<h1>Significant events</h1>
			<form className="asked" onSubmit={find} key={JSON.stringify(asked)}>
				<label className="filter">
					From <input type="date" name="from" defaultValue={asked.from} required />
				</label>
				<label className="filter">
					To <input type="date" name="to" defaultValue={asked.to} required />
				</label>
				<label className="filter">
					Kind{' '}
					<select name="kind" defaultValue={asked.kind}>
						<option value="">All</option>
						{EVENT_KIND_NAMES.map((kind) => (
							<option key={kind} value={kind}>
								{EVENT_KINDS[kind]}
							</option>
						))}
					</select>
				</label>
				<input className="filter-text" name="brand" aria-label="Brand" placeholder="Brand" defaultValue={asked.brand} />
				<input
					className="filter-text"
					name="playerId"
					aria-label="Player"
					placeholder="Player’s number"
					defaultValue={asked.playerId}
				/>
				<Button type="submit">Show</Button>
			</form>
			<Loaded query={query}>
				{({ rows, next }) => (
					<>
						<RecordTable
							title="Significant events"
							columns={COLUMNS}
							rows={rows}
							keyOf={({ id }) => id}
							onOpen={setOpened}
							empty="Nothing significant happened in this period."
						/>
						<OlderNewest
							onOlder={next === null ? null : () => ask({ before: next })}
							onNewest={before === '' ? null : () => ask({})}
						>
							<SaveAllPages
								key={JSON.stringify(asked)}
								name="significant-events.csv"
								columns={COLUMNS}
								pageOf={(page) => operate('significant-events', { ...input, before: page })}
							/>
						</OlderNewest>
					</>
				)}
			</Loaded>
			{opened && (
				<Dialog title={`${EVENT_KINDS[opened.kind]} · ${opened.about}`} onClose={() => setOpened(null)}>
					<pre>
						{JSON.stringify(
							{ record: opened.id, details: opened.details, before: opened.before, after: opened.after },
							null,
							2,
						)}
					</pre>
				</Dialog>
			)}
		</>
	);
}
