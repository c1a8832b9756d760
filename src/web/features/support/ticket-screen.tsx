import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { writeTicket } from '#contract/calls/support.ts';
import { Button } from '#ui/button.tsx';
import { LongField } from '#ui/field.tsx';
import { rule } from '#ui/form-check.ts';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { LONGEST_MESSAGE } from '#values/tickets.ts';
import { call } from '#web/api/client.ts';
import { aboutText, dueText } from '#web/features/support/about-text.ts';
import { formatDateTime } from '#web/format.ts';
import { showChanged } from '#web/store/changes.ts';
import { INBOX, type Ticket, ticketQuery } from '#web/store/inbox-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { queryClient } from '#web/store/query-client.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { SUPPORT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './support.css';

const words = SUPPORT_TEXTS;
const checkText = rule(writeTicket.request.entries.text);

/** Tells the server how many messages are on the page, once they are. */
function useRead({ id, unread, messages }: Ticket): void {
	const { mutate } = useMutation({
		mutationFn: (count: number) => call('readTicket', { ticketId: id, messages: count }),
		onSuccess: () => queryClient.invalidateQueries({ queryKey: INBOX }),
	});
	const count = messages.length;
	useEffect(() => {
		if (unread > 0) mutate(count);
	}, [unread, count, mutate]);
}

function Thread({ messages }: Pick<Ticket, 'messages'>): ReactElement {
	return (
		<ol className="ticket-thread">
			{messages.map(({ number, at, isOwn, text }) => (
				<li key={number} className="surface-card" data-own={isOwn || undefined}>
					<p className="ticket-writer">
						<strong>{isOwn ? words.you : words.us}</strong>
						<time dateTime={at}>{formatDateTime(at)}</time>
					</p>
					<p className="ticket-text" dir="auto">
						{text}
					</p>
				</li>
			))}
		</ol>
	);
}

function Reply({ ticketId }: { ticketId: string }): ReactElement {
	const [text, setText] = useState('');
	const [error, setError] = useState('');
	const sending = useSentOnce(
		(message: string, clientRequestId) => call('writeTicket', { ticketId, text: message, clientRequestId }),
		(ticket) => {
			void showChanged(ticketQuery(ticketId).queryKey, () => ticket);
			showNotice(words.sent, 'success');
			setText('');
		},
	);
	function send(): void {
		const checked = checkText(text);
		setError(checked === true ? '' : checked);
		if (checked === true && !sending.isPending) sending.mutate(text);
	}
	return (
		<form
			noValidate
			className="surface-card"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<LongField
				label={words.reply}
				hint={words.textHint}
				rows={4}
				value={text}
				maxLength={LONGEST_MESSAGE}
				error={error}
				onChange={({ target }) => {
					setText(target.value);
					setError('');
				}}
			/>
			{sending.error && (
				<p role="alert" className="text-loss">
					{failureText(sending.error)}
				</p>
			)}
			<Button type="submit" variant="primary" busy={sending.isPending}>
				{words.send}
			</Button>
		</form>
	);
}

function TicketView({ ticket }: { ticket: Ticket }): ReactElement {
	const { id, kind, topic, about, state } = ticket;
	useRead(ticket);
	const due = dueText(ticket, formatDateTime);
	return (
		<>
			<h2 className="text-lg font-semibold">
				<bdi>{topic}</bdi>
			</h2>
			<p className="text-muted">
				{kind === 'COMPLAINT' && `${words.complaint} · `}
				{words.states[state]}
				{about && ` · ${aboutText(about)}`}
			</p>
			{due && <p className="text-muted">{due}</p>}
			<Thread messages={ticket.messages} />
			{state === 'CLOSED' ? <p className="text-muted">{words.closed}</p> : <Reply ticketId={id} />}
		</>
	);
}

/** /messages/ID: one message or complaint with all that was written. The hub keeps it current. */
export function TicketScreen(): ReactElement {
	const { ticketId = '' } = useParams({ from: '/frame/messages/$ticketId' });
	return (
		<FormScreen title={words.title}>
			<p>
				<Link to="/messages" className="inline-flex min-h-11 items-center underline">
					{words.back}
				</Link>
			</p>
			<Loaded
				asked={useQuery(ticketQuery(ticketId))}
				words={{ ...TEXTS.app, failed: words.notThere }}
				waiting={<Skeleton className="support-waiting" />}
				empty={null}
				isEmpty={() => false}
			>
				{(ticket) => <TicketView ticket={ticket} />}
			</Loaded>
		</FormScreen>
	);
}
