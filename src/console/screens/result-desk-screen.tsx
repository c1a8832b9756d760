/** The result desk: every market without a result, the most urgent first. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { age, time, wholeAmount, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import type { Column } from '#ui/table-columns.ts';

type Waiting = ResultOf<'result-desk'>[number];

/** Beside the server's word on changes. */
const EVERY_MS = 10_000;

const proposedOf = ({ proposed }: Waiting): string => proposed.map(({ by, result }) => `${result} (${by})`).join('; ');

const columnsAt = (nowMs: number): readonly Column<Waiting>[] => [
	// What a phone shows without scrolling comes first.
	{ head: 'Market', value: ({ market, event }) => `${market} · ${event}`, width: 2.4 },
	{
		head: 'Waits',
		value: ({ since }) => since ?? '',
		show: ({ since }) => (since === null ? '' : <span title={time(since)}>{age(since, nowMs)}</span>),
		width: 0.8,
	},
	{
		head: 'Contradictions',
		value: ({ conflicts }) => conflicts.join(' '),
		show: ({ conflicts }) => <span className="text-loss">{conflicts.join(' ')}</span>,
		width: 2.4,
	},
	{ head: 'Proposed', value: proposedOf, width: 2 },
	{ head: 'State', value: ({ status }) => words(status), show: ({ status }) => <StateBadge state={status} /> },
	{ head: 'Play', value: ({ eventStatus }) => words(eventStatus) },
	{ head: 'Score', value: ({ score }) => score ?? '', width: 1.6 },
	{
		head: 'Matched',
		value: ({ matched }) => matched.map(({ pool, stake }) => `${pool} ${wholeAmount(stake)}`).join(' · '),
		isFigure: true,
		width: 1.4,
	},
	{ head: 'Sport', value: ({ sport }) => sport },
	{ head: 'Feed', value: ({ source }) => source },
];

export function ResultDeskScreen(): ReactElement {
	const navigate = useNavigate();
	const query = useCall('result-desk', {}, EVERY_MS);
	return (
		<>
			<h1>Result desk</h1>
			<Loaded query={query}>
				{(markets) => (
					<RecordTable
						title="Markets without a result"
						columns={columnsAt(query.dataUpdatedAt)}
						rows={markets}
						keyOf={({ marketId }) => marketId}
						onOpen={({ marketId }) => void navigate({ to: '/desk/$marketId', params: { marketId } })}
						empty="No market waits for a result."
					/>
				)}
			</Loaded>
		</>
	);
}
