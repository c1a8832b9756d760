import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Fragment, type ReactElement, type ReactNode, Suspense, startTransition, useEffect, useState } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { NewsLine } from '#web/features/brand/news-line.tsx';
import { Frame } from '#web/features/frame/frame.tsx';
import { MatchListScreen } from '#web/features/match-list/match-list-screen.tsx';
import {
	BetSlip,
	DockedLadder,
	ImageSlider,
	LiveHero,
	OpenBets,
	PositionPart,
	SiteFooter,
} from '#web/routes/lazy-parts.ts';
import { usePreferences } from '#web/store/preferences.ts';

const FrameModals = lazyPart(async () => ({
	default: (await import('#web/routes/frame-modals.tsx')).FrameModals,
}));

/** Whether a match was looked at: until then the parts that belong to one are not loaded. */
function useSeenMatch(): boolean {
	const isThere = useParams({ strict: false }).dreamEventId !== undefined;
	const [hasSeen, setHasSeen] = useState(isThere);
	if (isThere && !hasSeen) setHasSeen(true);
	return hasSeen;
}

/** Where the format of odds is chosen: it shows no odds, and the choice keeps its focus. */
const CHOOSES_ODDS = '/settings';

/**
 * Rebuilds what writes odds when their format changes.
 * @param isChosen the choice itself, which stays
 */
function InOddsFormat({ isChosen = false, children }: { isChosen?: boolean; children: ReactNode }): ReactElement {
	const odds = usePreferences(({ oddsFormat }) => oddsFormat);
	return <Fragment key={isChosen ? CHOOSES_ODDS : odds}>{children}</Fragment>;
}

/** Longer than a slow phone paints what was opened. */
const LEFT_FOR_MS = 100;

/**
 * The list of a sport. One that is left stays until the next screen is painted: to take its rows out takes a slow phone
 * as long as to draw a match.
 */
function List(): ReactElement | null {
	const { id } = useParams({ strict: false });
	const [shown, setShown] = useState(id);
	if (id !== undefined && id !== shown) setShown(id);
	useEffect(() => {
		if (id !== undefined) return;
		const timer = setTimeout(() => startTransition(() => setShown(undefined)), LEFT_FOR_MS);
		return () => clearTimeout(timer);
	}, [id]);
	if (shown === undefined) return null;
	return (
		<div hidden={id === undefined}>
			<MatchListScreen id={shown} />
		</div>
	);
}

/** A screen within the frame of bars and columns. */
export function FramedScreen(): ReactElement {
	const hasSeenMatch = useSeenMatch();
	const banner = useRouterState({ select: ({ matches }) => matches.some(({ staticData }) => staticData.banner) });
	const isChosen = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath === CHOOSES_ODDS });
	return (
		<>
			<Frame
				news={<NewsLine />}
				banner={
					banner && (
						<Suspense fallback={<div className="slider" />}>
							<InOddsFormat>
								<LiveHero instead={<ImageSlider />} />
							</InOddsFormat>
						</Suspense>
					)
				}
				slip={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<InOddsFormat>
							<BetSlip />
						</InOddsFormat>
					</Suspense>
				}
				bets={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<InOddsFormat>
							<OpenBets />
						</InOddsFormat>
					</Suspense>
				}
				position={
					hasSeenMatch && (
						<Suspense fallback={null}>
							<InOddsFormat>
								<PositionPart />
							</InOddsFormat>
						</Suspense>
					)
				}
				ladder={
					hasSeenMatch && (
						<Suspense fallback={null}>
							<InOddsFormat>
								<DockedLadder />
							</InOddsFormat>
						</Suspense>
					)
				}
				footer={
					<Suspense fallback={null}>
						<SiteFooter />
					</Suspense>
				}
			>
				<InOddsFormat isChosen={isChosen}>
					<List />
					<Outlet />
				</InOddsFormat>
			</Frame>
			<Suspense fallback={null}>
				<FrameModals />
			</Suspense>
		</>
	);
}
