/** The moment of a price chart that a pointer or the arrow keys are at; the legend shows the chances of that moment. */
import { type HTMLAttributes, type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import { chanceAt, type PriceChart } from '#web/betting/price-lines.ts';
import { formatTime } from '#web/format.ts';
import { CHART_WORDS } from '#web/texts/more.ts';

const STEP = 0.02;
const KEYS: Record<string, (at: number) => number> = {
	ArrowLeft: (at) => at - STEP,
	ArrowRight: (at) => at + STEP,
	Home: () => 0,
	End: () => 1,
};

const timeAt = ({ fromMs, untilMs }: PriceChart, at: number): string =>
	formatTime(new Date(fromMs + at * (untilMs - fromMs)).toISOString());

/**
 * @param chart null while it has no lines
 * @param width of the part with the lines
 * @returns the share of the time that is pointed at, null for none, and the attributes of the box to point in
 */
export function useCursor(
	chart: PriceChart | null,
	width: number,
	nameOf: (runnerId: string) => string,
): { at: number | null; box: HTMLAttributes<HTMLDivElement> } {
	const [at, setAt] = useState<number | null>(null);
	if (!chart || width <= 0) return { at: null, box: {} };
	const point = (share: number) => setAt(Math.max(0, Math.min(1, share)));
	const shown = at ?? 1;
	const said = chart.lines.map((line) => `${nameOf(line.runnerId)} ${chanceAt(line, shown)?.toFixed(0) ?? '–'} %`);
	return {
		at,
		box: {
			role: 'slider',
			tabIndex: 0,
			'aria-label': CHART_WORDS.pointer,
			'aria-valuemin': 0,
			'aria-valuemax': 100,
			'aria-valuenow': Math.round(shown * 100),
			'aria-valuetext': `${timeAt(chart, shown)}: ${said.join(', ')}`,
			onPointerMove: ({ clientX, currentTarget }: PointerEvent) =>
				point((clientX - currentTarget.getBoundingClientRect().left) / width),
			onPointerLeave: () => setAt(null),
			onBlur: () => setAt(null),
			onKeyDown: (event: KeyboardEvent) => {
				const move = KEYS[event.key];
				if (!move) return;
				event.preventDefault();
				point(move(shown));
			},
		},
	};
}

/** A line at that moment, a point on each runner's line, and the time. */
export function Cursor({
	chart,
	at,
	width,
	top,
	bottom,
	yOf,
}: {
	chart: PriceChart;
	at: number;
	width: number;
	/** Between them the line is drawn. */
	top: number;
	bottom: number;
	yOf: (chance: number) => number;
}): ReactElement {
	const x = at * width;
	return (
		<g className="chart-cursor">
			<line x1={x} x2={x} y1={top} y2={bottom} />
			{chart.lines.map((line, order) => {
				const chance = chanceAt(line, at);
				return (
					chance !== null && (
						<circle key={line.runnerId} className="chart-end" data-line={order + 1} cx={x} cy={yOf(chance)} r={4} />
					)
				);
			})}
			<text className="chart-label" x={Math.max(18, Math.min(width - 18, x))} y={bottom + 14} textAnchor="middle">
				{timeAt(chart, at)}
			</text>
		</g>
	);
}
