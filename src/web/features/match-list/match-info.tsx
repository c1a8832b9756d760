import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { SideBadge } from '#ui/side-badge.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { sideKindOf } from '#web/betting/side-kind.ts';
import { titleBesideStart } from '#web/betting/title-beside-start.ts';
import { sidesOf } from '#web/features/match-list/match-columns.ts';
import { type ScoreParts, scorePartsOf } from '#web/features/match-list/score-parts.ts';
import { StartTime } from '#web/features/match-list/start-time.tsx';
import { TEXTS } from '#web/texts.ts';

function State({ event, score: { figures, note } }: { event: PricedEvent; score: ScoreParts }): ReactElement {
	if (event.status === 'UPCOMING') return <StartTime startsAt={event.matchDate} />;
	return (
		<>
			{figures && <bdi className="match-score">{figures}</bdi>}
			<span className="match-note">
				{event.status === 'IN_PLAY' ? (
					<InPlayBadge word={TEXTS.matches.inPlay} />
				) : event.status === 'FINISHED' ? (
					TEXTS.matches.finished
				) : (
					TEXTS.matches.abandoned
				)}
				{note && <bdi>{note}</bdi>}
			</span>
		</>
	);
}

function Side({ sportId, name, scores }: { sportId: number; name: string; scores: boolean }): ReactElement {
	return (
		<span className="match-side">
			<SideBadge name={name} kind={sideKindOf(sportId, name) ?? 'team'} size={20} />
			<bdi className="runner-name min-w-0 truncate">{name}</bdi>
			{scores && <i className="turn-dot" />}
		</span>
	);
}

/** The two sides of a match, or the title of another fixture; hidden from screen readers, because the link names it. */
function Names({ event, scorer }: { event: PricedEvent; scorer: string | null }): ReactElement {
	const [home, away] = sidesOf(event);
	if (home === undefined || away === undefined) {
		return (
			<p aria-hidden="true" className="match-names">
				<bdi className="match-title runner-name">
					{event.status === 'UPCOMING' ? titleBesideStart(event) : event.title}
				</bdi>
			</p>
		);
	}
	return (
		<p aria-hidden="true" className="match-names">
			<Side sportId={event.sportId} name={home} scores={home === scorer} />
			<span className="match-versus">{TEXTS.matches.versus}</span>
			<Side sportId={event.sportId} name={away} scores={away === scorer} />
		</p>
	);
}

/** The sides and the start or score of a fixture; all of it links to the match. */
export function MatchInfo({ event }: { event: PricedEvent }): ReactElement {
	const score = scorePartsOf(event.score ?? '', sidesOf(event));
	return (
		<div className="match-info">
			<Link
				to="/markets/{-$eventid}/$dreamEventId"
				params={{ dreamEventId: event.id }}
				className="match-link"
				aria-label={event.title}
				title={event.competition}
			/>
			<p className="match-state">
				<State event={event} score={score} />
			</p>
			<Names event={event} scorer={event.status === 'IN_PLAY' ? score.scorer : null} />
		</div>
	);
}
