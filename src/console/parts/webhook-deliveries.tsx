/** Deliveries to one endpoint, a page at a time, each of which can be sent again. */
import { type ReactElement, useState } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useAct, useCall } from '#console/api/queries.ts';
import { time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';

type Delivery = ResultOf<'webhook-deliveries'>[number];
type State = NonNullable<InputOf<'webhook-deliveries'>['state']>;

const EVERY_MS = 5_000;
/** The server's page. */
const PAGE = 100;

const STATES: readonly { value: State | ''; text: string }[] = [
	{ value: '', text: 'all' },
	{ value: 'WAITING', text: 'waiting' },
	{ value: 'DELIVERED', text: 'delivered' },
	{ value: 'DEAD', text: 'given up' },
];

const COLUMNS: readonly Column<Delivery>[] = [
	{ head: 'Number', value: ({ sequence }) => sequence, isFigure: true },
	{ head: 'State', value: ({ state }) => (state === 'DEAD' ? 'given up' : words(state)) },
	{ head: 'Event', value: ({ kind }) => kind, width: 2 },
	{ head: 'Happened', value: ({ at }) => at, show: ({ at }) => time(at), width: 2 },
	{ head: 'Tries', value: ({ tries }) => tries, isFigure: true },
	{
		head: 'Answer',
		value: ({ status, reason }) => [status, reason].filter((part) => part !== null).join(' '),
		width: 2,
	},
	{
		head: 'Next try',
		value: ({ nextAt }) => nextAt ?? '',
		show: ({ nextAt }) => (nextAt === null ? '' : time(nextAt)),
		width: 2,
	},
];

interface DeliveriesProps {
	host: string;
	endpointId: string;
	mayEdit: boolean;
}

export function WebhookDeliveries({ host, endpointId, mayEdit }: DeliveriesProps): ReactElement {
	const [state, setState] = useState<State | ''>('');
	const [before, setBefore] = useState<number | null>(null);
	const [chosen, setChosen] = useState<Delivery | null>(null);
	const on = { host, endpointId };
	const query = useCall(
		'webhook-deliveries',
		{ ...on, ...(state === '' ? {} : { state }), ...(before === null ? {} : { before }) },
		EVERY_MS,
	);
	const replay = useAct('webhook-replay');
	const again = (sequence: number) => replay.mutate({ ...on, sequence }, { onSuccess: () => setChosen(null) });
	return (
		<>
			<div className="record-form">
				<SelectField
					label="Deliveries"
					value={state}
					options={STATES}
					onChange={({ target }) => {
						setBefore(null);
						setState(STATES.find(({ value }) => value === target.value)?.value ?? '');
					}}
				/>
			</div>
			<Loaded query={query}>
				{(deliveries) => (
					<>
						<RecordTable
							title="Deliveries"
							isPlain
							columns={COLUMNS}
							rows={deliveries}
							keyOf={({ sequence }) => String(sequence)}
							{...(mayEdit ? { onOpen: setChosen } : {})}
							empty="There is none."
						/>
						<OlderNewest
							onOlder={deliveries.length < PAGE ? null : () => setBefore(deliveries.at(-1)?.sequence ?? null)}
							onNewest={before === null ? null : () => setBefore(null)}
						>
							{chosen && (
								<Button busy={replay.isPending} onClick={() => again(chosen.sequence)}>
									Send number {chosen.sequence} again
								</Button>
							)}
						</OlderNewest>
					</>
				)}
			</Loaded>
			<Problem error={replay.error} />
		</>
	);
}
