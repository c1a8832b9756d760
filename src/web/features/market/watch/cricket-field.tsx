import type { ReactElement } from 'react';
import { useMediaQuery } from '#ui/media-query.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, playerName, shortName } from '#web/features/market/watch/ground.tsx';
import { GRID_WORDS, SCORE_WORDS as words } from '#web/texts/more.ts';

type Cricket = ScoreOf<'cricket'>;
type Overs = NonNullable<Cricket['overs']>[number];

/** The field of the wagon wheel; the length of a shot follows its runs. */
const [CX, CY, RADIUS] = [316, 110, 92];
const REACH: Record<number, number> = { 1: 0.5, 2: 0.66, 3: 0.82, 4: 0.97, 6: 1.06 };
/** The charts on the right. */
const [LEFT, RIGHT] = [432, 592];
const MANHATTAN = { title: 16, bottom: 98, height: 60 };
const WORM = { title: 124, bottom: 208, height: 76 };
const LEAST_RUNS = 12;

/** With a key each: a shot or an over is identified only by its place in the row. */
const keyed = <Item extends object>(items: readonly Item[]) =>
	items.map((item, at) => ({ ...item, at, key: `k${at}` }));

function WagonWheel({ shots }: { shots: NonNullable<Cricket['shots']> }): ReactElement {
	return (
		<>
			{keyed(shots).map(({ angle, runs, at, key }) => {
				const turn = (angle / 180) * Math.PI;
				const reach = (REACH[runs] ?? 0.5) * RADIUS;
				return (
					<path
						key={key}
						className="shot"
						data-runs={runs >= 6 ? 6 : runs >= 4 ? 4 : 1}
						data-newest={at === shots.length - 1 || undefined}
						d={`M${CX} ${CY}l${(Math.sin(turn) * reach).toFixed(1)} ${(-Math.cos(turn) * reach).toFixed(1)}`}
					/>
				);
			})}
		</>
	);
}

/** Runs by over, with a dot where a wicket fell. */
function Manhattan({ overs, most }: { overs: Overs; most: number }): ReactElement {
	const step = (RIGHT - LEFT) / most;
	const scale = MANHATTAN.height / Math.max(LEAST_RUNS, ...overs.map(({ runs }) => runs));
	return (
		<g className="manhattan">
			<text x={LEFT} y={MANHATTAN.title} className="chart-title">
				{words.perOver}
			</text>
			<path d={`M${LEFT} ${MANHATTAN.bottom}H${RIGHT}`} className="chart-base" />
			<path
				d={overs
					.map(
						({ runs }, at) =>
							`M${(LEFT + at * step).toFixed(1)} ${MANHATTAN.bottom}v${-runs * scale}h${step - 1.5}v${runs * scale}z`,
					)
					.join('')}
			/>
			{keyed(overs)
				.filter(({ wickets }) => wickets > 0)
				.map(({ runs, at, key }) => (
					<circle key={key} cx={LEFT + (at + 0.5) * step} cy={MANHATTAN.bottom - runs * scale - 6} r="4" />
				))}
		</g>
	);
}

/** Runs in all after each over, a line an innings, and the runs to win while they are chased. */
function Worm({
	innings,
	most,
	target,
}: {
	innings: readonly Overs[];
	most: number;
	target: number | null;
}): ReactElement {
	const sums = innings.map((overs) => {
		let runs = 0;
		return [0, ...overs.map((over) => (runs += over.runs))];
	});
	const scale = WORM.height / Math.max(40, target ?? 0, ...sums.flat());
	const targetAt = target === null ? null : (WORM.bottom - target * scale).toFixed(1);
	return (
		<>
			<text x={LEFT} y={WORM.title} className="chart-title">
				{target === null ? words.total : GRID_WORDS.target(target)}
			</text>
			<path d={`M${LEFT} ${WORM.bottom}H${RIGHT}`} className="chart-base" />
			{targetAt !== null && <path d={`M${LEFT} ${targetAt}H${RIGHT}`} className="chart-target" />}
			{keyed(sums.map((runs) => ({ runs }))).map(({ runs, at, key }) => (
				<path
					key={key}
					className="worm"
					data-side={at}
					d={runs
						.map(
							(sum, over) =>
								`${over === 0 ? 'M' : 'L'}${(LEFT + (over / most) * (RIGHT - LEFT)).toFixed(1)} ${(WORM.bottom - sum * scale).toFixed(1)}`,
						)
						.join('')}
				/>
			))}
		</>
	);
}

/** Letters of a batter's name beside the wheel; a phone's are larger. */
const MOST_LETTERS = { wide: 15, phone: 9 };

function Batting({ score }: { score: Cricket }): ReactElement {
	const letters = useMediaQuery('(width >= 48rem)') ? MOST_LETTERS.wide : MOST_LETTERS.phone;
	const innings = score.innings[score.currentInnings - 1];
	return (
		<>
			{innings && (
				<g>
					<text x="16" y="30" className="ground-name">
						{shortName(innings.team, 18)}
					</text>
					<text x="16" y="66" className="ground-score ground-score-left">
						{innings.runs}/{innings.wickets}
					</text>
					<text x="16" y="88" className="ground-small">
						{innings.overs} / {score.maxOvers}
					</text>
				</g>
			)}
			{score.batters.map(({ name, runs, balls, onStrike }, at) => (
				<text key={name} x="16" y={124 + at * 22} className="batter" data-strike={onStrike || undefined}>
					{playerName(name, letters)} {runs} ({balls})
				</text>
			))}
			{score.partnership && score.batters.length > 0 && (
				<text x="16" y="170" className="ground-small">
					{words.partnership(score.partnership.runs, score.partnership.balls)}
				</text>
			)}
			{score.bowler && (
				<text x="16" y="200" className="ground-small">
					{playerName(score.bowler.name, letters)} {score.bowler.wickets}/{score.bowler.runs}
				</text>
			)}
		</>
	);
}

/** Who bats, the wagon wheel of the innings, its manhattan, and the worm of the match. */
export function CricketField({ score }: { score: Cricket }): ReactElement {
	const { overs = [], shots = [], maxOvers, currentInnings } = score;
	const most = Math.max(1, maxOvers, ...overs.map(({ length }) => length));
	return (
		<Ground sport="cricket">
			<circle cx={CX} cy={CY} r={RADIUS + 8} className="ground-field" />
			<circle cx={CX} cy={CY} r={RADIUS} className="ground-rope" />
			<circle cx={CX} cy={CY} r={RADIUS * 0.55} className="ground-ring" />
			<rect x={CX - 6} y={CY - 18} width="12" height="36" rx="2" className="ground-strip" />
			<WagonWheel shots={shots} />
			<Batting score={score} />
			{overs.length > 0 && (
				<>
					<Manhattan overs={overs[currentInnings - 1] ?? []} most={most} />
					<Worm innings={overs} most={most} target={score.innings[currentInnings - 1]?.target ?? null} />
				</>
			)}
		</Ground>
	);
}
