import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Fragment, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { NewsLine } from '#web/features/brand/news-line.tsx';
import { Frame } from '#web/features/frame/frame.tsx';
import {
	BetSlip,
	DockedLadder,
	ImageSlider,
	LiveHero,
	OneClickBanner,
	OpenBets,
	PositionPart,
	SiteFooter,
} from '#web/routes/lazy-parts.ts';
import { useOneClickStake } from '#web/store/one-click.ts';
import { usePreferences } from '#web/store/preferences.ts';

const FrameModals = lazyPart(async () => ({
	default: (await import('#web/routes/frame-modals.tsx')).FrameModals,
}));

/** Whether a match was looked at: until then the parts that belong to one are not loaded. */
function useSeenMatch(isThere: boolean): boolean {
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

/** What stands beside every screen: one element each, so that another screen is no reason to render it. */
const NEWS = <NewsLine />;
const BANNER = (
	<Suspense fallback={<div className="slider" />}>
		<InOddsFormat>
			<LiveHero instead={<ImageSlider />} />
		</InOddsFormat>
	</Suspense>
);
const SLIP = (
	<InOddsFormat>
		<BetSlip />
	</InOddsFormat>
);
const BETS = (
	<Suspense fallback={<Skeleton className="m-3 h-40" />}>
		<InOddsFormat>
			<OpenBets />
		</InOddsFormat>
	</Suspense>
);
const POSITION = (
	<Suspense fallback={null}>
		<InOddsFormat>
			<PositionPart />
		</InOddsFormat>
	</Suspense>
);
const LADDER = (
	<Suspense fallback={null}>
		<InOddsFormat>
			<DockedLadder />
		</InOddsFormat>
	</Suspense>
);
/** Prices of lists bet at once, too, and a phone has no slip in sight that says so. */
const ONE_CLICK = (
	<Suspense fallback={<div className="warning-line" />}>
		<OneClickBanner />
	</Suspense>
);
const FOOTER = (
	<Suspense fallback={null}>
		<SiteFooter />
	</Suspense>
);
const MODALS = (
	<Suspense fallback={null}>
		<FrameModals />
	</Suspense>
);

/** A screen within the frame of bars and columns. */
export function FramedScreen(): ReactElement {
	const isMatch = useParams({ strict: false }).dreamEventId !== undefined;
	const hasSeenMatch = useSeenMatch(isMatch);
	// A match says it right above its prices.
	const isNoticed = useOneClickStake() !== null && !isMatch;
	const banner = useRouterState({ select: ({ matches }) => matches.some(({ staticData }) => staticData.banner) });
	const isChosen = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath === CHOOSES_ODDS });
	return (
		<>
			<Frame
				news={NEWS}
				banner={banner && BANNER}
				slip={SLIP}
				bets={BETS}
				position={hasSeenMatch && POSITION}
				ladder={hasSeenMatch && LADDER}
				footer={FOOTER}
			>
				{isNoticed && ONE_CLICK}
				<InOddsFormat isChosen={isChosen}>
					<Outlet />
				</InOddsFormat>
			</Frame>
			{MODALS}
		</>
	);
}
