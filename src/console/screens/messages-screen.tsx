/** What a brand wrote to its players: mail and texts that wait, left or were given up, each of which can be sent again. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';

type Message = ResultOf<'message-list'>[number];
type Channel = InputOf<'message-list'>['channel'];
type State = Message['state'];

const EVERY_MS = 5_000;
/** The server's page. */
const PAGE = 100;

const CHANNELS: readonly { value: Channel; text: string }[] = [
	{ value: 'MAIL', text: 'mail' },
	{ value: 'SMS', text: 'texts' },
];
const STATES: readonly { value: State | ''; text: string }[] = [
	{ value: '', text: 'all' },
	{ value: 'WAITING', text: 'waiting' },
	{ value: 'SENT', text: 'sent' },
	{ value: 'DEAD', text: 'given up' },
];

const stateSaid = ({ state, deliveredAt }: Message): string =>
	state === 'DEAD' ? 'given up' : deliveredAt !== null ? 'delivered' : words(state);

const COLUMNS: readonly Column<Message>[] = [
	{ head: 'Written', value: ({ at }) => at, show: ({ at }) => time(at), width: 2 },
	{ head: 'State', value: stateSaid },
	{ head: 'To', value: ({ to }) => to, width: 2 },
	{ head: 'Player', value: ({ userName }) => userName ?? '', width: 1.4 },
	{ head: 'About', value: ({ kind }) => kind, width: 1.4 },
	{ head: 'Tries', value: ({ tries }) => tries, isFigure: true, width: 0.7 },
	{ head: 'Why it failed', value: ({ reason }) => reason ?? '', width: 2.4 },
	{
		head: 'Next try',
		value: ({ nextAt }) => nextAt ?? '',
		show: ({ nextAt }) => (nextAt === null ? '' : time(nextAt)),
		width: 2,
	},
];

export function MessagesScreen(): ReactElement {
	const { host } = useParams({ from: '/brands/$host/messages' });
	const { data: me } = useMe();
	const [channel, setChannel] = useState<Channel>('MAIL');
	const [state, setState] = useState<State | ''>('');
	const [before, setBefore] = useState<string | null>(null);
	const [chosen, setChosen] = useState<Message | null>(null);
	const asked = { ...(state === '' ? {} : { state }), ...(before === null ? {} : { before }) };
	const query = useCall('message-list', { host, channel, ...asked }, EVERY_MS);
	const retry = useAct('message-retry');
	const mayAnswer = me?.permissions.includes('support.answer') ?? false;
	const show = () => {
		setBefore(null);
		setChosen(null);
	};
	const again = ({ messageId }: Message) =>
		retry.mutate({ host, channel, messageId }, { onSuccess: () => setChosen(null) });
	return (
		<>
			<h1>Messages of {host}</h1>
			<p className="acts">
				<Link to="/brands/$host" params={{ host }}>
					The brand
				</Link>{' '}
				<Link to="/brands/$host/webhooks" params={{ host }}>
					Webhooks
				</Link>
			</p>
			<div className="asked">
				<SelectField
					label="Messages by"
					value={channel}
					options={CHANNELS}
					onChange={({ target }) => {
						show();
						setChannel(target.value === 'SMS' ? 'SMS' : 'MAIL');
					}}
				/>
				<SelectField
					label="State"
					value={state}
					options={STATES}
					onChange={({ target }) => {
						show();
						setState(STATES.find(({ value }) => value === target.value)?.value ?? '');
					}}
				/>
			</div>
			<Loaded query={query}>
				{(messages) => (
					<>
						<RecordTable
							title="Messages"
							columns={COLUMNS}
							rows={messages}
							keyOf={({ messageId }) => messageId}
							onOpen={setChosen}
							empty="There is none."
						/>
						{chosen && <MessageFacts message={chosen} />}
						<OlderNewest
							onOlder={messages.length < PAGE ? null : () => setBefore(messages.at(-1)?.messageId ?? null)}
							onNewest={before === null ? null : () => setBefore(null)}
						>
							{mayAnswer && chosen?.mayRetry && (
								<Button busy={retry.isPending} onClick={() => again(chosen)}>
									Send the message to {chosen.to} again
								</Button>
							)}
							{chosen && !chosen.mayRetry && <span>What it said is gone: it cannot be sent again.</span>}
						</OlderNewest>
					</>
				)}
			</Loaded>
			<Problem error={retry.error} />
		</>
	);
}

/** What the row has no room for. */
function MessageFacts({ message }: { message: Message }): ReactElement {
	const { to, userName, kind, tries, reason, deliveredAt } = message;
	const facts = [
		['To', to],
		['Player', userName ?? ''],
		['About', kind],
		['State', `${stateSaid(message)}${deliveredAt === null ? '' : `, ${time(deliveredAt)}`}`],
		['Tries', String(tries)],
		['Why it failed', reason ?? ''],
	] as const;
	return (
		<dl className="facts">
			{facts
				.filter(([, value]) => value !== '')
				.map(([head, value]) => (
					<div key={head}>
						<dt>{head}</dt>
						<dd>{value}</dd>
					</div>
				))}
		</dl>
	);
}
