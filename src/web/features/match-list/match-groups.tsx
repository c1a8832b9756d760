import type { ReactElement } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { headingOf, type Place, placesOf } from '#web/features/match-list/match-columns.ts';
import { MatchRow } from '#web/features/match-list/match-row.tsx';
import { TEXTS } from '#web/texts.ts';

const GROUPS = [
	{ title: TEXTS.matches.inPlay, statuses: ['IN_PLAY'] },
	{ title: TEXTS.matches.upcoming, statuses: ['UPCOMING'] },
	{ title: TEXTS.matches.finished, statuses: ['FINISHED', 'ABANDONED'] },
] as const;

/** Over a pair of prices: which is which, and whose they are. */
function PairHead({ place, heading }: { place?: Place; heading?: string }): ReactElement {
	return (
		<span className="match-pair-head" data-place={place}>
			<span data-side="BACK">{TEXTS.matches.back}</span>
			{heading && <b>{heading}</b>}
			<span data-side="LAY">{TEXTS.matches.lay}</span>
		</span>
	);
}

/** Fixtures of one sport under what is given as their heading; each price says by itself what it is of. */
export function MatchTable({
	events,
	heading,
}: {
	events: readonly PricedEvent[];
	heading: ReactElement;
}): ReactElement {
	const places = placesOf(events);
	return (
		<div className="match-table" data-draw={places?.includes('draw') || undefined}>
			<div className="match-head">
				{heading}
				<div aria-hidden="true" className={places ? 'match-columns' : 'match-runner-heads'}>
					{places ? (
						places.map((place) => (
							<PairHead key={place} place={place} heading={headingOf(place, events, TEXTS.matches.places)} />
						))
					) : (
						<PairHead />
					)}
				</div>
			</div>
			<ul className="match-rows">
				{events.map((event) => (
					<MatchRow key={event.id} event={event} />
				))}
			</ul>
		</div>
	);
}

/** By sport, in the order in which the sports are numbered. */
export function splitBySport(events: readonly PricedEvent[]): PricedEvent[][] {
	const sports = [...new Set(events.map(({ sportId }) => sportId))].sort((one, other) => one - other);
	return sports.map((sport) => events.filter(({ sportId }) => sportId === sport));
}

/** A table for each sport; its name is a heading of that level. */
export function SportTables({
	events,
	level: Heading,
}: {
	events: readonly PricedEvent[];
	level: 'h2' | 'h3';
}): ReactElement[] {
	return splitBySport(events).map((ofSport) => {
		const { sportId, sportName } = ofSport[0] as PricedEvent;
		const heading = (
			<Heading className="match-sport">
				<SportIcon sportId={sportId} size={16} />
				{sportName}
			</Heading>
		);
		return <MatchTable key={sportId} events={ofSport} heading={heading} />;
	});
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
		const heading = (
			<h2 className="match-group">
				{title} <span className="font-normal text-muted">{shown.length}</span>
			</h2>
		);
		return [
			<section key={title} aria-label={title} className="match-section">
				{bySport ? (
					<>
						{heading}
						<SportTables events={shown} level="h3" />
					</>
				) : (
					<MatchTable events={shown} heading={heading} />
				)}
			</section>,
		];
	});
	return <>{groups}</>;
}

const WAITING = 6;

/** A placeholder for the fixtures, as tall as they are. */
export function WaitingMatches(): ReactElement {
	return (
		<output aria-label={TEXTS.app.loading} className="match-table match-waiting">
			{Array.from({ length: WAITING }, (_, at) => (
				<Skeleton key={at} className="match-wait" />
			))}
		</output>
	);
}
