import type { ReactElement } from 'react';
import { useMediaQuery } from '#ui/media-query.ts';
import { METRES_A_LENGTH } from '#web/features/market/score/lengths.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { FinishPhoto } from '#web/features/market/watch/finish-photo.tsx';
import { Ground, Mover, shortName } from '#web/features/market/watch/ground.tsx';
import { formatNumber } from '#web/format.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Race = ScoreOf<'horseRacing'>;
type Horse = Race['runners'][number];

/** The whole course, a bar at the top. */
const COURSE = { left: 16, right: 584, y: 22 };
/** A lane a horse below it: the leader at the right, the others as far behind as they are. */
const LANES = { left: 34, top: 44, bottom: 214 };
/** Where the leader is, and how many letters of a name fit beside the lanes: on a phone they are larger. */
const LAYOUT = { wide: { lead: 358, letters: 20 }, phone: { lead: 290, letters: 15 } };
/** Beside a lane: place and name so far behind the leader, the gap from the right. */
const NAMES = { beyond: 26, right: 598 };
/** Metres that the lanes span at least. */
const LEAST_SPAN = 24;
/** The distance between fences, metres. */
const FENCE_METRES = 400;

const runningIn = ({ runners }: Race): Horse[] => runners.filter(({ status }) => status === 'RUNNER');

/**
 * The position of each horse in its lane, and its distance behind the leader in lengths.
 * @param leadX the position of the leader
 */
export function lanesOf(
	score: Race,
	leadX: number = LAYOUT.wide.lead,
): { horse: Horse; x: number; y: number; lengths: number }[] {
	const running = runningIn(score);
	const lead = Math.max(0, ...running.map(({ metres }) => metres));
	const span = Math.max(LEAST_SPAN, lead - Math.min(lead, ...running.map(({ metres }) => metres)));
	const lane = (LANES.bottom - LANES.top) / Math.max(1, running.length);
	return running.map((horse, at) => ({
		horse,
		x: leadX - ((lead - horse.metres) / span) * (leadX - LANES.left),
		y: LANES.top + (at + 0.5) * lane,
		lengths: (lead - horse.metres) / METRES_A_LENGTH,
	}));
}

function Course({ score }: { score: Race }): ReactElement {
	const { distanceMetres, going } = score;
	const lead = Math.max(0, ...runningIn(score).map(({ metres }) => metres));
	const xOf = (metres: number) => COURSE.left + (metres / distanceMetres) * (COURSE.right - COURSE.left);
	const fences = Array.from(
		{ length: Math.floor(distanceMetres / FENCE_METRES) },
		(_, at) => (at + 0.5) * FENCE_METRES,
	);
	return (
		<>
			<path d={`M${COURSE.left} ${COURSE.y}H${COURSE.right}`} className="timeline" />
			<path d={`M${COURSE.left} ${COURSE.y}H${xOf(lead)}`} className="timeline-played" />
			<path d={fences.map((metres) => `M${xOf(metres)} ${COURSE.y - 5}v10`).join('')} className="fence" />
			<circle cx={xOf(lead)} cy={COURSE.y} r="6" className="timeline-now motion" />
			<text x={COURSE.right} y="12" textAnchor="end" className="ground-small">
				{words.metres(formatNumber(Math.max(0, Math.round(distanceMetres - lead))))} · {going}
			</text>
		</>
	);
}

/** The race while it is run, and then its finish. */
export function RaceTrack({ score }: { score: Race }): ReactElement {
	return score.state === 'FINISHED' ? <FinishPhoto score={score} /> : <Running score={score} />;
}

/** The course unrolled: the progress of the race, every horse in its own lane, and the gaps in lengths. */
function Running({ score }: { score: Race }): ReactElement {
	const { lead, letters } = LAYOUT[useMediaQuery('(width >= 48rem)') ? 'wide' : 'phone'];
	const lanes = lanesOf(score, lead);
	const field = { left: LANES.left - 22, width: lead - LANES.left + 40 };
	const hasBegun = score.state === 'IN_PLAY' || score.state === 'FINISHED';
	const gap = (lengths: number) => (lengths < 0.05 ? '' : words.behind(lengths.toFixed(1)));
	const horses = lanes.map(({ horse, x, y }) => (
		<Mover key={horse.runnerId} className="horse motion" x={x} y={y} reach={11}>
			<circle r="8.5" fill={horse.silks.body} stroke={horse.silks.cap} />
			<text y="4" textAnchor="middle">
				{horse.number}
			</text>
		</Mover>
	));
	return (
		<Ground sport="horseRacing" movers={horses}>
			<Course score={score} />
			<rect
				x={field.left}
				y={LANES.top}
				width={field.width}
				height={LANES.bottom - LANES.top}
				rx="4"
				className="ground-field"
			/>
			{lanes.map(({ horse, y, lengths }) => (
				<g key={horse.runnerId}>
					<path d={`M${field.left} ${y}h${field.width}`} className="lane" />
					<text x={lead + NAMES.beyond} y={y + 5} className="lane-name" data-lead={horse.position === 1 || undefined}>
						{horse.position > 0 && `${horse.position} `}
						{shortName(horse.name, letters)}
					</text>
					<text x={NAMES.right} y={y + 5} className="lane-name" textAnchor="end">
						{hasBegun ? gap(lengths) : ''}
					</text>
				</g>
			))}
		</Ground>
	);
}
