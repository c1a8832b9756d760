import { withTexts } from '#web/texts/held.ts';
/** The frame around every screen: top bar, sports, tree, slip and open bets; on a phone one column with a bar below. */

import { memo, type ReactElement, type ReactNode, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { useMediaQuery } from '#ui/media-query.ts';
import { BottomBar as AnyBottomBar } from '#web/features/frame/bottom-bar.tsx';
import { ConnectionStrip } from '#web/features/frame/connection-strip.tsx';
import { SportBar as AnySportBar } from '#web/features/frame/sport-bar.tsx';
import { TopBar as AnyTopBar } from '#web/features/frame/top-bar.tsx';
import { useLayout } from '#web/store/layout.ts';
import { TEXTS } from '#web/texts.ts';

// Another screen between them is no reason to render them.
const [TopBar, SportBar, BottomBar] = [memo(AnyTopBar), memo(AnySportBar), memo(AnyBottomBar)];

/** Each is on one kind of screen only; the other does not load it. */
const SportTree = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/frame/sport-tree.tsx'))).SportTree,
}));
const SideColumn = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/frame/side-column.tsx'))).SideColumn,
}));
const SlipSheet = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/frame/slip-sheet.tsx'))).SlipSheet,
}));

const TREE_FROM = '(width >= 64rem)';
const COLUMN_FROM = '(width >= 75rem)';

export function Frame({
	news,
	banner,
	slip,
	position,
	bets,
	ladder,
	footer,
	children,
}: {
	/** Between the bars and the columns. */
	news: ReactNode;
	/** Above the screen; null where a screen has none. */
	banner: ReactNode;
	slip: ReactNode;
	/** What the player has in the match on the screen, and its ladder; on a wide screen only. */
	position: ReactNode;
	bets: ReactNode;
	ladder: ReactNode;
	/** Below every screen. */
	footer: ReactNode;
	children: ReactNode;
}): ReactElement {
	const hasTree = useMediaQuery(TREE_FROM);
	const hasColumn = useMediaQuery(COLUMN_FROM);
	const { sidebar, sideColumn, imageSliderHeader, newsMarquee } = useLayout();
	const treeShown = hasTree && sidebar;
	const columnShown = hasColumn && sideColumn;
	return (
		<>
			<a href="#content" className="skip-link">
				{TEXTS.app.skip}
			</a>
			<TopBar />
			<ConnectionStrip />
			<SportBar />
			{newsMarquee && news}
			<div className="frame" data-tree={treeShown || undefined} data-column={columnShown || undefined}>
				{treeShown && (
					<aside className="frame-side" aria-label={TEXTS.bar.tree}>
						<Suspense fallback={null}>
							<SportTree />
						</Suspense>
					</aside>
				)}
				<main id="content" tabIndex={-1} className="min-w-0 outline-none">
					<div className="frame-content">
						{imageSliderHeader && banner}
						{children}
					</div>
					{footer}
				</main>
				{columnShown && (
					<aside className="frame-side border-l border-line bg-surface-1" aria-label={TEXTS.slip.title}>
						<Suspense fallback={null}>
							<SideColumn slip={slip} position={position} bets={bets} ladder={ladder} />
						</Suspense>
					</aside>
				)}
			</div>
			{!hasColumn && (
				<>
					<BottomBar />
					<Suspense fallback={null}>
						<SlipSheet>{slip}</SlipSheet>
					</Suspense>
				</>
			)}
		</>
	);
}
