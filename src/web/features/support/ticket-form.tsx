import { Link, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { openTicket } from '#contract/calls/support.ts';
import { Button } from '#ui/button.tsx';
import { Field, LongField } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { rule } from '#ui/form-check.ts';
import {
	LONGEST_MESSAGE,
	LONGEST_TOPIC,
	TICKET_KINDS,
	TICKET_SUBJECTS,
	type TicketKind,
	type TicketSubjectKind,
} from '#values/tickets.ts';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';
import { aboutText } from '#web/features/support/about-text.ts';
import type { Ticket } from '#web/store/inbox-queries.ts';
import { failureText, useSentOnce } from '#web/store/use-sent-once.ts';
import { SUPPORT_TEXTS } from '#web/texts/more.ts';

const words = SUPPORT_TEXTS;
const { entries } = openTicket.request;
const checkTopic = rule(entries.topic);
const checkText = rule(entries.text);
const problemOf = (checked: string | true): string => (checked === true ? '' : checked);

type About = RequestOf<'openTicket'>['about'];

/** What the link to this page was about, such as `withdrawal-12`; undefined for nothing. */
function useAbout(): About {
	const { about } = useSearch({ from: '__root__' });
	const [, kind = '', id = ''] = /^([a-z]+)-(\d{1,15})$/.exec(String(about ?? '').toLowerCase()) ?? [];
	return (TICKET_SUBJECTS as readonly string[]).includes(kind) ? { kind: kind as TicketSubjectKind, id } : undefined;
}

/** A new message or complaint. */
export function TicketForm({ onSent }: { onSent: (ticket: Ticket) => void }): ReactElement {
	const about = useAbout();
	const [kind, setKind] = useState<TicketKind>('MESSAGE');
	const [topic, setTopic] = useState('');
	const [text, setText] = useState('');
	const [errors, setErrors] = useState({ topic: '', text: '' });
	const sending = useSentOnce(
		(message: Omit<RequestOf<'openTicket'>, 'clientRequestId'>, clientRequestId) =>
			call('openTicket', { ...message, clientRequestId }),
		onSent,
	);
	function send(): void {
		const found = { topic: problemOf(checkTopic(topic)), text: problemOf(checkText(text)) };
		setErrors(found);
		if (found.topic === '' && found.text === '' && !sending.isPending)
			sending.mutate({ kind, topic, text, ...(about ? { about } : {}) });
	}
	return (
		<form
			noValidate
			className="surface-card"
			aria-label={words.write}
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<h2>{words.write}</h2>
			{about ? (
				<p className="ticket-about">
					{aboutText(about)}{' '}
					<Link to="/messages" search={{}} replace className="inline-flex min-h-11 items-center underline">
						{words.notAbout}
					</Link>
				</p>
			) : (
				<p className="text-muted">{words.aboutHint}</p>
			)}
			<FilterSelect
				label={words.kind}
				value={kind}
				options={TICKET_KINDS.map((value) => ({ value, text: words.kinds[value] }))}
				onChange={setKind}
			/>
			<Field
				label={words.topic}
				value={topic}
				maxLength={LONGEST_TOPIC}
				autoComplete="off"
				error={errors.topic}
				onChange={({ target }) => {
					setTopic(target.value);
					setErrors({ ...errors, topic: '' });
				}}
			/>
			<LongField
				label={words.text}
				hint={words.textHint}
				rows={5}
				value={text}
				maxLength={LONGEST_MESSAGE}
				error={errors.text}
				onChange={({ target }) => {
					setText(target.value);
					setErrors({ ...errors, text: '' });
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
