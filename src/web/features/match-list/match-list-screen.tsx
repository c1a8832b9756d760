import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { sportById } from '#values/sports.ts';
import type { PricedEvent } from '#web/api/answers.ts';
import { filterEvents, type MatchFilter, NO_FILTER } from '#web/features/match-list/filter-events.ts';
import { MatchFilters } from '#web/features/match-list/match-filters.tsx';
import { MatchGroups, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { useActiveSports } from '#web/store/active-sports.ts';
import { closestQuery, sportEventsQuery } from '#web/store/queries.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

const ALL = 0;

function FilteredMatches({ events, bySport }: { events: readonly PricedEvent[]; bySport: boolean }): ReactElement {
	const [filter, setFilter] = useState<MatchFilter>(NO_FILTER);
	const shown = filterEvents(events, filter);
	return (
		<>
			<MatchFilters events={events} filter={filter} onFilter={setFilter} />
			{shown.length > 0 ? (
				<MatchGroups events={shown} bySport={bySport} />
			) : (
				<ScreenState
					icon="magnifying-glass"
					title={TEXTS.filters.none}
					action={<Button onClick={() => setFilter(NO_FILTER)}>{TEXTS.filters.clear}</Button>}
				/>
			)}
		</>
	);
}

/** @param wireName what the sport is called in calls */
function SportMatches({ id, wireName }: { id: number; wireName: string }): ReactElement {
	const all = id === ALL;
	const bySport = useQuery({ ...sportEventsQuery(wireName), enabled: !all });
	const closest = useQuery({ ...closestQuery(), enabled: all });
	return (
		<Loaded
			asked={all ? closest : bySport}
			words={TEXTS.app}
			waiting={<WaitingMatches />}
			isEmpty={(events) => events.length === 0}
			empty={
				<ScreenState picture={<SportIcon sportId={id} size={48} />} title={TEXTS.matches.empty(sportName(id))}>
					{TEXTS.matches.emptyHint}
				</ScreenState>
			}
		>
			{(events) => <FilteredMatches events={events} bySport={all} />}
		</Loaded>
	);
}

/** /matchlist/:id: a sport's fixtures with the best prices of their main markets; 0 is what is on next in all sports. */
export function MatchListScreen(): ReactElement {
	const { id } = useParams({ from: '/frame/matchlist/$id' });
	const sport = sportById(Number(id));
	const all = id === String(ALL);
	const active = useActiveSports().some(({ id: activeId }) => activeId === sport?.id);
	const name = sportName(Number(id));
	return (
		<div className="screen">
			<h1 className="screen-title list-title">
				<SportIcon sportId={sport?.id ?? ALL} size={24} />
				{name}
			</h1>
			{sport && !active && (
				<ScreenState picture={<SportIcon sportId={sport.id} size={48} />} title={TEXTS.matches.closedSport(name)}>
					{TEXTS.matches.closedSportHint}
				</ScreenState>
			)}
			{(all || active) && <SportMatches key={id} id={Number(id)} wireName={sport?.name ?? ''} />}
		</div>
	);
}
