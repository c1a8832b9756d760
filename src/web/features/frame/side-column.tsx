import { useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { useSlipCount } from '#web/store/slip.ts';
import { TEXTS } from '#web/texts.ts';
import './cockpit.css';

/** Its screen has what the column would repeat. */
const OPEN_BETS = '/open-bets';

function Part({ part, title, children }: { part: string; title: string; children: ReactNode }): ReactElement {
	return (
		<section className="cockpit-part" data-part={part} aria-label={title}>
			<h2>{title}</h2>
			{children}
		</section>
	);
}

/**
 * The right column of a wide screen: the slip, what the player has in the match, and all open bets, which scroll together;
 * below them the ladder, whose place depends on none of them.
 */
export function SideColumn({
	slip,
	position,
	bets,
	ladder,
}: {
	slip: ReactNode;
	position: ReactNode;
	bets: ReactNode;
	ladder: ReactNode;
}): ReactElement {
	const count = useSlipCount();
	const slipTitle = count > 0 ? `${TEXTS.slip.title} (${count})` : TEXTS.slip.title;
	const isAtBets = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath === OPEN_BETS });
	return (
		<div className="cockpit">
			<div className="cockpit-parts">
				<Suspense
					fallback={
						<Part part="slip" title={slipTitle}>
							<Skeleton className="m-3 h-40" />
						</Part>
					}
				>
					<Part part="slip" title={slipTitle}>
						{slip}
					</Part>
					{/* What is below the slip does not come before it. */}
					{position}
					{!isAtBets && (
						<Part part="bets" title={TEXTS.bets.title}>
							{bets}
						</Part>
					)}
				</Suspense>
			</div>
			{ladder}
		</div>
	);
}
