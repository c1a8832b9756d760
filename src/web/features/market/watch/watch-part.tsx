/**
 * The views of a match. This file: a stream or, if there is none, a drawing of the score; each is loaded on first use.
 */

import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import type { EventSummary } from '#web/api/answers.ts';
import type { Score } from '#web/features/market/score/score-types.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { scoreCardQuery, videoLinkQuery } from '#web/store/queries.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

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

/** A race leaves the picture of its finish. */
export const hasFinish = ({ sportName, status }: EventSummary): boolean =>
	sportName === 'Horse Racing' && status === 'FINISHED';

/** The stream's address, or the score to draw; `waits` while either may still arrive. */
function useWatch(event: EventSummary) {
	const { data: link, isPending: linkComes } = useQuery(videoLinkQuery(event.id));
	const { data: score, isPending: scoreComes } = useQuery(scoreCardQuery(event.id));
	const streamUrl = link?.kind === 'HLS' ? link.url : undefined;
	const isFinish = hasFinish(event);
	const drawn = link?.kind === 'TRACKER' || isFinish ? (score ?? null) : null;
	const isWatchable = event.hasTv || event.status === 'IN_PLAY';
	const waits = (isWatchable && (linkComes || (link?.kind === 'TRACKER' && scoreComes))) || (isFinish && scoreComes);
	return { streamUrl, drawn, waits };
}

/** Whether the match has a view: a stream, or a score to draw. */
export function useWatchable(event: EventSummary): boolean {
	const { streamUrl, drawn, waits } = useWatch(event);
	return streamUrl !== undefined || drawn !== null || waits;
}

/** The stream, or else the drawing; its space is reserved while it is requested. */
export function WatchPart({ event }: { event: EventSummary }): ReactElement {
	const { streamUrl, drawn } = useWatch(event);
	const { tellsLatePictures } = useBrandRules();
	return (
		<Suspense fallback={<Skeleton className="tracker" />}>
			{streamUrl && (
				<>
					<VideoPlayer url={streamUrl} title={event.title} />
					{tellsLatePictures && <p className="p-2 text-xs text-muted">{GRID_WORDS.latePictures}</p>}
				</>
			)}
			{!streamUrl && drawn && <Drawing score={drawn} />}
			{!streamUrl && !drawn && <Skeleton className="tracker" />}
		</Suspense>
	);
}
