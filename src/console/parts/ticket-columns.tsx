/** The columns of lists of players' messages and complaints. */
import type { ResultOf } from '#console/api/operate.ts';
import { dueIn, time, words } from '#console/parts/format.ts';
import type { Column } from '#ui/table-columns.ts';

type TicketView = ResultOf<'ticket-queue'>[number];

export const TICKET_COLUMNS: readonly Column<TicketView>[] = [
	{
		head: 'Due',
		value: ({ dueAt }) => dueAt ?? '',
		show: ({ dueAt, isOverdue }) => (
			<span className={isOverdue ? 'text-loss' : ''}>{dueAt === null ? '' : dueIn(dueAt, Date.now())}</span>
		),
	},
	{ head: 'Kind', value: ({ kind }) => words(kind) },
	{ head: 'Topic', value: ({ topic }) => topic, width: 3 },
	{ head: 'Player', value: ({ who }) => who, width: 1.5 },
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.5 },
	{ head: 'State', value: ({ state }) => words(state) },
	{ head: 'Assigned to', value: ({ assignee }) => assignee ?? '' },
	{ head: 'Changed', value: ({ changedAt }) => changedAt, show: ({ changedAt }) => time(changedAt), width: 2 },
];
