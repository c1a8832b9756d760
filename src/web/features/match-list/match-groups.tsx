import { type CSSProperties, type ReactElement, useContext } from 'react';
import { Skeleton } from '#ui/skeleton.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { headingOf, type Place, placesOf } from '#web/features/match-list/match-columns.ts';
import { MatchRow, WaitingRow } from '#web/features/match-list/match-row.tsx';
import { ResultsLine } from '#web/features/match-list/results-line.tsx';
import { useDrawnRows, Waiting } from '#web/features/match-list/row-by-row.ts';
import { sportName } from '#web/texts/sport-name.ts';
import { TEXTS } from '#web/texts.ts';

const GROUPS = [
	{ title: TEXTS.matches.inPlay, status: 'IN_PLAY' },
	{ title: TEXTS.matches.upcoming, status: 'UPCOMING' },
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

function Rows({ events }: { events: readonly PricedEvent[] }): ReactElement {
	const waiting = useContext(Waiting);
	return (
		<ul className="match-rows">
			{events.map((event) => {
				const Row = waiting.has(event.id) ? WaitingRow : MatchRow;
				return <Row key={event.id} event={event} />;
			})}
		</ul>
	);
}

const hasEnded = ({ status }: PricedEvent): boolean => status === 'FINISHED' || status === 'ABANDONED';

/** What is in play and what is to come, each under its name; below a sport's heading the landmark names the sport too. */
function Groups({ events, level: Heading }: { events: readonly PricedEvent[]; level: 'h2' | 'h3' }): ReactElement[] {
	return GROUPS.flatMap(({ title, status }) => {
		const shown = events.filter((event) => event.status === status);
		if (shown.length === 0) return [];
		return [
			<section
				key={status}
				aria-label={Heading === 'h3' ? `${sportName(shown[0]?.sportId ?? 0)}: ${title}` : title}
				className="match-section"
			>
				<Heading className="match-group">
					{title} <span className="font-normal text-muted">{shown.length}</span>
				</Heading>
				<Rows events={shown} />
			</section>,
		];
	});
}

/**
 * Fixtures of one sport under one head, which stays in sight while they scroll; each price says by itself what it is of.
 * @param level groups what is in play and what is to come, with headings of that level, and folds what has ended
 */
export function MatchTable({
	events,
	heading,
	level,
}: {
	events: readonly PricedEvent[];
	heading?: ReactElement;
	level?: 'h2' | 'h3';
}): ReactElement {
	const places = placesOf(events);
	const ended = level ? events.filter(hasEnded) : [];
	return (
		<div
			className="match-table"
			data-draw={places?.includes('draw') || undefined}
			style={{ '--places': places?.length ?? 1 } as CSSProperties}
		>
			<div className="match-head">
				<div className="match-heading">{heading}</div>
				<div aria-hidden="true" className={places ? 'match-columns' : 'match-runner-heads'}>
					{places ? (
						places.map((place) => (
							<PairHead key={place} place={place} heading={headingOf(place, events, TEXTS.matches.places)} />
						))
					) : (
						<PairHead />
					)}
				</div>
				<span aria-hidden="true" className="match-volume-head">
					{TEXTS.matches.volume}
				</span>
			</div>
			{level ? <Groups events={events} level={level} /> : <Rows events={events} />}
			{ended.length > 0 && <ResultsLine events={ended} />}
		</div>
	);
}

/** By sport, in the order in which the sports are numbered. */
export function splitBySport(events: readonly PricedEvent[]): PricedEvent[][] {
	const sports = [...new Set(events.map(({ sportId }) => sportId))].sort((one, other) => one - other);
	return sports.map((sport) => events.filter(({ sportId }) => sportId === sport));
}

/** A table for each sport; its name is a heading of the second level. */
export function SportTables({
	events,
	grouped = false,
}: {
	events: readonly PricedEvent[];
	grouped?: boolean;
}): ReactElement[] {
	return splitBySport(events).map((ofSport) => {
		const { sportId } = ofSport[0] as PricedEvent;
		const heading = (
			<h2 className="match-sport">
				<SportIcon sportId={sportId} size={20} />
				{sportName(sportId)}
			</h2>
		);
		return <MatchTable key={sportId} events={ofSport} heading={heading} {...(grouped ? { level: 'h3' } : {})} />;
	});
}

/** Fixtures by what they are doing; those of several sports by sport first. */
export function MatchGroups({
	events,
	bySport = false,
}: {
	events: readonly PricedEvent[];
	bySport?: boolean;
}): ReactElement {
	const inOrder = bySport ? splitBySport(events).flat() : events;
	const drawn = useDrawnRows(events.length);
	const waiting = new Set(inOrder.slice(drawn).map(({ id }) => id));
	return (
		<Waiting value={waiting}>
			{bySport ? <SportTables events={events} grouped /> : <MatchTable events={events} level="h2" />}
		</Waiting>
	);
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
