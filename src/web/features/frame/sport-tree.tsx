import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { askAgain } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { CRICKET } from '#values/sports.ts';
import type { EventSummary, SportTree as Tree } from '#web/api/answers.ts';
import { titleBesideStart } from '#web/betting/title-beside-start.ts';
import { formatDay, formatTime } from '#web/format.ts';
import { useActiveSports } from '#web/store/active-sports.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { sportTreeQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';
import './sport-tree.css';

function EventLink({ event }: { event: EventSummary }): ReactElement {
	return (
		<Link
			to="/markets/{-$eventid}/$dreamEventId"
			params={{ dreamEventId: event.id }}
			className="tree-link tree-event"
			activeProps={{ 'data-active': true }}
		>
			{event.status === 'IN_PLAY' ? (
				<>
					<bdi>{event.title}</bdi>
					<InPlayBadge word={TEXTS.matches.inPlay} />
				</>
			) : (
				<>
					<bdi>{titleBesideStart(event)}</bdi>
					<span className="text-xs font-normal text-muted">
						{formatDay(event.matchDate, TEXTS.matches)} {formatTime(event.matchDate)}
					</span>
				</>
			)}
		</Link>
	);
}

function Sport({ sport, open }: { sport: Tree[number]; open: boolean }): ReactElement {
	const events = sport.events.filter(({ status }) => status === 'IN_PLAY' || status === 'UPCOMING');
	return (
		<details open={open} className="tree-sport">
			<summary className="flex min-h-11 items-center gap-3 rounded-md px-3 hover:bg-surface-3">
				<SportIcon sportId={sport.id} className="text-muted" />
				<span className="flex-1 font-medium">{sportName(sport.id)}</span>
				<span className="text-xs text-muted">{events.length}</span>
				<Icon solid size="xs" className="tree-chevron text-muted">
					chevron-right
				</Icon>
			</summary>
			<Link to="/matchlist/$id" params={{ id: String(sport.id) }} className="tree-link text-muted">
				{TEXTS.frame.matches}
			</Link>
			{events.slice(0, 12).map((event) => (
				<EventLink key={event.id} event={event} />
			))}
			{events.length === 0 && <p className="py-2 pl-11 text-xs text-muted">{TEXTS.frame.noEvents}</p>}
		</details>
	);
}

function WaitingTree(): ReactElement {
	return (
		<>
			{Array.from({ length: 6 }, (_, at) => (
				<Skeleton key={at} className="my-1 h-9 w-full" />
			))}
		</>
	);
}

function TreeFailure({ error }: { error: Error }): ReactElement {
	const queries = useQueryClient();
	return (
		<div role="alert" className="flex flex-col items-start gap-2 px-3 py-2">
			<p className="font-semibold">{TEXTS.app.failed}</p>
			<p className="text-xs text-muted">{error.message}</p>
			<Button size="small" onClick={() => askAgain(queries)}>
				{TEXTS.app.retry}
			</Button>
		</div>
	);
}

/** All sports of the brand that the player may see, with their current or next matches; favourites on top. */
export function SportTree(): ReactElement {
	const tree = useQuery(sportTreeQuery());
	const pinned = usePreferences((preferences) => preferences.pinnedEvents);
	const loginCount = useSession((state) => state.loginCount);
	const { id, dreamEventId } = useParams({ strict: false });
	const { refetch } = tree;
	// A player may be allowed other sports than a visitor.
	useEffect(() => {
		if (loginCount > 0) void refetch();
	}, [loginCount, refetch]);
	const active = useActiveSports();
	const sports = tree.data?.filter((sport) => active.some(({ id: activeId }) => activeId === sport.id));
	const ofEvent = sports?.find(({ events }) => events.some((event) => event.id === dreamEventId));
	const openId = id ?? String(ofEvent?.id ?? CRICKET);
	const favourites = (sports ?? []).flatMap(({ events }) => events.filter((event) => pinned.includes(event.id)));
	return (
		<nav aria-label={TEXTS.bar.tree} className="flex flex-col gap-0.5 p-2">
			{favourites.length > 0 && (
				<section aria-label={TEXTS.frame.pinned} className="mb-2 border-b border-line pb-2">
					<p className="flex items-center gap-2 px-3 py-2 text-xs font-semibold text-muted">
						<Icon solid className="text-suspended">
							star
						</Icon>
						{TEXTS.frame.pinned}
					</p>
					{favourites.map((event) => (
						<EventLink key={event.id} event={event} />
					))}
				</section>
			)}
			{sports?.map((sport) => (
				<Sport key={sport.id} sport={sport} open={String(sport.id) === openId} />
			))}
			{!sports && (tree.error ? <TreeFailure error={tree.error} /> : <WaitingTree />)}
		</nav>
	);
}
