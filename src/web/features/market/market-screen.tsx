import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CallFailure, messageOf } from '#web/api/failure.ts';
import { MarketCard } from '#web/features/market/market-card.tsx';
import { ScoreCard } from '#web/features/market/score-card.tsx';
import { formatDay, formatTime } from '#web/format.ts';
import { hub } from '#web/store/hub.ts';
import { booksQuery, type EventSummary, eventMarketsQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

/** Follows the fixture and its markets while the screen stands. */
function useLiveEvent(eventId: string, marketIds: string): void {
	useEffect(() => hub.subscribe(`event:${eventId}`), [eventId]);
	useEffect(() => {
		const leaves = marketIds === '' ? [] : marketIds.split(',').map((id) => hub.subscribe(`market:${id}`));
		return () => {
			for (const leave of leaves) leave();
		};
	}, [marketIds]);
}

function Head({ event }: { event: EventSummary }): ReactElement {
	return (
		<header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 py-2">
			<Link
				to="/matchlist/$id"
				params={{ id: String(event.sportId) }}
				className="icon-button -ml-2"
				aria-label={TEXTS.market.backToList}
			>
				<Icon solid transform="rotate-180">
					chevron-right
				</Icon>
			</Link>
			<div className="min-w-0 flex-1">
				<h1 className="text-lg leading-6 font-bold lg:text-xl">{event.title}</h1>
				<p className="truncate text-xs text-muted">
					{event.sportName} · {event.competition} · {formatDay(event.matchDate, TEXTS.matches)}{' '}
					{formatTime(event.matchDate)}
				</p>
			</div>
			{event.status === 'IN_PLAY' && (
				<span className="in-play-badge">
					<Icon solid size="xs">
						play
					</Icon>
					{TEXTS.matches.inPlay}
				</span>
			)}
			{event.status === 'FINISHED' && <span className="text-muted">{TEXTS.matches.finished}</span>}
		</header>
	);
}

function Waiting(): ReactElement {
	return (
		<output aria-label={TEXTS.app.loading} className="flex flex-col gap-3">
			<Skeleton className="h-14 w-2/3" />
			<Skeleton className="h-36 w-full" />
			<Skeleton className="h-56 w-full" />
		</output>
	);
}

/** /markets/:eventid?/:dreamEventId: one fixture with its score and its markets. */
export function MarketScreen(): ReactElement {
	const { dreamEventId: eventId } = useParams({ from: '/frame/markets/{-$eventid}/$dreamEventId' });
	const { data, error, refetch } = useQuery(eventMarketsQuery(eventId));
	const marketIds = (data?.markets ?? []).map(({ id }) => id);
	useQuery(booksQuery(marketIds));
	useLiveEvent(eventId, marketIds.join(','));
	const unknown = error instanceof CallFailure && error.status === 404;
	return (
		<div className="flex flex-col gap-2 p-2 lg:p-4">
			{data && (
				<>
					<Head event={data.event} />
					<ScoreCard eventId={eventId} />
					{data.markets.map((market) => (
						<MarketCard key={market.id} event={data.event} market={market} />
					))}
					{data.markets.length === 0 && <ScreenState title={TEXTS.market.noMarkets} />}
				</>
			)}
			{!data && error && (
				<ScreenState
					tone="alert"
					title={unknown ? TEXTS.market.unknown : TEXTS.app.failed}
					action={
						unknown ? (
							<Link to="/matchlist/$id" params={{ id: '3' }} className="button" data-variant="primary">
								{TEXTS.market.backToList}
							</Link>
						) : (
							<Button onClick={() => void refetch()}>{TEXTS.app.retry}</Button>
						)
					}
				>
					{unknown ? undefined : messageOf(error)}
				</ScreenState>
			)}
			{!data && !error && <Waiting />}
		</div>
	);
}
