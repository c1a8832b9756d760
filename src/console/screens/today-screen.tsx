/** What waits, what stands still, and the last 24 hours. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { age, amount, wholeAmount, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { type Column, RecordTable } from '#console/parts/record-table.tsx';

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

const BRANDS: readonly Column<Today['brands'][number]>[] = [
	{ head: 'Brand', value: ({ host }) => host, width: 2 },
	{ head: 'Pool', value: ({ pool }) => pool },
	{ head: 'Players', value: ({ players }) => players, isFigure: true },
	{ head: 'Results', value: ({ results }) => results, isFigure: true },
	{ head: 'Players won', value: ({ net }) => net, show: ({ net }) => amount(net), isFigure: true },
	{ head: 'Commission', value: ({ commission }) => commission, show: (row) => amount(row.commission), isFigure: true },
	{ head: 'Exposure now', value: ({ exposure }) => exposure, show: (row) => amount(row.exposure), isFigure: true },
];

function TodayView({ today, askedAtMs }: { today: Today; askedAtMs: number }): ReactElement {
	const navigate = useNavigate();
	const { waiting, proposals, withoutResult, stopped, brands, hours } = today;
	const isQuiet = waiting.length + proposals + withoutResult.length + stopped.length === 0;
	return (
		<>
			<section aria-label="What waits" className="cards">
				{isQuiet && <p className="empty">Nothing waits.</p>}
				{waiting.map(({ kind, state, count, oldest }) => (
					<Link key={`${kind} ${state}`} to="/payments" className="card">
						<strong>{count}</strong> {words(kind)} {words(state)}
						<span className="muted">oldest {age(oldest, askedAtMs)}</span>
					</Link>
				))}
				{proposals > 0 && (
					<Link to="/results" className="card">
						<strong>{proposals}</strong> to confirm
					</Link>
				)}
			</section>
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
								<span className="muted">{source}</span>
							</li>
						))}
					</ul>
				</section>
			)}
			<h2>Last 24 hours</h2>
			<RecordTable
				title="Brands"
				isPlain
				columns={BRANDS}
				rows={brands}
				keyOf={({ host }) => host}
				onOpen={({ host }) => void navigate({ to: '/brands/$host', params: { host } })}
				empty="There is no brand."
			/>
			{[...Map.groupBy(hours, ({ pool }) => pool)].map(([pool, own]) => (
				<Hours key={pool} pool={pool} hours={own} />
			))}
		</>
	);
}

/** Commission by hour as bars, with the figures for screen readers. */
function Hours({ pool, hours }: Pick<Today, 'hours'> & { pool: string }): ReactElement {
	const most = Math.max(1, ...hours.map(({ commission }) => commission));
	return (
		<figure className="hours">
			<figcaption>{pool}: commission by hour</figcaption>
			<ul>
				{hours.map(({ at, commission, net }) => (
					<li key={at} title={`${at.slice(11, 16)}: ${amount(commission)}, players won ${amount(net)}`}>
						<svg viewBox="0 0 10 40" preserveAspectRatio="none" aria-hidden="true">
							<rect x="0" width="10" y={40 - (40 * commission) / most} height={(40 * commission) / most} />
						</svg>
						<span>{at.slice(11, 13)}</span>
						<span className="sr">{wholeAmount(commission)}</span>
					</li>
				))}
			</ul>
		</figure>
	);
}
