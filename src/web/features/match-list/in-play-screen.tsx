import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { SportTables, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { closestQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const ALL = 0;

const inPlay = (events: readonly PricedEvent[]) => events.filter(({ status }) => status === 'IN_PLAY');

/** /inplay: every fixture in play, over all sports. */
export function InPlayScreen(): ReactElement {
	return (
		<div className="screen">
			<h1 className="screen-title">{TEXTS.matches.inPlay}</h1>
			<Loaded
				asked={useQuery(closestQuery())}
				words={TEXTS.app}
				waiting={<WaitingMatches />}
				isEmpty={(events) => inPlay(events).length === 0}
				empty={
					<ScreenState picture={<SportIcon sportId={ALL} size={48} />} title={TEXTS.matches.noneInPlay}>
						{TEXTS.matches.emptyHint}
					</ScreenState>
				}
			>
				{(events) => <SportTables events={inPlay(events)} />}
			</Loaded>
		</div>
	);
}
