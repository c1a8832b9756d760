import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Football = ScoreOf<'football'>;

const SHOWN_INCIDENTS = 4;

function clock({ state, half, minute, addedMinute }: Football): string {
	if (state === 'PRE_MATCH') return words.before;
	if (state === 'BREAK') return words.break;
	if (state === 'FINISHED') return words.fullTime;
	if (state === 'ABANDONED') return words.abandoned;
	return `${words.half(half)} · ${words.minute(addedMinute > 0 ? `${minute}+${addedMinute}` : String(minute))}`;
}

function Cards({ team }: { team: Football['teams'][number] }): ReactElement {
	return (
		<span className="flex gap-1">
			{team.yellowCards > 0 && (
				<span className="card-mark" data-kind="YELLOW_CARD" title={words.yellow(team.yellowCards)}>
					{team.yellowCards}
					<span className="unseen">{words.yellow(team.yellowCards)}</span>
				</span>
			)}
			{team.redCards > 0 && (
				<span className="card-mark" data-kind="RED_CARD" title={words.red(team.redCards)}>
					{team.redCards}
					<span className="unseen">{words.red(team.redCards)}</span>
				</span>
			)}
		</span>
	);
}

/** Goals and cards of both sides, the clock, and what happened last. */
export function FootballScore({ score }: { score: Football }): ReactElement {
	return (
		<>
			<div className="versus">
				{score.teams.map((team, at) => (
					<div key={team.name} className="versus-side" data-at={at}>
						<span className="min-w-0 truncate">{team.name}</span>
						<Cards team={team} />
						<b className="versus-figure">{team.goals}</b>
					</div>
				))}
				<p className="versus-note">{clock(score)}</p>
			</div>
			{score.incidents.length > 0 && (
				<ul className="incidents">
					{score.incidents.slice(0, SHOWN_INCIDENTS).map(({ minute, kind, team, player }) => (
						<li key={`${minute}${kind}${player}`}>
							<span className="w-10 flex-none text-right text-muted">{words.minute(minute)}</span>
							<i className="incident-mark" data-kind={kind} aria-hidden="true" />
							<span className="min-w-0 truncate">
								<span className="unseen">{words.cards[kind]} </span>
								{player} <span className="text-muted">{score.teams[team]?.name}</span>
							</span>
						</li>
					))}
				</ul>
			)}
		</>
	);
}
