import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { SideBadge } from '#ui/side-badge.tsx';
import type { Paise } from '#values/money.ts';
import type { PricedEvent } from '#web/api/answers.ts';
import { isBetweenSides, outcomesOf } from '#web/features/match-list/match-columns.ts';
import { formatDay, formatRounded, formatTime } from '#web/format.ts';
import { TEXTS } from '#web/texts.ts';

function State({ event }: { event: PricedEvent }): ReactElement {
	if (event.status === 'IN_PLAY') return <InPlayBadge word={TEXTS.matches.inPlay} />;
	if (event.status === 'UPCOMING') {
		return (
			<time dateTime={event.matchDate}>
				{formatDay(event.matchDate, TEXTS.matches)} {formatTime(event.matchDate)}
			</time>
		);
	}
	return <span>{event.status === 'FINISHED' ? TEXTS.matches.finished : TEXTS.matches.abandoned}</span>;
}

function Side({ name }: { name: string }): ReactElement {
	return (
		<span className="match-side">
			<SideBadge name={name} size={20} />
			<bdi className="min-w-0 truncate">{name}</bdi>
		</span>
	);
}

/** The two sides of a match, or the title of another fixture; hidden from screen readers, because the link names it. */
function Names({ event }: { event: PricedEvent }): ReactElement {
	const outcomes = outcomesOf(event) ?? [];
	const home = outcomes.find(({ place }) => place === 'home');
	const away = outcomes.find(({ place }) => place === 'away');
	if (!home || !away || !isBetweenSides(event)) {
		return (
			<p aria-hidden="true" className="match-names">
				<bdi className="min-w-0 truncate">{event.title}</bdi>
			</p>
		);
	}
	return (
		<p aria-hidden="true" className="match-names">
			<Side name={home.runner.name} />
			<span className="match-versus">{TEXTS.matches.versus}</span>
			<Side name={away.runner.name} />
		</p>
	);
}

/** The sides and the start or score of a fixture; all of it links to the match. */
export function MatchInfo({ event, matched }: { event: PricedEvent; matched: Paise }): ReactElement {
	return (
		<div className="match-info">
			<Link
				to="/markets/{-$eventid}/$dreamEventId"
				params={{ dreamEventId: event.id }}
				className="match-link"
				aria-label={event.title}
			/>
			<p className="match-about">
				<State event={event} />
				<span className="match-detail">
					{event.score && <bdi className="match-score">{event.score}</bdi>}
					{matched > 0 && <span className="match-matched">{TEXTS.matches.matched(`₹${formatRounded(matched)}`)}</span>}
					<bdi className="match-competition">{event.competition}</bdi>
				</span>
			</p>
			<Names event={event} />
		</div>
	);
}
