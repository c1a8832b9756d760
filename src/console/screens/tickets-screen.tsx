/** Players' messages and complaints: those that are open, soonest due first, or those closed last. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '#console/api/queries.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { TICKET_COLUMNS } from '#console/parts/ticket-columns.tsx';

/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

export function TicketsScreen(): ReactElement {
	const navigate = useNavigate();
	const closed = useSearch({ from: '/messages' }).closed !== undefined;
	const query = useCall('ticket-queue', { closed }, EVERY_MS);
	return (
		<>
			<h1>Messages and complaints</h1>
			<p className="acts">
				{closed ? (
					<Link to="/messages" search={{}}>
						Those that are open
					</Link>
				) : (
					<Link to="/messages" search={{ closed: 'yes' }}>
						Those that are closed
					</Link>
				)}
			</p>
			<Loaded query={query}>
				{(tickets) => (
					<RecordTable
						title={closed ? 'Closed messages' : 'Open messages'}
						columns={TICKET_COLUMNS}
						rows={tickets}
						keyOf={({ ticketId }) => ticketId}
						onOpen={({ playerId, ticketId }) =>
							void navigate({ to: '/messages/$playerId/$ticketId', params: { playerId, ticketId } })
						}
						empty={closed ? 'None is closed.' : 'No player waits for an answer.'}
					/>
				)}
			</Loaded>
		</>
	);
}
