import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { aboutText, dueText } from '#web/features/support/about-text.ts';
import { TicketForm } from '#web/features/support/ticket-form.tsx';
import { formatDateTime } from '#web/format.ts';
import { useBrand } from '#web/store/brand.ts';
import { INBOX_PAGE, type InboxRow, inboxQuery, ticketQuery } from '#web/store/inbox-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { queryClient } from '#web/store/query-client.ts';
import { useSession } from '#web/store/session.ts';
import { RECORD_WORDS, SUPPORT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './support.css';

const words = SUPPORT_TEXTS;

function Row({ row }: { row: InboxRow }): ReactElement {
	const { id, kind, topic, about, state, changedAt, unread } = row;
	const due = dueText(row, formatDateTime);
	return (
		<li>
			<Link to="/messages/$ticketId" params={{ ticketId: id }} className="surface-card ticket-row">
				<span className="ticket-topic">
					<bdi>{topic}</bdi>
					{unread > 0 && <strong className="ticket-unread">{words.unread(unread)}</strong>}
				</span>
				<span className="text-muted">
					{kind === 'COMPLAINT' && `${words.complaint} · `}
					{words.states[state]} · <time dateTime={changedAt}>{formatDateTime(changedAt)}</time>
				</span>
				{about && <span className="text-muted">{aboutText(about)}</span>}
				{due && <span className="text-muted">{due}</span>}
			</Link>
		</li>
	);
}

/** The brand's deadlines. */
function useIntro(): string {
	const rules = useBrand(({ setting }) => setting?.support);
	return rules ? words.intro(words.hours(rules.answerHours), words.days(rules.complaintDays)) : '';
}

/** The player's messages and complaints, those changed last first; the hub keeps them current. */
function Rows(): ReactElement {
	const [skip, setSkip] = useState(0);
	return (
		<Loaded
			asked={useQuery(inboxQuery(skip))}
			words={TEXTS.app}
			waiting={<Skeleton className="support-waiting" />}
			empty={
				<ScreenState icon="circle-info" title={words.empty}>
					{words.emptyHint}
				</ScreenState>
			}
			isEmpty={({ items }) => items.length === 0}
		>
			{({ items, totalCount }) => (
				<>
					<ul className="ticket-rows" aria-label={words.yours}>
						{items.map((row) => (
							<Row key={row.id} row={row} />
						))}
					</ul>
					<Pager skip={skip} size={INBOX_PAGE} total={totalCount} onSkip={setSkip} words={RECORD_WORDS} />
				</>
			)}
		</Loaded>
	);
}

/** /messages: what the player wrote to the operator and was answered, and a form for more. */
export function InboxScreen(): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	const { about } = useSearch({ from: '__root__' });
	const [isWriting, setWriting] = useState(about !== undefined);
	const navigate = useNavigate();
	const closed = isDemo && { title: words.demo, hint: words.demoHint };
	return (
		<FormScreen title={words.title} intro={useIntro()} closed={closed}>
			{isWriting ? (
				<TicketForm
					onSent={(ticket) => {
						queryClient.setQueryData(ticketQuery(ticket.id).queryKey, ticket);
						showNotice(words.sent, 'success');
						void navigate({ to: '/messages/$ticketId', params: { ticketId: ticket.id }, replace: true });
					}}
				/>
			) : (
				<p>
					<Button variant="primary" onClick={() => setWriting(true)}>
						{words.write}
					</Button>
				</p>
			)}
			<Rows />
		</FormScreen>
	);
}
