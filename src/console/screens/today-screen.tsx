/** What waits, what stands still, and the last 24 hours. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { age, amount, wholeAmount, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { PostingsLink } from '#console/parts/postings-link.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import type { Column } from '#ui/table-columns.ts';

type Today = ResultOf<'today'>;
/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

export function TodayScreen(): ReactElement {
	const query = useCall('today', {}, EVERY_MS);
	return (
		<>
			<h1>Today</h1>
			<Loaded query={query}>{(today) => <TodayView today={today} askedAtMs={query.dataUpdatedAt} />}</Loaded>
		</>
	);
}

const brandsColumns = (hours: Today['hours']): readonly Column<Today['brands'][number]>[] => [
	{ head: 'Brand', value: ({ host }) => host, width: 2 },
	{ head: 'Pool', value: ({ pool }) => pool },
	{ head: 'Players', value: ({ players }) => players, isFigure: true },
	{ head: 'Results', value: ({ results }) => results, isFigure: true },
	...(
		[
			['Turnover', 'turnover'],
			['Players won', 'playersWon'],
			['Commission', 'commission'],
			['GGR', 'ggr'],
			['Exposure now', 'exposure'],
		] as const
	).map(
		([head, name]): Column<Today['brands'][number]> => ({
			head,
			value: (row) => row[name],
			show: (row) =>
				name === 'commission' ? (
					<Commission row={row} hours={hours} />
				) : (
					<span className={row[name] < 0 && name !== 'playersWon' ? 'text-loss' : ''}>{amount(row[name])}</span>
				),
			isFigure: true,
			width: 1.2,
		}),
	),
];

/** The commission of a brand, which leads to its postings from the first hour with a result to the last. */
function Commission({ row, hours }: { row: Today['brands'][number]; hours: Today['hours'] }): ReactElement {
	const { host, pool, commission } = row;
	const own = hours.filter((hour) => hour.host === host && hour.pool === pool);
	const [first, last] = [own[0], own.at(-1)];
	if (!first || !last) return <>{amount(commission)}</>;
	const of = { account: 'commission', brand: host, pool, from: first.hour, to: last.hour };
	return <PostingsLink value={commission} of={of} />;
}

const AT_LIMITS: readonly Column<Today['atLimits'][number]>[] = [
	// What a phone shows without scrolling comes first.
	{ head: 'Player', value: ({ userName }) => userName, width: 1.5 },
	{ head: 'Used', value: ({ used }) => used, show: ({ used }) => amount(used), isFigure: true },
	{ head: 'Limit', value: ({ limit }) => limit, show: ({ limit }) => amount(limit), isFigure: true },
	{ head: 'Of', value: ({ what, period }) => `${what}, ${words(period)}` },
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.5 },
];

function TodayView({ today, askedAtMs }: { today: Today; askedAtMs: number }): ReactElement {
	const navigate = useNavigate();
	const { alarms, feedResults, findings, withoutResult, stopped, atLimits, brands, hours } = today;
	return (
		<>
			{alarms.length > 0 && (
				<section aria-label="Alarms" role="alert">
					<h2>Alarms</h2>
					<ul>
						{alarms.map(({ name, words: found, todo, since }) => (
							<li key={name}>
								<Link to="/system" className="text-loss">
									{found}
								</Link>{' '}
								{todo} <span className="text-muted">{age(since, askedAtMs)}</span>
							</li>
						))}
					</ul>
				</section>
			)}
			<Waits today={today} askedAtMs={askedAtMs} />
			<FeedResults results={feedResults} askedAtMs={askedAtMs} />
			<Findings findings={findings} askedAtMs={askedAtMs} />
			{withoutResult.length > 0 && (
				<section aria-label="Markets without a result">
					<h2>Closed without a result</h2>
					<ul>
						{withoutResult.map(({ marketId, eventId, event, market }) => (
							<li key={marketId}>
								<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
									{event} · {market}
								</Link>
							</li>
						))}
					</ul>
				</section>
			)}
			{stopped.length > 0 && (
				<section aria-label="Stopped events">
					<h2>In play, with every market suspended</h2>
					<ul>
						{stopped.map(({ eventId, event, source }) => (
							<li key={eventId}>
								<Link to="/markets/$eventId" params={{ eventId }}>
									{event}
								</Link>{' '}
								<span className="text-muted">{source}</span>
							</li>
						))}
					</ul>
				</section>
			)}
			{atLimits.length > 0 && (
				<>
					<h2>Players at limits</h2>
					<RecordTable
						title="Players at limits"
						isPlain
						columns={AT_LIMITS}
						rows={atLimits}
						keyOf={({ playerId, what, period }) => `${playerId} ${what} ${period}`}
						onOpen={({ playerId }) => void navigate({ to: '/players/$playerId', params: { playerId } })}
						empty="No player is at a limit."
					/>
				</>
			)}
			<h2>Last 24 hours</h2>
			<RecordTable
				title="Brands"
				isPlain
				columns={brandsColumns(hours)}
				rows={brands}
				keyOf={({ host, pool }) => `${host} ${pool}`}
				onOpen={({ host }) => void navigate({ to: '/brands/$host', params: { host } })}
				empty="There is no brand."
			/>
			<Hours hours={hours} />
		</>
	);
}

/** Money, proposals and messages that wait for a person. */
function Waits({ today, askedAtMs }: { today: Today; askedAtMs: number }): ReactElement {
	const { waiting, alarms, proposals, tickets, findings, withoutResult, stopped } = today;
	const isQuiet =
		alarms.length +
			waiting.length +
			proposals +
			tickets.waiting +
			findings.length +
			withoutResult.length +
			stopped.length ===
		0;
	return (
		<section aria-label="What waits" className="cards">
			{isQuiet && <p className="py-2 text-muted">Nothing waits.</p>}
			{waiting.map(({ kind, state, count, oldest }) => (
				<Link key={`${kind} ${state}`} to="/payments" className="card">
					<strong>{count}</strong> {words(kind)} {words(state)}
					<span className="text-muted">oldest {age(oldest, askedAtMs)}</span>
				</Link>
			))}
			{tickets.waiting > 0 && (
				<Link to="/messages" className="card">
					<strong>{tickets.waiting}</strong> messages of players
					{tickets.overdue > 0 && <span className="text-loss">{tickets.overdue} past the deadline</span>}
				</Link>
			)}
			{proposals > 0 && (
				<Link to="/results" className="card">
					<strong>{proposals}</strong> to confirm
				</Link>
			)}
		</section>
	);
}

/** Results that feeds report, the oldest first; each leads to its market, where it is confirmed. */
function FeedResults({
	results: { count, oldest },
	askedAtMs,
}: {
	results: Today['feedResults'];
	askedAtMs: number;
}): ReactElement | null {
	if (count === 0) return null;
	return (
		<section aria-label="Results that feeds report">
			<h2>Results proposed by feeds, to be confirmed</h2>
			<ul>
				{oldest.map(({ marketId, eventId, event, market, result, bets, proposedAt }) => (
					<li key={marketId}>
						<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
							{event} · {market}
						</Link>
						: {result}{' '}
						<span className="text-muted">
							{bets} {age(proposedAt, askedAtMs)}
						</span>
					</li>
				))}
			</ul>
			{count > oldest.length && (
				<p>
					<Link to="/results">{count - oldest.length} more</Link>
				</p>
			)}
		</section>
	);
}

/** What feeds say against what stands; each leads to its market, and a member who has dealt with it closes it. */
function Findings({ findings, askedAtMs }: Pick<Today, 'findings'> & { askedAtMs: number }): ReactElement | null {
	const close = useAct('close-finding');
	const { data: me } = useMe();
	const mayClose = me?.permissions.includes('results.propose') ?? false;
	if (findings.length === 0) return null;
	return (
		<section aria-label="What feeds say against what stands">
			<h2>Feeds say otherwise</h2>
			<ul>
				{findings.map(({ findingId, marketId, eventId, event, market, words, reportedAt }) => (
					<li key={findingId}>
						<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
							{event} · {market}
						</Link>
						: {words} <span className="text-muted">{age(reportedAt, askedAtMs)}</span>{' '}
						{mayClose && (
							<Button disabled={close.isPending} onClick={() => close.mutate({ findingId })}>
								Close
							</Button>
						)}
					</li>
				))}
			</ul>
			<Problem error={close.error} />
		</section>
	);
}

const FIGURES = { ggr: 'GGR', turnover: 'Turnover', commission: 'Commission' } as const;
type Figure = keyof typeof FIGURES;
const FIGURE_OPTIONS = (Object.keys(FIGURES) as Figure[]).map((value) => ({ value, text: FIGURES[value] }));

/** One figure by hour as bars, for each brand and pool; the other figures stand in each bar's title. */
function Hours({ hours }: Pick<Today, 'hours'>): ReactElement | null {
	const [figure, setFigure] = useState<Figure>('ggr');
	if (hours.length === 0) return null;
	return (
		<section aria-label="By hour" className="pt-3">
			<FilterSelect label="By hour" value={figure} options={FIGURE_OPTIONS} onChange={setFigure} />
			{[...Map.groupBy(hours, ({ host, pool }) => `${host}, ${pool}`)].map(([name, own]) => (
				<HourBars key={name} name={name} figure={figure} hours={own} />
			))}
		</section>
	);
}

/** Commission is the one figure that one account has, so its bars lead to their postings. */
function Bar(props: { row: Today['hours'][number]; figure: Figure; children: ReactNode }): ReactElement {
	const { row, figure, children } = props;
	if (figure !== 'commission') return <>{children}</>;
	const { host, pool, hour, commission } = row;
	return (
		<PostingsLink value={commission} of={{ account: 'commission', brand: host, pool, from: hour, to: hour }}>
			{children}
		</PostingsLink>
	);
}

function HourBars({ name, figure, hours }: Pick<Today, 'hours'> & { name: string; figure: Figure }): ReactElement {
	const most = Math.max(1, ...hours.map((row) => Math.abs(row[figure])));
	return (
		<figure className="hours pt-3">
			<figcaption>
				{name}: {FIGURES[figure]} by hour
			</figcaption>
			<ul>
				{hours.map((row) => {
					const height = (40 * Math.abs(row[figure])) / most;
					const others = Object.entries(FIGURES).map(([key, title]) => `${title} ${amount(row[key as Figure])}`);
					return (
						<li key={row.hour} title={`${row.hour}: ${others.join(', ')}`}>
							<Bar row={row} figure={figure}>
								<svg viewBox="0 0 10 40" preserveAspectRatio="none" aria-hidden="true">
									<rect
										x="0"
										width="10"
										y={40 - height}
										height={height}
										className={row[figure] < 0 ? 'text-loss' : ''}
									/>
								</svg>
								<span>{row.hour.slice(11, 13)}</span>
								<span className="unseen">{wholeAmount(row[figure])}</span>
							</Bar>
						</li>
					);
				})}
			</ul>
		</figure>
	);
}
