import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { useOwnResults } from '#web/features/market/own-results.ts';
import { StatsPart } from '#web/features/market/panel/stats-part.tsx';
import { ScorePart } from '#web/features/market/score-part.tsx';
import { hasFinish, useWatchable, WatchPart } from '#web/features/market/watch/watch-part.tsx';
import { useLayout } from '#web/store/layout.ts';
import { type MatchPanelPart, setMatchPanel, usePreferences } from '#web/store/preferences.ts';
import { scoreCardQuery } from '#web/store/queries.ts';
import { PANEL_WORDS } from '#web/texts/more.ts';
import './panel.css';

const MarketChart = lazyPart(async () => ({
	default: (await import('#web/features/market/chart/market-chart.tsx')).MarketChart,
}));

/** The parts of a fixture, in the order of their tabs. A missing part has no tab. */
function useParts(event: EventSummary, charted: boolean): MatchPanelPart[] {
	const started = event.status !== 'UPCOMING';
	const videoBox = useLayout((layout) => layout.videoBox);
	const watchable = useWatchable(event);
	const twoSides = event.sportName !== 'Horse Racing' && event.sportName !== 'Trade';
	return [
		...(started ? (['SCORE'] as const) : []),
		...(videoBox && watchable ? (['LIVE'] as const) : []),
		...(charted ? (['CHART'] as const) : []),
		...(started && twoSides ? (['STATS'] as const) : []),
	];
}

/** The prices of the main market over time, with the player's own bets. */
function ChartPart({ market }: { market: Market }): ReactElement {
	const { bets } = useOwnResults(market);
	return (
		<Suspense fallback={<div className="price-chart" />}>
			<MarketChart market={market} bets={bets} />
		</Suspense>
	);
}

interface PartProps {
	part: MatchPanelPart;
	event: EventSummary;
	main: Market | undefined;
}

function Part({ part, event, main }: PartProps): ReactElement {
	const { data: score, isPending } = useQuery(scoreCardQuery(event.id));
	if (part === 'LIVE') return <WatchPart event={event} />;
	if (part === 'CHART' && main) return <ChartPart key={main.id} market={main} />;
	if (isPending) return <Skeleton className="w-full self-stretch" />;
	return part === 'STATS' ? <StatsPart score={score ?? null} /> : <ScorePart event={event} score={score ?? null} />;
}

/** Of fixed height: the rest is scrolled to, by keyboard as well, so a scrolling region takes the focus. */
function PanelBody({ id, isOpen, children }: { id: string; isOpen: boolean; children: ReactNode }): ReactElement {
	const body = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (body.current) body.current.tabIndex = 0;
	}, []);
	return (
		<div ref={body} id={id} className="panel-body" hidden={!isOpen}>
			{children}
		</div>
	);
}

/**
 * Score, tracker and figures of a fixture in one panel of fixed height, so that no price below moves with them. A press
 * on the open tab closes it, which is stored on this device. On a phone it starts closed, because prices come first: a mark in
 * the scoreboard opens it.
 */
export function MatchPanel({
	event,
	markets,
}: {
	event: EventSummary;
	markets: readonly Market[];
}): ReactElement | null {
	const id = useId();
	const main = markets.find(({ id }) => id === event.mainMarketId);
	const parts = useParts(event, main?.bettingModel === 'EXCHANGE');
	const wide = useMediaQuery('(width >= 48rem)');
	const kept = usePreferences((preferences) => preferences.matchPanel);
	const wanted = kept ?? (wide ? 'LIVE' : 'CLOSED');
	const first = parts.includes('LIVE') ? 'LIVE' : parts[0];
	if (!first) return null;
	const open = wanted === 'CLOSED' ? null : parts.includes(wanted) ? wanted : first;
	return (
		<section className="match-panel" aria-label={PANEL_WORDS.label}>
			{!wide && (
				<button
					type="button"
					className="icon-button panel-toggle"
					aria-expanded={open !== null}
					aria-controls={id}
					aria-label={PANEL_WORDS.label}
					onClick={() => setMatchPanel(open ? 'CLOSED' : first)}
				>
					<Icon solid>chevron-down</Icon>
				</button>
			)}
			{(wide || open) && (
				<div className="panel-tabs">
					{parts.map((part) => (
						<button
							key={part}
							type="button"
							aria-expanded={part === open}
							aria-controls={id}
							onClick={() => setMatchPanel(part === open ? 'CLOSED' : part)}
						>
							{part === 'LIVE' && hasFinish(event) ? PANEL_WORDS.finish : PANEL_WORDS.parts[part]}
						</button>
					))}
				</div>
			)}
			<PanelBody id={id} isOpen={open !== null}>
				{open && <Part part={open} event={event} main={main} />}
			</PanelBody>
		</section>
	);
}
