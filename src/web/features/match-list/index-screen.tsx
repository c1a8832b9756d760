import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { MatchTable, splitBySport, WaitingMatches } from '#web/features/match-list/match-groups.tsx';
import { closestOfEachSportQuery } from '#web/store/queries.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

const words = SCREEN_TEXTS.index;
const ALL = 0;
/** Of each sport, by the specification. */
const SHOWN = 2;

function SportSummary({ events }: { events: readonly PricedEvent[] }): ReactElement | null {
	const [first] = events;
	if (!first) return null;
	return (
		<section aria-label={sportName(first.sportId)}>
			<MatchTable
				events={events}
				heading={
					<div className="flex min-w-0 items-center gap-3">
						<h2 className="match-group min-w-0">
							<SportIcon sportId={first.sportId} />
							<span className="min-w-0 truncate">{sportName(first.sportId)}</span>
						</h2>
						<Link to="/matchlist/$id" params={{ id: String(first.sportId) }} className="match-more">
							{words.all(sportName(first.sportId))}
							<Icon solid size="xs">
								chevron-right
							</Icon>
						</Link>
					</div>
				}
			/>
		</section>
	);
}

/** /index: two fixtures of each sport, those in play first. */
export function IndexScreen(): ReactElement {
	return (
		<div className="screen">
			<h1 className="screen-title">{words.title}</h1>
			<p className="screen-intro">{words.intro}</p>
			<Loaded
				asked={useQuery(closestOfEachSportQuery(SHOWN))}
				words={TEXTS.app}
				waiting={<WaitingMatches />}
				isEmpty={(events) => events.length === 0}
				empty={
					<ScreenState picture={<SportIcon sportId={ALL} size={48} />} title={words.empty}>
						{TEXTS.matches.emptyHint}
					</ScreenState>
				}
			>
				{(events) => (
					<div className="flex flex-col gap-4">
						{splitBySport(events).map((one) => (
							<SportSummary key={one[0]?.sportId} events={one} />
						))}
					</div>
				)}
			</Loaded>
		</div>
	);
}
