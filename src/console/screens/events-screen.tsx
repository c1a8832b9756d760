/** Every event in memory, in figures. */
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { sportName, sums, time, weightOf, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Event = ResultOf<'events'>[number];
/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Event>[] = [
	{ head: 'Event', value: ({ event }) => event, width: 3 },
	{ head: 'Sport', value: ({ sport }) => sportName(sport), width: 1.2 },
	{ head: 'State', value: ({ status }) => words(status) },
	{ head: 'Starts', value: ({ startsAt }) => startsAt, show: ({ startsAt }) => time(startsAt), width: 2.2 },
	{ head: 'Score', value: ({ score }) => score ?? '', width: 1.8 },
	{ head: 'Markets', value: ({ markets }) => markets, isFigure: true, width: 0.7 },
	{ head: 'Open', value: ({ open }) => open, isFigure: true, width: 0.6 },
	{ head: 'No result', value: ({ waiting }) => waiting, isFigure: true, width: 0.8 },
	{
		head: 'Matched',
		value: ({ matched }) => weightOf(matched),
		show: ({ matched }) => sums(matched),
		isFigure: true,
		width: 1.8,
	},
	{ head: 'Source', value: ({ source }) => source },
];

const ORDER = ['IN_PLAY', 'UPCOMING', 'FINISHED', 'ABANDONED'];
const byState = (one: Event, other: Event): number =>
	ORDER.indexOf(one.status) - ORDER.indexOf(other.status) || one.startsAt.localeCompare(other.startsAt);

export function EventsScreen(): ReactElement {
	const query = useCall('events', {}, EVERY_MS);
	const { data: me } = useMe();
	const [isAdding, setAdding] = useState(false);
	return (
		<>
			<h1>Markets</h1>
			{me?.permissions.includes('markets.trade') && (
				<p className="acts">
					<Button onClick={() => setAdding(true)}>New event by hand</Button>
				</p>
			)}
			{isAdding && <NewEvent onClose={() => setAdding(false)} />}
			<Loaded query={query}>{(events) => <EventTable events={events} />}</Loaded>
		</>
	);
}

function EventTable({ events }: { events: readonly Event[] }): ReactElement {
	const navigate = useNavigate();
	const rows = useMemo(() => [...events].sort(byState), [events]);
	return (
		<RecordTable
			title="Events"
			columns={COLUMNS}
			rows={rows}
			keyOf={({ eventId }) => eventId}
			onOpen={({ eventId }) => void navigate({ to: '/markets/$eventId', params: { eventId } })}
			empty="There is no event."
		/>
	);
}

const NEW_EVENT = {
	sport: 'Sport',
	competition: 'Competition',
	firstSide: 'First side',
	secondSide: 'Second side',
	startsAt: 'Starts at, by your clock',
	title: 'Title, when it is not "first v second"',
	overs: 'Cricket: overs of an innings, 20 when empty',
} as const;

/** Opens the new event's screen, where markets are opened and the score is entered. */
function NewEvent({ onClose }: { onClose: () => void }): ReactElement {
	const navigate = useNavigate();
	const add = useAct('event-add');
	return (
		<Dialog title="New event by hand" onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['event-add'].input}
				fields={NEW_EVENT}
				submit="Create"
				error={add.error}
				isBusy={add.isPending}
				onSubmit={(input) =>
					add.mutate(input, {
						onSuccess: ({ eventId }) => void navigate({ to: '/play/$eventId', params: { eventId } }),
					})
				}
			/>
		</Dialog>
	);
}
