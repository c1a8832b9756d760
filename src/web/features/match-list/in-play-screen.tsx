import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { messageOf } from '#web/api/failure.ts';
import { MatchGroups, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { closestQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const ALL = 0;
/** As many as a single answer may hold; those in play come first. */
const TAKEN = 100;

/** /inplay: every fixture in play, over all sports. */
export function InPlayScreen(): ReactElement {
	const { data, error, refetch } = useQuery(closestQuery(TAKEN));
	const inPlay = data?.filter(({ status }) => status === 'IN_PLAY');
	return (
		<div className="p-2 lg:p-4">
			<h1 className="px-1 py-2 text-xl font-bold">{TEXTS.matches.inPlay}</h1>
			{inPlay && inPlay.length > 0 && <MatchGroups events={inPlay} />}
			{inPlay?.length === 0 && (
				<ScreenState picture={<SportIcon sportId={ALL} size={48} />} title={TEXTS.matches.noneInPlay}>
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
			{!data && !error && <WaitingMatches />}
		</div>
	);
}
