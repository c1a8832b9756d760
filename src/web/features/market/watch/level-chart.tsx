import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { Ground } from '#web/features/market/watch/ground.tsx';
import { formatNumber } from '#web/format.ts';

type Trade = ScoreOf<'trade'>;

const [LEFT, RIGHT, TOP, BOTTOM] = [16, 500, 20, 196];

/** History as points of the drawing, with room on the right for the ticks to come. */
export function levelPoints({ history, ticksLeft, openLevel }: Trade): { x: number; y: number; base: number }[] {
	const low = Math.min(openLevel, ...history);
	const high = Math.max(openLevel, ...history);
	const span = high - low || 1;
	const ticks = Math.max(1, history.length + ticksLeft - 1);
	const yOf = (level: number) => BOTTOM - ((level - low) / span) * (BOTTOM - TOP);
	return history.map((level, at) => ({
		x: LEFT + (at / ticks) * (RIGHT - LEFT),
		y: yOf(level),
		base: yOf(openLevel),
	}));
}

/** The level since the open, against the open. */
export function LevelChart({ score }: { score: Trade }): ReactElement {
	const points = levelPoints(score);
	const last = points.at(-1);
	const line = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
	const up = score.level >= score.openLevel;
	return (
		<Ground sport="trade">
			{last && (
				<>
					<path d={`${line}L${last.x} ${last.base}L${LEFT} ${last.base}z`} className="level-area" data-up={up} />
					<path d={`M${LEFT} ${last.base}H${RIGHT}`} className="level-open" />
					<text x={RIGHT + 8} y={last.base + 4} className="ground-small">
						{formatNumber(score.openLevel)}
					</text>
					<path d={line} className="level-line" data-up={up} />
					<circle cx={last.x} cy={last.y} r="5" className="level-now" data-up={up} />
					<text x={Math.min(last.x + 12, RIGHT + 8)} y={last.y - 8} className="ground-name">
						{formatNumber(score.level)}
					</text>
				</>
			)}
		</Ground>
	);
}
