/** The markets of an event: state, matched, the house's exposure, and what moves them. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useMemo } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { type Sums, sportName, sums, weightOf, wholeAmount, words } from '#console/parts/format.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { BookmakerDesk } from '#console/screens/bookmaker-desk.tsx';
import { FancyDesk } from '#console/screens/fancy-desk.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';
import { currencyOf } from '#values/pools.ts';

type EventMarkets = ResultOf<'event-markets'>;
type Market = EventMarkets['markets'][number];
/** The source of events that traders play. */
const BY_HAND = 'by-hand';
/** Beside the server's word on changes. */
const EVERY_MS = 10_000;

/** Of each currency, the pool with the largest loss. */
const worst = ({ house }: Market): Sums =>
	[...Map.groupBy(house, ({ pool }) => currencyOf(pool))].flatMap(([currency, pools]) => {
		const least = Math.min(0, ...pools.map((pool) => pool.worst));
		return least === 0 ? [] : [{ currency, amount: least }];
	});

/** What needs a trader stands first: markets that wait for a result, and those that take no bets. */
const ORDER = ['CLOSED', 'SUSPENDED', 'BALL_RUNNING', 'OPEN', 'SETTLING', 'SETTLED', 'VOIDED'];
const byState = (one: Market, other: Market): number => ORDER.indexOf(one.status) - ORDER.indexOf(other.status);

const COLUMNS: readonly Column<Market>[] = [
	{ head: 'Market', value: ({ market }) => market, width: 2 },
	{
		head: 'State',
		value: ({ status, inPlay }) => `${words(status)}${inPlay ? ', in-play' : ''}`,
		show: ({ status, inPlay }) => <StateBadge state={status} inPlay={inPlay} />,
		width: 1.5,
	},
	{ head: 'Model', value: ({ bettingModel }) => words(bettingModel) },
	{
		head: 'Matched',
		value: ({ matched }) => weightOf(matched),
		show: (row) => sums(row.matched),
		isFigure: true,
		width: 1.8,
	},
	{
		head: 'House, worst',
		value: (row) => weightOf(worst(row)),
		show: (row) => <Worst of={worst(row)} />,
		isFigure: true,
	},
	{
		head: 'House by outcome',
		value: ({ house }) =>
			house.map(({ pool, outcomes }) => `${pool} ${outcomes.map(wholeAmount).join(' / ')}`).join(' · '),
		width: 3,
	},
];

const Worst = ({ of }: { of: Sums }): ReactElement =>
	of.length === 0 ? <span className="text-muted">–</span> : <span className="text-loss">{sums(of)}</span>;

export function EventScreen(): ReactElement {
	const { eventId } = useParams({ from: '/markets/$eventId' });
	const query = useCall('event-markets', { eventId }, EVERY_MS);
	return <Loaded query={query}>{(event) => <EventView event={event} />}</Loaded>;
}

function EventView({ event }: { event: EventMarkets }): ReactElement {
	const navigate = useNavigate();
	const { data: me } = useMe();
	const suspendAll = useAct('panic');
	const mayTrade = me?.permissions.includes('markets.trade') ?? false;
	const { eventId } = event;
	const rows = useMemo(() => event.markets.toSorted(byState), [event.markets]);
	const { mutate } = suspendAll;
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (event.key === 'S' && mayTrade && isFreeKey(event)) mutate({ eventId });
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, [eventId, mayTrade, mutate]);
	return (
		<>
			<h1>{event.event}</h1>
			<p className="text-muted">
				{sportName(event.sport)} · {words(event.status)}
				{event.score ? ` · ${event.score}` : ''}{' '}
				{event.source === BY_HAND && (
					<Link to="/play/$eventId" params={{ eventId }}>
						Play by hand
					</Link>
				)}
			</p>
			{mayTrade && (
				<p className="acts">
					<Button variant="danger" disabled={suspendAll.isPending} onClick={() => mutate({ eventId })}>
						Suspend all (Shift S)
					</Button>
					<output>{suspendAll.data && `Suspended: ${suspendAll.data.suspended}`}</output>
				</p>
			)}
			<Problem error={suspendAll.error} />
			{mayTrade && <BookmakerDesk eventId={eventId} markets={event.markets} />}
			{mayTrade && <FancyDesk eventId={eventId} markets={event.markets} />}
			<RecordTable
				title="Markets"
				columns={COLUMNS}
				rows={rows}
				keyOf={({ marketId }) => marketId}
				onOpen={({ marketId }) => void navigate({ to: '/markets/$eventId/$marketId', params: { eventId, marketId } })}
				empty="The event has no market."
			/>
		</>
	);
}
