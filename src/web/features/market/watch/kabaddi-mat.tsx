import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, playerName, shortName } from '#web/features/market/watch/ground.tsx';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Kabaddi = ScoreOf<'kabaddi'>;

/** Seven defend in a bow that opens to the middle line; counted from the outside in. */
const PLACES = [0, 1, 2, 3, 4, 5, 6].map((at) => {
	const turn = ((at + 0.5) / 7) * Math.PI;
	return { x: 110 - Math.sin(turn) * 60, y: 78 - Math.cos(turn) * 52 };
});

/** Those on the mat, a place each; the side that raids has sent one over the middle line. */
function Side({ at, count, raiding }: { at: number; count: number; raiding: boolean }): ReactElement {
	const mirrored = (x: number) => (at === 0 ? 60 + x : 540 - x);
	return (
		<>
			{PLACES.slice(0, raiding ? Math.max(0, count - 1) : count).map(({ x, y }) => (
				<circle key={y} cx={mirrored(x)} cy={y} r="9" className="ground-player" data-side={at} />
			))}
		</>
	);
}

const STRIP = { left: 190, step: 11, y: 176, reach: 4 };

/** Raid by raid, newest at the right: points of the first side rise, those of the second fall, an empty raid is a dot. */
function Raids({ raids }: { raids: Kabaddi['raids'] }): ReactElement {
	// With a key each: a raid is identified only by its place in the row.
	const shown = raids
		.slice(0, 20)
		.reverse()
		.map((raid, at) => ({ ...raid, at, key: `r${at}` }));
	return (
		<>
			<path d={`M${STRIP.left} ${STRIP.y}h${20 * STRIP.step}`} className="chart-base" />
			{shown.map(({ team, points, kind, at, key }) => {
				const own = (points[0] ?? 0) - (points[1] ?? 0);
				const side = own === 0 ? team : own > 0 === (team === 0) ? 0 : 1;
				const height = Math.min(18, Math.abs(own) * STRIP.reach);
				const x = STRIP.left + (20 - shown.length + at) * STRIP.step;
				return (
					<rect
						key={key}
						className="raid"
						data-side={side}
						data-kind={kind}
						x={x + 1}
						y={side === 0 ? STRIP.y - Math.max(2, height) : STRIP.y}
						width={STRIP.step - 2}
						height={Math.max(2, height)}
					/>
				);
			})}
		</>
	);
}

/** The mat with its players, the raider across the line, and the points of the last raid. */
export function KabaddiMat({ score }: { score: Kabaddi }): ReactElement {
	const [last] = score.raids;
	const playing = score.state === 'IN_PLAY';
	return (
		<Ground sport="kabaddi">
			<rect x="60" y="10" width="240" height="136" className="ground-half" data-side="0" />
			<rect x="300" y="10" width="240" height="136" className="ground-half" data-side="1" />
			<g className="ground-lines">
				<rect x="60" y="10" width="480" height="136" />
				<path d="M300 10v136" className="ground-net" />
				<path d="M210 10v136M390 10v136" strokeDasharray="4 4" />
			</g>
			{score.teams.map(({ name, onMat, points }, at) => (
				<g key={name}>
					<Side at={at} count={onMat} raiding={playing && score.raiding === at} />
					<text x={at === 0 ? 252 : 348} y="94" textAnchor="middle" className="ground-score">
						{points}
					</text>
					<text x={at === 0 ? 60 : 540} y="166" textAnchor={at === 0 ? 'start' : 'end'} className="ground-name">
						{shortName(name)}
					</text>
				</g>
			))}
			{playing && (
				<circle
					key={score.version}
					cx={score.raiding === 0 ? 410 : 190}
					cy="122"
					r="10"
					className="ground-player ground-raider"
					data-side={score.raiding}
					style={{ ['--from' as string]: `${score.raiding === 0 ? -140 : 140}px` }}
				/>
			)}
			<Raids raids={score.raids} />
			{last && (
				<text key={`${score.version}`} x="300" y="216" textAnchor="middle" className="ground-small">
					{playerName(last.raider, 16)}: {words.raidKinds[last.kind]} {last.points[0]}–{last.points[1]}
				</text>
			)}
		</Ground>
	);
}
