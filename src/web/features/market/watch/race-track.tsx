import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground } from '#web/features/market/watch/ground.tsx';
import { formatNumber } from '#web/format.ts';
import { SCORE_WORDS as words } from '#web/texts/market.ts';

type Race = ScoreOf<'horseRacing'>;

/** Two straights of 320 and two bends of radius 78: once round is what the drawing calls a lap. */
const [LEFT, RIGHT, MIDDLE, RADIUS] = [140, 460, 108, 78];
const STRAIGHT = RIGHT - LEFT;
const BEND = Math.PI * RADIUS;
const LAP = 2 * STRAIGHT + 2 * BEND;
/** Metres of a real lap; longer races go round more than once and end at the post, halfway down the lower straight. */
const LAP_METRES = 2000;
const POST = STRAIGHT / 2;

/** A place on the rail, so many units along from the left end of the lower straight, against the clock; `out` from the rail. */
export function placeAt(along: number, out: number): { x: number; y: number } {
	const at = ((along % LAP) + LAP) % LAP;
	const radius = RADIUS + out;
	if (at < STRAIGHT) return { x: LEFT + at, y: MIDDLE + radius };
	if (at < STRAIGHT + BEND) {
		const turn = Math.PI / 2 - (at - STRAIGHT) / RADIUS;
		return { x: RIGHT + Math.cos(turn) * radius, y: MIDDLE + Math.sin(turn) * radius };
	}
	if (at < 2 * STRAIGHT + BEND) return { x: RIGHT - (at - STRAIGHT - BEND), y: MIDDLE - radius };
	const turn = -Math.PI / 2 - (at - 2 * STRAIGHT - BEND) / RADIUS;
	return { x: LEFT + Math.cos(turn) * radius, y: MIDDLE + Math.sin(turn) * radius };
}

/** The post is the finish: the distance of a horse to it is the distance left to run. */
const alongOf = (distance: number, metres: number): number => POST - ((distance - metres) / LAP_METRES) * LAP;

/** Every horse by its number on its colours, where it is on the course. */
export function RaceTrack({ score }: { score: Race }): ReactElement {
	const running = score.runners.filter(({ status }) => status === 'RUNNER');
	const lead = Math.max(...running.map(({ metres }) => metres));
	// The leader is drawn last, above those it passes.
	const ordered = [...running].sort((one, other) => other.position - one.position);
	return (
		<Ground sport="horseRacing">
			<rect x="44" y="12" width="512" height="192" rx="96" className="ground-field" />
			<rect x="84" y="52" width="432" height="112" rx="56" className="ground-inside" />
			<path d={`M${LEFT + POST} 164v40`} className="ground-post" />
			<text x="300" y="104" textAnchor="middle" className="ground-score">
				{words.metres(formatNumber(Math.max(0, Math.round(score.distanceMetres - lead))))}
			</text>
			<text x="300" y="128" textAnchor="middle" className="ground-small">
				{score.going}
			</text>
			{ordered.map(({ runnerId, number, metres, silks }) => {
				const { x, y } = placeAt(alongOf(score.distanceMetres, metres), -18 + (number % 5) * 8);
				return (
					<g key={runnerId} className="horse motion" style={{ transform: `translate(${x}px, ${y}px)` }}>
						<circle r="12" fill={silks.body} stroke={silks.cap} />
						<text y="5.5" textAnchor="middle">
							{number}
						</text>
					</g>
				);
			})}
		</Ground>
	);
}
