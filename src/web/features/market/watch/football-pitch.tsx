import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, shortName } from '#web/features/market/watch/ground.tsx';
import { SCORE_WORDS as words } from '#web/texts/market.ts';

type Football = ScoreOf<'football'>;

const LEFT = 40;
const WIDTH = 520;
/** Minutes of the timeline, with room for added time. */
const SPAN = 96;
/** The height of the timeline, and how far beside it the incidents of a side stand: clear of pitch and label. */
const LINE = 180;
const BESIDE = 14;

/** "45+2" → 47 */
function minutesOf(minute: string): number {
	const [played = 0, added = 0] = minute.split('+').map(Number);
	return played + added;
}

const xOf = (minute: number): number => LEFT + (Math.min(SPAN, minute) / SPAN) * WIDTH;

function Lines(): ReactElement {
	return (
		<g className="ground-lines">
			<rect x="40" y="16" width="520" height="138" rx="2" />
			<path d="M300 16v138" />
			<circle cx="300" cy="85" r="26" />
			<path d="M40 47h52v76H40M560 47h-52v76h52M40 66h20v38H40M560 66h-20v38h20" />
		</g>
	);
}

/** The goals of each side, the last incident where it happened, and a timeline of incidents. */
export function FootballPitch({ score }: { score: Football }): ReactElement {
	const [home, away] = score.teams;
	const [last] = score.incidents;
	const now = score.minute + score.addedMinute;
	// A goal is scored in the other side's goal.
	const goalAt = last?.kind === 'GOAL' ? (last.team === 0 ? 560 : 40) : null;
	return (
		<Ground sport="football">
			{[0, 1, 2, 3, 4].map((band) => (
				<rect key={band} x={40 + band * 104} y="16" width="52" height="138" className="ground-band" />
			))}
			<Lines />
			{[home, away].map((team, at) => (
				<g key={team?.name} transform={`translate(${at === 0 ? 170 : 430} 0)`} textAnchor="middle">
					<text y="92" className="ground-score">
						{team?.goals}
					</text>
					<text y="128" className="ground-name">
						{shortName(team?.name ?? '')}
					</text>
				</g>
			))}
			{goalAt !== null && last && <circle key={last.minute} cx={goalAt} cy="85" r="14" className="ground-pulse" />}
			<path d={`M${LEFT} ${LINE}h${WIDTH}`} className="timeline" />
			<path d={`M${LEFT} ${LINE}H${xOf(now)}`} className="timeline-played" />
			<circle cx={xOf(now)} cy={LINE} r="5" className="timeline-now motion" />
			<text x={xOf(45)} y="216" textAnchor="middle" className="ground-small">
				{words.minute('45')}
			</text>
			{score.incidents.map(({ minute, kind, team, player }) => (
				<g
					key={`${minute}${kind}${player}`}
					transform={`translate(${xOf(minutesOf(minute))} ${team === 0 ? LINE - BESIDE : LINE + BESIDE})`}
					data-kind={kind}
					className="incident"
				>
					{kind === 'GOAL' ? <circle r="5.5" /> : <rect x="-3.5" y="-5" width="7" height="10" rx="1" />}
				</g>
			))}
		</Ground>
	);
}
