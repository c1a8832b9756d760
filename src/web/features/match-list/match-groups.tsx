import type { ReactElement } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { MatchRow } from '#web/features/match-list/match-row.tsx';
import type { PricedEvent } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const GROUPS = [
	{ title: TEXTS.matches.inPlay, statuses: ['IN_PLAY'] },
	{ title: TEXTS.matches.upcoming, statuses: ['UPCOMING'] },
	{ title: TEXTS.matches.finished, statuses: ['FINISHED', 'ABANDONED'] },
] as const;

/** Fixtures by what they are doing: in play, to come, over. */
export function MatchGroups({ events }: { events: readonly PricedEvent[] }): ReactElement {
	const groups = GROUPS.flatMap(({ title, statuses }) => {
		const shown = events.filter(({ status }) => (statuses as readonly string[]).includes(status));
		if (shown.length === 0) return [];
		return [
			<section key={title} aria-label={title} className="mt-3 first:mt-0">
				<div className="match-head">
					<h2 className="text-sm font-semibold">
						{title} <span className="font-normal text-muted">{shown.length}</span>
					</h2>
					<span aria-hidden="true" className="match-head-side">
						{TEXTS.matches.back}
					</span>
					<span aria-hidden="true" className="match-head-side">
						{TEXTS.matches.lay}
					</span>
				</div>
				<ul className="flex flex-col gap-px">
					{shown.map((event) => (
						<MatchRow key={event.id} event={event} />
					))}
				</ul>
			</section>,
		];
	});
	return <>{groups}</>;
}

/** What stands there until the fixtures come, as tall as they are. */
export function WaitingMatches(): ReactElement {
	return (
		<output aria-label={TEXTS.app.loading} className="flex flex-col gap-px pt-9">
			{Array.from({ length: 6 }, (_, at) => (
				<Skeleton key={at} className="h-[7.5rem] w-full" />
			))}
		</output>
	);
}
