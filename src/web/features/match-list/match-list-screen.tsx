import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { sportById } from '#values/sports.ts';
import { messageOf } from '#web/api/failure.ts';
import { MatchGroups, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { useActiveSports } from '#web/store/active-sports.ts';
import { closestQuery, sportEventsQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const ALL = 0;

function SportChips({ selected }: { selected: number }): ReactElement {
	const sports = useActiveSports();
	const chips = [{ id: ALL, name: TEXTS.matches.all }, ...sports];
	const row = useRef<HTMLElement>(null);
	useEffect(() => {
		const chosen = row.current?.querySelector<HTMLElement>('[aria-current]');
		if (row.current && chosen) row.current.scrollLeft = chosen.offsetLeft - row.current.offsetLeft - 16;
	}, []);
	return (
		<nav ref={row} aria-label={TEXTS.frame.sports} className="sport-chips lg:hidden">
			{chips.map(({ id, name }) => (
				<Link
					key={id}
					to="/matchlist/$id"
					params={{ id: String(id) }}
					className="sport-chip"
					aria-current={id === selected ? 'page' : undefined}
				>
					<SportIcon sportId={id} size={18} />
					{name}
				</Link>
			))}
		</nav>
	);
}

/** /matchlist/:id: a sport's fixtures with the best prices of their main markets; 0 is what is on next in all sports. */
export function MatchListScreen(): ReactElement {
	const { id } = useParams({ from: '/frame/matchlist/$id' });
	const sport = sportById(Number(id));
	const all = id === String(ALL);
	const active = useActiveSports().some(({ id: activeId }) => activeId === sport?.id);
	const bySport = useQuery({ ...sportEventsQuery(sport?.name ?? ''), enabled: active });
	const closest = useQuery({ ...closestQuery(), enabled: all });
	const { data, error, refetch } = all ? closest : bySport;
	const shown = all || active ? data : undefined;
	const name = sport?.name ?? TEXTS.matches.all;
	return (
		<div className="p-2 lg:p-4">
			<SportChips key={id} selected={Number(id)} />
			<h1 className="flex items-center gap-3 px-1 py-2 text-xl font-bold">
				<SportIcon sportId={sport?.id ?? ALL} size={24} />
				{name}
			</h1>
			{!sport && !all && <ScreenState title={TEXTS.matches.unknownSport} />}
			{sport && !active && (
				<ScreenState picture={<SportIcon sportId={sport.id} size={48} />} title={TEXTS.matches.closedSport(name)}>
					{TEXTS.matches.closedSportHint}
				</ScreenState>
			)}
			{shown && shown.length > 0 && <MatchGroups events={shown} />}
			{shown?.length === 0 && (
				<ScreenState picture={<SportIcon sportId={sport?.id ?? ALL} size={48} />} title={TEXTS.matches.empty(name)}>
					{TEXTS.matches.emptyHint}
				</ScreenState>
			)}
			{!data && error && (
				<ScreenState
					tone="alert"
					title={TEXTS.app.failed}
					action={<Button onClick={() => void refetch()}>{TEXTS.app.retry}</Button>}
				>
					{messageOf(error)}
				</ScreenState>
			)}
			{!data && !error && (active || all) && <WaitingMatches />}
		</div>
	);
}
