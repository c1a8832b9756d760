/**
 * How a match can be watched. This file: the panel with a stream or, where there is none, a drawing made from the score
 * alone; each is loaded when it is first shown.
 */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import type { EventSummary } from '#web/api/answers.ts';
import type { Score } from '#web/features/market/score/score-types.ts';
import { setWatchPanelOpen, usePreferences } from '#web/store/preferences.ts';
import { scoreCardQuery, videoLinkQuery } from '#web/store/queries.ts';
import { MARKET_WORDS } from '#web/texts/market.ts';

const VideoPlayer = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/video-player.tsx')).VideoPlayer,
}));
const CricketField = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/cricket-field.tsx')).CricketField,
}));
const FootballPitch = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/football-pitch.tsx')).FootballPitch,
}));
const TennisCourt = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/tennis-court.tsx')).TennisCourt,
}));
const KabaddiMat = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/kabaddi-mat.tsx')).KabaddiMat,
}));
const RaceTrack = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/race-track.tsx')).RaceTrack,
}));
const LevelChart = lazyPart(async () => ({
	default: (await import('#web/features/market/watch/level-chart.tsx')).LevelChart,
}));

function Drawing({ score }: { score: Score }): ReactElement {
	switch (score.sport) {
		case 'cricket':
			return <CricketField score={score} />;
		case 'football':
			return <FootballPitch score={score} />;
		case 'tennis':
			return <TennisCourt score={score} />;
		case 'kabaddi':
			return <KabaddiMat score={score} />;
		case 'horseRacing':
			return <RaceTrack score={score} />;
		case 'trade':
			return <LevelChart score={score} />;
	}
}

/** Whether the match has something to watch: a stream, or a score to draw. */
export const isWatchable = ({ hasTv, status }: EventSummary): boolean => hasTv || status === 'IN_PLAY';

/**
 * Nothing where a match cannot be watched; folded up it stays so on this device. Its room is kept while it is asked for.
 */
export function WatchPanel({ event }: { event: EventSummary }): ReactElement | null {
	const { data: link, isPending: linkComes } = useQuery(videoLinkQuery(event.id));
	const { data: score, isPending: scoreComes } = useQuery(scoreCardQuery(event.id));
	const wide = useMediaQuery('(width >= 48rem)');
	// On a phone prices come first, so the tracker starts closed.
	const open = usePreferences((preferences) => preferences.watchPanelOpen) ?? wide;
	const streamUrl = link?.kind === 'HLS' ? link.url : undefined;
	const hasStream = linkComes ? event.hasTv : streamUrl !== undefined;
	const drawn = link?.kind === 'TRACKER' ? (score ?? null) : null;
	const waits = isWatchable(event) && (linkComes || (link?.kind === 'TRACKER' && scoreComes));
	if (!streamUrl && !drawn && !waits) return null;
	return (
		<details
			className="score-card"
			data-part="watch"
			open={open}
			onToggle={(toggle) => {
				if (toggle.currentTarget.open !== open) setWatchPanelOpen(toggle.currentTarget.open);
			}}
		>
			<summary className="flex min-h-11 items-center gap-2 px-3">
				<Icon solid size="sm" className="text-muted">
					{hasStream ? 'tv' : 'tower-broadcast'}
				</Icon>
				<span className="flex-1 font-semibold">{hasStream ? MARKET_WORDS.video : MARKET_WORDS.watch}</span>
				<Icon solid size="xs" className="score-chevron text-muted">
					chevron-right
				</Icon>
			</summary>
			{open && (
				<Suspense fallback={<Skeleton className="tracker" />}>
					{streamUrl && <VideoPlayer url={streamUrl} title={event.title} />}
					{!streamUrl && drawn && <Drawing score={drawn} />}
					{waits && <Skeleton className="tracker" />}
				</Suspense>
			)}
		</details>
	);
}
