import type { ReactElement } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { MatchRow } from '#web/features/match-list/match-row.tsx';
import type { PricedEvent } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const GROUPS = [
	{ title: TEXTS.matches.inPlay, statuses: ['IN_PLAY'] },
	{ title: TEXTS.matches.upcoming, statuses: ['UPCOMING'] },
	{ title: TEXTS.matches.finished, statuses: ['FINISHED', 'ABANDONED'] },
] as const;

function Sides(): ReactElement {
	return (
		<>
			<span aria-hidden="true" className="match-head-side">
				{TEXTS.matches.back}
			</span>
			<span aria-hidden="true" className="match-head-side">
				{TEXTS.matches.lay}
			</span>
		</>
	);
}

/** Fixtures of one sport within a group of several. */
function OfSport({ events }: { events: readonly PricedEvent[] }): ReactElement {
	const [first] = events;
	return (
		<>
			{first && (
				<h3 className="match-sport">
					<SportIcon sportId={first.sportId} size={16} />
					{first.sportName}
				</h3>
			)}
			<MatchRows events={events} />
		</>
	);
}

export function MatchRows({ events }: { events: readonly PricedEvent[] }): ReactElement {
	return (
		<ul className="match-rows">
			{events.map((event) => (
				<MatchRow key={event.id} event={event} />
			))}
		</ul>
	);
}

/** By sport, in the order in which the sports are numbered. */
export function splitBySport(events: readonly PricedEvent[]): PricedEvent[][] {
	const sports = [...new Set(events.map(({ sportId }) => sportId))].sort((one, other) => one - other);
	return sports.map((sport) => events.filter(({ sportId }) => sportId === sport));
}

/** Fixtures by what they are doing: in play, to come, over; those of several sports then by sport. */
export function MatchGroups({
	events,
	bySport = false,
}: {
	events: readonly PricedEvent[];
	bySport?: boolean;
}): ReactElement {
	const groups = GROUPS.flatMap(({ title, statuses }) => {
		const shown = events.filter(({ status }) => (statuses as readonly string[]).includes(status));
		if (shown.length === 0) return [];
		return [
			<section key={title} aria-label={title} className="mt-3 first:mt-0">
				<div className="match-head">
					<h2 className="text-sm font-semibold">
						{title} <span className="font-normal text-muted">{shown.length}</span>
					</h2>
					<Sides />
				</div>
				{bySport ? (
					splitBySport(shown).map((one) => <OfSport key={one[0]?.sportId} events={one} />)
				) : (
					<MatchRows events={shown} />
				)}
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
				<Skeleton key={at} className="h-[9.5rem] w-full" />
			))}
		</output>
	);
}
