/** The trading floor: every match at a glance, the keys that stop bets, and the bets as they come. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { type Sums, sums, time, weightOf, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { BetTicker } from '#console/screens/bet-ticker.tsx';
import { FloorKeys } from '#console/screens/floor-keys.tsx';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';
import { currencyOf } from '#values/pools.ts';
import { SPORTS } from '#values/sports.ts';

type Match = ResultOf<'floor'>[number];
type Scope = InputOf<'panic'>;

/** Fields of the address. */
export const FLOOR_FIELDS = ['sport', 'player', 'least', 'brand'] as const;

/** The sums of a floor are asked for less often than the bets: they read every open bet. */
const FLOOR_EVERY_MS = 3_000;
const PRESSES_EVERY_MS = 10_000;
/** A feed that is silent for so long is marked: its markets are suspended soon. */
const OLD_FEED_SECONDS = 6;

const SPORT_OPTIONS = [
	{ value: '', text: 'all sports' },
	...SPORTS.map(({ key, name }) => ({ value: key, text: name })),
];
const sportOf = (text: string | undefined) => SPORTS.find(({ key }) => key === text)?.key;

export function FloorScreen(): ReactElement {
	const navigate = useNavigate();
	const search = useSearch({ from: '/floor' });
	const sport = sportOf(search.sport);
	const query = useCall('floor', sport ? { sport } : {}, FLOOR_EVERY_MS);
	const { data: me } = useMe();
	const mayTrade = me?.permissions.includes('markets.trade') ?? false;
	const open = (eventId: string) => void navigate({ to: '/markets/$eventId', params: { eventId } });
	const ask = (changed: Partial<Record<(typeof FLOOR_FIELDS)[number], string>>) => {
		const given = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== '');
		void navigate({ to: '/floor', search: Object.fromEntries(given), replace: true });
	};
	return (
		<>
			<h1>Trading floor</h1>
			<div className="asked">
				<SelectField
					label="Sport"
					options={SPORT_OPTIONS}
					value={sport ?? ''}
					onChange={({ target }) => ask({ sport: target.value })}
				/>
			</div>
			<Loaded query={query}>
				{(matches) => (
					<>
						{mayTrade && <PanicKeys sport={sport} matches={matches} />}
						{mayTrade && <FloorKeys sport={sport} matches={matches} onOpen={open} />}
						<MatchTable matches={matches} mayTrade={mayTrade} onOpen={open} />
					</>
				)}
			</Loaded>
			<BetTicker sport={sport} asked={search} onAsk={ask} />
		</>
	);
}

function PanicKeys({ sport, matches }: { sport: string | undefined; matches: readonly Match[] }): ReactElement {
	const panic = useAct('panic');
	const press = (scope: Scope) => panic.mutate(scope);
	const ofSport = sportOf(sport);
	const sources = [...new Set(matches.map(({ source }) => source))].toSorted();
	return (
		<section aria-label="Panic keys">
			<p className="acts">
				{ofSport && (
					<Button variant="danger" onClick={() => press({ sport: ofSport })}>
						Suspend {words(ofSport)}
					</Button>
				)}
				{sources.map((source) => (
					<Button key={source} variant="danger" onClick={() => press({ source })}>
						Suspend feed {source}
					</Button>
				))}
				<Button variant="danger" onClick={() => press({ isAll: true })}>
					Suspend everything
				</Button>
				<output>{panic.data && `Suspended: ${panic.data.suspended}`}</output>
			</p>
			<Problem error={panic.error} />
			<Presses />
		</section>
	);
}

/** Presses that still suspend markets. */
function Presses(): ReactElement | null {
	const query = useCall('presses', {}, PRESSES_EVERY_MS);
	const resume = useAct('resume-all');
	const standing = (query.data ?? []).filter((press) => press.standing > 0);
	const { data } = resume;
	return (
		<>
			{standing.map(({ pressId, at, actor, scope, suspended, standing: left }) => (
				<p key={pressId} className="acts">
					<Button disabled={resume.isPending} onClick={() => resume.mutate({ pressId })}>
						Resume all {left}
					</Button>
					<span>
						{scope}, suspended by {actor} at {time(at)}: {suspended} markets
					</span>
				</p>
			))}
			{data && (
				<output>
					Resumed {data.resumed}, given back to their feeds {data.released}
					{data.left.length > 0 && (
						<>; left: {data.left.map(({ market, event, why }) => `${market} of ${event} (${why})`).join('; ')}</>
					)}
				</output>
			)}
			<Problem error={resume.error} />
		</>
	);
}

const sumOf = ({ house }: Match): Sums =>
	[...Map.groupBy(house, ({ pool }) => currencyOf(pool))].map(([currency, pools]) => ({
		currency,
		amount: pools.reduce((sum, { worst }) => sum + worst, 0),
	}));
const lossOf = (of: Sums): ReactElement | string => {
	const lost = of.filter(({ amount }) => amount < 0);
	return lost.length > 0 ? <span className="text-loss">{sums(lost)}</span> : '–';
};

const COLUMNS: readonly Column<Match>[] = [
	{
		head: 'Match',
		value: ({ event }) => event,
		show: ({ eventId, event }) => (
			<Link to="/markets/$eventId" params={{ eventId }}>
				{event}
			</Link>
		),
		width: 4,
	},
	{ head: 'Sport', value: ({ sport }) => sport },
	{
		head: 'State',
		value: ({ status }) => words(status),
		show: ({ status }) => <StateBadge state={status} />,
		width: 1.4,
	},
	{ head: 'Score', value: ({ score }) => score ?? '', width: 1.8 },
	{ head: 'Open', value: ({ open, markets }) => `${open} of ${markets}`, width: 0.8 },
	{ head: 'Suspended', value: ({ suspended }) => suspended, isFigure: true, width: 1.2 },
	{
		head: 'Tightened',
		value: ({ tightened }) => tightened,
		show: ({ tightened }) => (tightened === 0 ? '–' : <Link to="/limits">{tightened}</Link>),
		isFigure: true,
		width: 1.1,
	},
	{
		head: 'Last minute',
		value: ({ matchedLastMinute }) => weightOf(matchedLastMinute),
		show: ({ matchedLastMinute }) => sums(matchedLastMinute),
		isFigure: true,
		width: 1.3,
	},
	{
		head: 'House, worst',
		value: (match) => weightOf(sumOf(match)),
		show: (match) => lossOf(sumOf(match)),
		isFigure: true,
		width: 1.4,
	},
	{
		head: 'House by outcome',
		value: ({ outcomes }) => outcomes.map(({ outcome, house }) => `${outcome} ${sums(house)}`).join(' · '),
		width: 3.4,
	},
	{
		head: 'Largest player',
		value: ({ largest }) => weightOf(largest),
		show: ({ largest }) => lossOf(largest),
		isFigure: true,
		width: 1.5,
	},
	{
		head: 'Feed',
		value: ({ feedAge }) => feedAge ?? '',
		show: ({ feedAge, source }) =>
			feedAge === null ? source : <span className={feedAge > OLD_FEED_SECONDS ? 'text-loss' : ''}>{feedAge} s</span>,
		width: 0.8,
	},
];

/** By its row, so that a refusal stands where the key was pressed. */
function SuspendMatch({ match: { eventId, event } }: { match: Match }): ReactElement {
	const panic = useAct('panic');
	return (
		<>
			<Button
				size="small"
				variant="danger"
				aria-label={`Suspend ${event}`}
				onClick={(pressed) => {
					// The row would open.
					pressed.stopPropagation();
					panic.mutate({ eventId });
				}}
			>
				Suspend
			</Button>
			<Problem error={panic.error} />
		</>
	);
}

const STOP: Column<Match> = {
	head: 'Stop',
	value: () => '',
	width: 1.4,
	show: (match) => <SuspendMatch match={match} />,
};
const TRADERS_COLUMNS: readonly Column<Match>[] = [...COLUMNS.slice(0, 1), STOP, ...COLUMNS.slice(1)];

interface MatchTableProps {
	matches: readonly Match[];
	mayTrade: boolean;
	onOpen: (eventId: string) => void;
}

const MatchTable = ({ matches, mayTrade, onOpen }: MatchTableProps): ReactElement => (
	<RecordTable
		title="Matches"
		columns={mayTrade ? TRADERS_COLUMNS : COLUMNS}
		rows={matches}
		keyOf={({ eventId }) => eventId}
		onOpen={({ eventId }) => onOpen(eventId)}
		empty="No match is announced."
		isTall
	/>
);
