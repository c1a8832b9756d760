/** A player's messages and complaints on the player's page, and a message to the player. */
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { useRequestId } from '#console/api/request-id.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { TICKET_COLUMNS } from '#console/parts/ticket-columns.tsx';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';
import { LONGEST_MESSAGE, LONGEST_TOPIC } from '#values/tickets.ts';

export function PlayerTickets({ playerId }: { playerId: string }): ReactElement | null {
	const { data: me } = useMe();
	const may = (permission: 'support.read' | 'support.answer') => me?.permissions.includes(permission) ?? false;
	const [isWriting, setWriting] = useState(false);
	if (!may('support.read')) return null;
	return (
		<>
			<h2>Messages and complaints</h2>
			{may('support.answer') && (
				<p className="acts">
					<Button onClick={() => setWriting(true)}>Write to the player …</Button>
				</p>
			)}
			<Tickets playerId={playerId} />
			{isWriting && <WriteDialog playerId={playerId} onClose={() => setWriting(false)} />}
		</>
	);
}

function Tickets({ playerId }: { playerId: string }): ReactElement {
	const navigate = useNavigate();
	const query = useCall('ticket-queue', { playerId });
	return (
		<Loaded query={query}>
			{(tickets) => (
				<RecordTable
					title="Messages and complaints"
					isPlain
					columns={TICKET_COLUMNS}
					rows={tickets}
					keyOf={({ ticketId }) => ticketId}
					onOpen={({ ticketId }) =>
						void navigate({ to: '/messages/$playerId/$ticketId', params: { playerId, ticketId } })
					}
					empty="There are none."
				/>
			)}
		</Loaded>
	);
}

function WriteDialog({ playerId, onClose }: { playerId: string; onClose: () => void }): ReactElement {
	const [topic, setTopic] = useState('');
	const [text, setText] = useState('');
	const { idOf } = useRequestId();
	const open = useAct('ticket-open');
	const isComplete = topic.trim() !== '' && text.trim() !== '';
	return (
		<Dialog title="Write to the player" onClose={onClose}>
			<form
				className="record-form"
				onSubmit={(event) => {
					event.preventDefault();
					const clientRequestId = idOf(JSON.stringify([topic, text]));
					open.mutate({ playerId, topic, text, clientRequestId }, { onSuccess: onClose });
				}}
			>
				<Field
					label="In a few words"
					maxLength={LONGEST_TOPIC}
					value={topic}
					onChange={({ target }) => setTopic(target.value)}
				/>
				<LongField
					label="Message"
					rows={6}
					dir="auto"
					maxLength={LONGEST_MESSAGE}
					value={text}
					onChange={({ target }) => setText(target.value)}
				/>
				<Problem error={open.error} />
				<Button type="submit" variant="primary" busy={open.isPending} disabled={!isComplete}>
					Send
				</Button>
			</form>
		</Dialog>
	);
}
