/** One message or complaint of a player: what was written, the answer, and who looks after it. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { operate, type ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { useRequestId } from '#console/api/request-id.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { dueIn, time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { useSeenCount } from '#console/parts/seen-count.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { LongField } from '#ui/field.tsx';
import { LONGEST_MESSAGE } from '#values/tickets.ts';

type Shown = ResultOf<'ticket-show'>;
const EVERY_MS = 15_000;

export function TicketScreen(): ReactElement {
	const { playerId, ticketId } = useParams({ from: '/messages/$playerId/$ticketId' });
	const query = useCall('ticket-show', { playerId, ticketId }, EVERY_MS);
	return (
		<Loaded query={query}>
			{(ticket) => <TicketView key={ticket.ticketId} ticket={ticket} askedAtMs={query.dataUpdatedAt} />}
		</Loaded>
	);
}

function TicketView({ ticket, askedAtMs }: { ticket: Shown; askedAtMs: number }): ReactElement {
	const { playerId, who, brand, kind, topic, about, state, dueAt, isOverdue, assignee, thread, read } = ticket;
	const { data: me } = useMe();
	const mayAnswer = me?.permissions.includes('support.answer') ?? false;
	return (
		<>
			<h1>
				<bdi>{topic}</bdi>
			</h1>
			<p className="acts">
				<StateBadge state={state} />
				<span>{words(kind)} of</span>
				<Link to="/players/$playerId" params={{ playerId }}>
					{who}
				</Link>
				<span className="text-muted">{brand}</span>
				{about && (
					<Link to="/find" search={{ reference: `${about.kind} ${about.id}` }}>
						About {about.kind} {about.id}
					</Link>
				)}
				{dueAt !== null && (
					<span className={isOverdue ? 'text-loss' : 'text-muted'}>
						{kind === 'COMPLAINT' ? 'To be closed' : 'To be answered'} {dueIn(dueAt, askedAtMs)}
					</span>
				)}
				<span className="text-muted">{assignee === null ? 'Assigned to nobody' : `Assigned to ${assignee}`}</span>
			</p>
			{mayAnswer && <TicketActs ticket={ticket} ownName={me?.name ?? ''} />}
			<ol className="thread" aria-label="What was written">
				{thread.map(({ number, at, author, text }) => (
					<li key={number} data-staff={author === null ? undefined : true}>
						<p className="text-muted">
							<strong>{author ?? who}</strong> {time(at)}
							{author !== null && number > read && ' · not read yet'}
						</p>
						<p className="thread-text" dir="auto">
							{text ?? 'Erased with the person.'}
						</p>
					</li>
				))}
			</ol>
			{mayAnswer && state !== 'CLOSED' && <Answer ticket={ticket} />}
		</>
	);
}

type Asked = 'assign' | 'close' | 'reopen';

function TicketActs({ ticket, ownName }: { ticket: Shown; ownName: string }): ReactElement {
	const { playerId, ticketId, state, assignee } = ticket;
	const [asked, setAsked] = useState<Asked | null>(null);
	const assign = useAct('ticket-assign');
	return (
		<>
			<p className="acts">
				{assignee !== ownName && (
					<Button busy={assign.isPending} onClick={() => assign.mutate({ playerId, ticketId, to: ownName })}>
						Assign to me
					</Button>
				)}
				<Button onClick={() => setAsked('assign')}>Assign …</Button>
				{state === 'CLOSED' ? (
					<Button onClick={() => setAsked('reopen')}>Reopen …</Button>
				) : (
					<Button onClick={() => setAsked('close')}>Close …</Button>
				)}
			</p>
			<Problem error={assign.error} />
			{asked !== null && <AskedDialog key={asked} {...{ ticket, asked }} onClose={() => setAsked(null)} />}
		</>
	);
}

function AskedDialog({
	ticket: { playerId, ticketId, messages },
	asked,
	onClose,
}: {
	ticket: Shown;
	asked: Asked;
	onClose: () => void;
}): ReactElement {
	const { seen, unread } = useSeenCount(messages);
	const assign = useAct('ticket-assign');
	const close = useAct('ticket-close');
	const reopen = useAct('ticket-reopen');
	const on = { playerId, ticketId };
	const shared = { onSuccess: onClose };
	if (asked === 'assign')
		return (
			<Dialog title="Assign" onClose={onClose}>
				<RecordForm
					schema={OPERATOR_CALLS['ticket-assign'].input}
					fields={{ to: 'Name of a member; empty for nobody' }}
					fixed={{ ...on, to: null }}
					submit="Assign"
					error={assign.error}
					isBusy={assign.isPending}
					onSubmit={(input) => assign.mutate(input, shared)}
				/>
			</Dialog>
		);
	if (asked === 'close')
		return (
			<Dialog title="Close without a further answer" onClose={onClose}>
				<RecordForm
					schema={OPERATOR_CALLS['ticket-close'].input}
					fields={{ reason: 'Reason, for the journal' }}
					fixed={{ ...on, seen }}
					submit="Close"
					error={unread(close.error)}
					isBusy={close.isPending}
					onSubmit={(input) => close.mutate(input, shared)}
				/>
			</Dialog>
		);
	return (
		<Dialog title="Reopen" onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['ticket-reopen'].input}
				fields={{ reason: 'Reason, for the journal' }}
				fixed={on}
				submit="Reopen"
				error={reopen.error}
				isBusy={reopen.isPending}
				onSubmit={(input) => reopen.mutate(input, shared)}
			/>
		</Dialog>
	);
}

/** Where the money is, as sentences in the player's language. */
async function sentencesAbout({ about, playerId, language }: Shown): Promise<string> {
	const reference = about ? `${about.kind} ${about.id}` : `player ${playerId}`;
	const { answer } = await operate('reference-find', { reference });
	return answer?.sentences[language].join('\n') ?? '';
}

function Answer({ ticket }: { ticket: Shown }): ReactElement {
	const { playerId, ticketId, messages, about, language } = ticket;
	const [text, setText] = useState('');
	const [failed, setFailed] = useState<Error | null>(null);
	const { idOf, succeeded } = useRequestId();
	const answer = useAct('ticket-answer');
	const insert = async () => {
		setFailed(null);
		try {
			const sentences = await sentencesAbout(ticket);
			setText((typed) => (typed === '' ? sentences : `${typed}\n${sentences}`));
		} catch (error) {
			setFailed(error as Error);
		}
	};
	const send = (closes: boolean) =>
		answer.mutate(
			{
				playerId,
				ticketId,
				seen: messages,
				text,
				closes,
				clientRequestId: idOf(`${messages} ${closes} ${text}`),
			},
			{
				onSuccess: () => {
					succeeded();
					setText('');
				},
			},
		);
	return (
		<form className="record-form thread-answer" aria-label="Answer" onSubmit={(event) => event.preventDefault()}>
			<LongField
				label="Answer, which is never changed"
				rows={6}
				lang={language}
				dir="auto"
				maxLength={LONGEST_MESSAGE}
				value={text}
				onChange={({ target }) => setText(target.value)}
			/>
			<Problem error={failed ?? answer.error} />
			<p className="acts">
				<Button type="button" onClick={() => void insert()}>
					{about ? `Insert where the money of ${about.kind} ${about.id} is` : 'Insert where the player’s money is'}
				</Button>
				<Button variant="primary" busy={answer.isPending} disabled={text.trim() === ''} onClick={() => send(false)}>
					Answer
				</Button>
				<Button disabled={answer.isPending || text.trim() === ''} onClick={() => send(true)}>
					Answer and close
				</Button>
			</p>
		</form>
	);
}
