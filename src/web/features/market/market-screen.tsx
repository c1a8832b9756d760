import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, Suspense, useDeferredValue, useEffect, useLayoutEffect } from 'react';
import { chartLine, chartSimple } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { Failed } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { WarningLine } from '#ui/warning-line.tsx';
import { isNotFound } from '#web/api/failure.ts';
import { MarketGroups } from '#web/features/market/market-groups.tsx';
import { forgetAhead, useMatchAhead } from '#web/features/market/match-ahead.ts';
import { MatchPanel } from '#web/features/market/panel/match-panel.tsx';
import { Scoreboard } from '#web/features/market/scoreboard/scoreboard.tsx';
import { knownMatch } from '#web/live/known-match.ts';
import { booksQuery } from '#web/live/match-preload.ts';
import { useOneClickLine } from '#web/orders/one-click-line.ts';
import { channels } from '#web/store/channels.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { GRID_WORDS, MARKET_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './market.css';
import './chart/chart.css';
import './fancy/fancy.css';
import './score/score.css';
import './watch/watch.css';

registerIcons([chartLine, chartSimple]);

const Takeover = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/takeover.tsx')).Takeover,
}));

/** New markets, such as the next wicket's, are listed while a match is played. */
const MARKETS_EVERY_MS = 15_000;

/** Subscribes to the fixture and its markets while the screen is open; to nothing without names. */
function useLiveEvent(eventId: string, marketIds: string): void {
	useEffect(() => (eventId === '' ? undefined : channels.subscribe(`event:${eventId}`)), [eventId]);
	useEffect(() => {
		const leaves = marketIds === '' ? [] : marketIds.split(',').map((id) => channels.subscribe(`market:${id}`));
		return () => {
			for (const leave of leaves) leave();
		};
	}, [marketIds]);
}

function Waiting(): ReactElement {
	return (
		<output aria-label={TEXTS.app.loading} className="flex flex-col gap-3">
			<Skeleton className="h-24 w-full" />
			<Skeleton className="h-11 w-full" />
			<Skeleton className="h-56 w-full" />
		</output>
	);
}

/** A warning above the prices. */
function OneClickNotice(): ReactElement | null {
	const line = useOneClickLine(MARKET_WORDS.oneClick);
	return line && <WarningLine {...line} />;
}

/** /markets/:eventid?/:dreamEventId. */
export function MarketScreen(): ReactElement | null {
	const { dreamEventId: eventId = '' } = useParams({ from: '/frame/markets/{-$eventid}/$dreamEventId' });
	const isAhead = useMatchAhead((ahead) => ahead.isShown && ahead.eventId === eventId);
	useLayoutEffect(() => (isAhead ? forgetAhead : undefined), [isAhead]);
	return isAhead ? null : <MatchPage eventId={eventId} isShown />;
}

/**
 * One fixture with its score and its markets.
 * @param isShown false while it is rendered ahead, with what is known
 */
export function MatchPage({ eventId, isShown }: { eventId: string; isShown: boolean }): ReactElement {
	const {
		data: answer,
		error,
		isPlaceholderData: isPartial,
	} = useQuery({
		...eventMarketsQuery(eventId),
		refetchInterval: MARKETS_EVERY_MS,
		placeholderData: () => knownMatch(eventId),
	});
	const marketIds = (answer?.markets ?? []).map(({ id }) => id);
	const followed = isShown ? marketIds : [];
	useQuery(booksQuery(isPartial ? [] : followed));
	useLiveEvent(isShown ? eventId : '', followed.join(','));
	// A page of markets renders in many small steps, so that presses are handled in between.
	const data = useDeferredValue(answer);
	const isAnswered = useDeferredValue(!isPartial);
	const unknown = isNotFound(error);
	return (
		<div className="market-screen">
			{data && (
				<>
					<Scoreboard event={data.event} markets={data.markets} />
					<div className="market-state">
						<MatchPanel event={data.event} markets={data.markets} />
						{data.event.status !== 'UPCOMING' && (
							<Suspense fallback={null}>
								<Takeover eventId={data.event.id} />
							</Suspense>
						)}
					</div>
					<OneClickNotice />
					<MarketGroups key={data.event.id} event={data.event} markets={data.markets} isWhole={isAnswered} />
				</>
			)}
			{!data && unknown && (
				<ScreenState
					icon="triangle-exclamation"
					tone="alert"
					title={GRID_WORDS.unknown}
					action={
						<Link to="/matchlist/$id" params={{ id: '3' }} className="button" data-variant="primary">
							{GRID_WORDS.backToList}
						</Link>
					}
				/>
			)}
			{!data && error && !unknown && <Failed error={error} words={TEXTS.app} />}
			{!data && !error && <Waiting />}
		</div>
	);
}
