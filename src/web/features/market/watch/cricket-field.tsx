import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground, shortName } from '#web/features/market/watch/ground.tsx';

type Cricket = ScoreOf<'cricket'>;
type Ball = Cricket['recentBalls'][number];

/** The last balls as the hands of a clock, newest at the top: a hand is as long as its runs are worth. */
const HANDS = 8;
const REACH: Record<number, number> = { 0: 0.22, 1: 0.42, 2: 0.58, 3: 0.74, 4: 1, 6: 1.12 };
const [CX, CY, RX, RY] = [372, 110, 176, 88];

function end(at: number, ball: Ball): { x: number; y: number } {
	const turn = -Math.PI / 2 + (at / HANDS) * 2 * Math.PI;
	const reach = ball.wicket ? 0.22 : (REACH[ball.runs] ?? 0.5);
	return { x: CX + Math.cos(turn) * RX * reach, y: CY + Math.sin(turn) * RY * reach };
}

const kindOf = ({ wicket, runs }: Ball): string => (wicket ? 'wicket' : runs >= 4 ? 'boundary' : 'runs');

function Hands({ balls }: { balls: readonly Ball[] }): ReactElement {
	const newestFirst = [...balls].reverse().slice(0, HANDS);
	return (
		<>
			{newestFirst.map((ball, at) => {
				const { x, y } = end(at, ball);
				return (
					<g key={`${balls.length - at}${ball.over}`} className="hand" data-kind={kindOf(ball)} opacity={1 - at * 0.09}>
						<path d={`M${CX} ${CY}L${x} ${y}`} className={at === 0 ? 'hand-newest' : undefined} />
						<circle cx={x} cy={y} r={at === 0 ? 17 : 13} />
						<text x={x} y={y + 5.5} textAnchor="middle">
							{ball.label}
						</text>
					</g>
				);
			})}
		</>
	);
}

/** The oval with the last balls, the batters on the left and the bowler on the right. */
export function CricketField({ score }: { score: Cricket }): ReactElement {
	const innings = score.innings[score.currentInnings - 1];
	return (
		<Ground sport="cricket">
			<ellipse cx={CX} cy={CY} rx={RX + 34} ry={RY + 16} className="ground-field" />
			<ellipse cx={CX} cy={CY} rx={RX} ry={RY} className="ground-rope" />
			<ellipse cx={CX} cy={CY} rx={RX * 0.55} ry={RY * 0.55} className="ground-ring" />
			<rect x={CX - 7} y="88" width="14" height="44" rx="2" className="ground-strip" />
			<Hands balls={score.recentBalls} />
			{innings && (
				<g>
					<text x="20" y="34" className="ground-name">
						{shortName(innings.team, 16)}
					</text>
					<text x="20" y="72" className="ground-score ground-score-left">
						{innings.runs}/{innings.wickets}
					</text>
					<text x="20" y="96" className="ground-small">
						{innings.overs} / {score.maxOvers}
					</text>
				</g>
			)}
			{score.batters.map(({ name, runs, balls, onStrike }, at) => (
				<text key={name} x="20" y={150 + at * 20} className={onStrike ? 'ground-name' : 'ground-small'}>
					{shortName(name, 12)} {runs} ({balls})
				</text>
			))}
			{score.bowler && (
				<text x="20" y="200" className="ground-small">
					{shortName(score.bowler.name, 12)} {score.bowler.wickets}/{score.bowler.runs}
				</text>
			)}
		</Ground>
	);
}
