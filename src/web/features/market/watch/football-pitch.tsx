import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground } from '#web/features/market/watch/ground.tsx';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Football = ScoreOf<'football'>;
type Play = NonNullable<Football['play']>;

const LEFT = 40;
const WIDTH = 520;
const ZONES = 5;
const ZONE = WIDTH / ZONES;
const [TOP, HEIGHT] = [10, 112];
const MIDDLE = TOP + HEIGHT / 2;
/** Minutes of the timeline, with room for added time. */
const SPAN = 96;
/** The height of the timeline, how far pressure reaches from it, and how far beside it incidents stand. */
const LINE = 186;
const REACH = 22;
const BESIDE = 14;

/** "45+2" → 47 */
function minutesOf(minute: string): number {
	const [played = 0, added = 0] = minute.split('+').map(Number);
	return played + added;
}

const xOf = (minute: number): number => LEFT + (Math.max(0, Math.min(SPAN, minute)) / SPAN) * WIDTH;

function Lines(): ReactElement {
	return (
		<g className="ground-lines">
			<rect x={LEFT} y={TOP} width={WIDTH} height={HEIGHT} rx="2" />
			<path d={`M300 ${TOP}v${HEIGHT}`} />
			<circle cx="300" cy={MIDDLE} r="24" />
			<path
				d={`M40 ${MIDDLE - 34}h52v68H40M560 ${MIDDLE - 34}h-52v68h52M40 ${MIDDLE - 16}h20v32H40M560 ${MIDDLE - 16}h-20v32h20`}
			/>
		</g>
	);
}

/** The fifth of the pitch that the ball is in, in the colour of the side that has it, and how near that is to a goal. */
function Ball({ play }: { play: Play }): ReactElement {
	const x = LEFT + (play.zone + 0.5) * ZONE;
	return (
		<g
			className="ball-zone motion"
			data-side={play.side}
			data-kind={play.kind}
			style={{ transform: `translate(${x}px, 0)` }}
		>
			<rect x={-ZONE / 2} y={TOP} width={ZONE} height={HEIGHT} />
			<path d={play.side === 0 ? `M-14 ${MIDDLE - 8}l10 8-10 8` : `M14 ${MIDDLE - 8}l-10 8 10 8`} />
			<circle cy={MIDDLE} r="6" />
			<text y={TOP + 22} textAnchor="middle">
				{words.plays[play.kind]}
			</text>
		</g>
	);
}

function Momentum({ momentum, now }: { momentum: readonly number[]; now: number }): ReactElement {
	const bars = momentum.map((press, at) => {
		const x = xOf(now - momentum.length + at);
		const height = (press * REACH).toFixed(1);
		return { side: press >= 0 ? 0 : 1, d: `M${x.toFixed(1)} ${LINE}v${-Number(height)}h4.4v${height}z` };
	});
	return (
		<>
			{[0, 1].map((side) => (
				<path
					key={side}
					className="momentum"
					data-side={side}
					d={bars
						.filter((bar) => bar.side === side)
						.map(({ d }) => d)
						.join('')}
				/>
			))}
		</>
	);
}

/** What each side made of the ball, on the half that it defends: shots, those on target, corners. */
function Counts({ play }: { play: Play }): ReactElement {
	return (
		<>
			{([0, 1] as const).map((side) => (
				<text
					key={side}
					x={side === 0 ? LEFT : LEFT + WIDTH}
					y="146"
					textAnchor={side === 0 ? 'start' : 'end'}
					className="ground-small"
				>
					{words.shots(play.shots[side] ?? 0, play.onTarget[side] ?? 0, play.corners[side] ?? 0)}
				</text>
			))}
		</>
	);
}

/** Where the ball is and who presses, shots and corners, and a timeline of incidents. */
export function FootballPitch({ score }: { score: Football }): ReactElement {
	const [last] = score.incidents;
	const now = score.minute + score.addedMinute;
	const playing = score.state === 'IN_PLAY' ? score.play : undefined;
	// A goal is scored in the other side's goal.
	const goalAt = last?.kind === 'GOAL' ? (last.team === 0 ? 560 : 40) : null;
	return (
		<Ground sport="football">
			{[0, 1, 2, 3, 4].map((band) => (
				<rect key={band} x={LEFT + band * ZONE} y={TOP} width={ZONE / 2} height={HEIGHT} className="ground-band" />
			))}
			{playing && <Ball play={playing} />}
			<Lines />
			{goalAt !== null && last && <circle key={last.minute} cx={goalAt} cy={MIDDLE} r="14" className="ground-pulse" />}
			{score.play && <Counts play={score.play} />}
			{score.play && <Momentum momentum={score.play.momentum} now={now} />}
			<path d={`M${LEFT} ${LINE}h${WIDTH}`} className="timeline" />
			<path d={`M${LEFT} ${LINE}H${xOf(now)}`} className="timeline-played" />
			<circle cy={LINE} r="5" className="timeline-now motion" style={{ transform: `translateX(${xOf(now)}px)` }} />
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
