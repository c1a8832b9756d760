import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { MatchGroups, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { type Pinned, pinnedEvents } from '#web/features/match-list/pinned-events.ts';
import { unpin, usePreferences } from '#web/store/preferences.ts';
import { closestQuery, sportTreeQuery } from '#web/store/queries.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = SCREEN_TEXTS.favourites;

function usePinned() {
	const pinned = usePreferences((preferences) => preferences.pinnedEvents);
	const tree = useQuery(sportTreeQuery());
	const priced = useQuery(closestQuery());
	const data: Pinned | undefined = tree.data && priced.data ? pinnedEvents(pinned, tree.data, priced.data) : undefined;
	return {
		data: pinned.length === 0 ? { events: [], gone: [] } : data,
		error: tree.error ?? priced.error,
	};
}

function Gone({ ids }: { ids: readonly string[] }): ReactElement | null {
	if (ids.length === 0) return null;
	return (
		<p className="flex flex-wrap items-center gap-3 px-1 py-2 text-muted">
			{words.gone(ids.length)}
			<Button size="small" onClick={() => unpin(ids)}>
				{words.clearGone}
			</Button>
		</p>
	);
}

/** /favorites: the events whose star was pressed on this device. */
export function FavouritesScreen(): ReactElement {
	return (
		<div className="screen">
			<h1 className="screen-title">
				<Icon solid className="text-suspended">
					star
				</Icon>
				{words.title}
			</h1>
			<Loaded
				asked={usePinned()}
				words={TEXTS.app}
				waiting={<WaitingMatches />}
				isEmpty={({ events, gone }) => events.length + gone.length === 0}
				empty={
					<ScreenState
						icon="star"
						title={words.empty}
						action={
							<Link to="/matchlist/$id" params={{ id: '0' }} className="button" data-variant="primary">
								{words.browse}
							</Link>
						}
					>
						{words.emptyHint}
					</ScreenState>
				}
			>
				{({ events, gone }) => (
					<>
						<Gone ids={gone} />
						<MatchGroups events={events} bySport />
					</>
				)}
			</Loaded>
		</div>
	);
}
