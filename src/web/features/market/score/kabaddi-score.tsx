import type { ReactElement } from 'react';
import { minutesAndSeconds } from '#ui/duration-text.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Kabaddi = ScoreOf<'kabaddi'>;

const SHOWN_RAIDS = 4;

function clock({ state, half, secondsLeft }: Kabaddi): string {
	if (state === 'PRE_MATCH') return words.before;
	if (state === 'BREAK') return words.break;
	if (state === 'FINISHED') return words.fullTime;
	if (state === 'ABANDONED') return words.abandoned;
	return `${words.half(half)} · ${minutesAndSeconds(secondsLeft)}`;
}

/** The last raids with a key each, as two may be alike. */
const lastRaids = ({ raids }: Kabaddi) =>
	raids.slice(0, SHOWN_RAIDS).map((raid, at) => ({ raid, key: `${raids.length - at}${raid.raider}` }));

/** Points, players on the mat and all-outs of both sides, the clock, and the last raids. */
export function KabaddiScore({ score }: { score: Kabaddi }): ReactElement {
	return (
		<>
			<div className="versus">
				{score.teams.map((team, at) => (
					<div key={team.name} className="versus-side" data-at={at}>
						<span className="min-w-0">
							<span className="block truncate">
								{team.name}
								{score.raiding === at && score.state === 'IN_PLAY' && (
									<span className="text-xs font-normal text-soon"> {words.raiding}</span>
								)}
							</span>
							<span className="block text-xs font-normal text-muted">
								{words.onMat(team.onMat)} · {words.allOuts(team.allOuts)}
							</span>
						</span>
						<b className="versus-figure">{team.points}</b>
					</div>
				))}
				<p className="versus-note">{clock(score)}</p>
			</div>
			{score.raids.length > 0 && (
				<ul className="incidents" aria-label={words.raids}>
					{lastRaids(score).map(({ raid, key }) => (
						<li key={key}>
							<span className="w-10 flex-none text-right font-semibold">
								{raid.points[0]}–{raid.points[1]}
							</span>
							<span className="min-w-0 truncate">
								{raid.raider}{' '}
								<span className="text-muted">
									{words.raidKinds[raid.kind]}
									{raid.allOut && `, ${words.allOut}`}
								</span>
							</span>
						</li>
					))}
				</ul>
			)}
		</>
	);
}
