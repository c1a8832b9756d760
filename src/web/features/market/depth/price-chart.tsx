import { type ReactElement, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { majorFromMinor } from '#values/money.ts';
import { decimalFromPrice, hundredthsFromDecimal, type Price } from '#values/price-ladder.ts';
import type { AnswerOf } from '#web/api/units.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatDateTime, formatQuote, formatRounded, formatTime } from '#web/format.ts';
import { MARKET_WORDS } from '#web/texts/more.ts';

export type HistoryPoint = AnswerOf<'getPriceHistory'>['runners'][number]['points'][number];

const HEIGHT = 224;
/** Rows of the table for screen readers. */
const LISTED = 20;

function colour(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Seconds, decimal prices and major units, as the plot's axes show them; a single trade is drawn as a short level. */
export function plotData(points: readonly HistoryPoint[]): [number[], number[], number[]] {
	const [first] = points;
	const shown =
		points.length === 1 && first
			? [{ ...first, at: new Date(Date.parse(first.at) - 60_000).toISOString() }, first]
			: points;
	return [
		shown.map(({ at }) => Date.parse(at) / 1000),
		shown.map(({ price }) => decimalFromPrice(price)),
		shown.map(({ volume }) => majorFromMinor(volume)),
	];
}

/** Odds have no natural zero: the axis spans the traded prices and a margin. */
const padded = (low: number, high: number): [number, number] => {
	const margin = Math.max((high - low) * 0.15, high * 0.02);
	return [low - margin, high + margin];
};

function optionsOf(width: number, quoting: Quoting): uPlot.Options {
	const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
	const font = '11px system-ui, sans-serif';
	return {
		width,
		height: HEIGHT,
		legend: { show: false },
		cursor: { y: false },
		scales: { y: { range: (_, low, high) => padded(low, high) }, volume: { range: (_, __, max) => [0, max * 4] } },
		axes: [
			{ ...axis, font, values: (_, ticks) => ticks.map((at) => formatTime(new Date(at * 1000).toISOString())) },
			{
				...axis,
				font,
				size: 48,
				values: (_, ticks) => ticks.map((tick) => formatQuote(hundredthsFromDecimal(tick) as Price, quoting)),
			},
		],
		series: [
			{},
			{
				stroke: colour('--back-text'),
				width: 2,
				fill: `color-mix(in srgb, ${colour('--back-text')} 14%, transparent)`,
				points: { show: false },
			},
			{
				scale: 'volume',
				...(uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.6, 12] }) } : {}),
				fill: `color-mix(in srgb, ${colour('--muted')} 45%, transparent)`,
				points: { show: false },
			},
		],
	};
}

/** The average price over time with the volume below it; a table has the same figures for screen readers. */
export function PriceChart({
	points,
	quoting,
	label,
}: {
	points: readonly HistoryPoint[];
	quoting: Quoting;
	label: string;
}): ReactElement {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const into = box.current;
		if (!into) return;
		const [times, prices, volumes] = plotData(points);
		const plot = new uPlot(optionsOf(into.clientWidth, quoting), [times, prices, volumes], into);
		const follow = new ResizeObserver(() => plot.setSize({ width: into.clientWidth, height: HEIGHT }));
		follow.observe(into);
		return () => {
			follow.disconnect();
			plot.destroy();
		};
	}, [points, quoting]);
	return (
		<>
			<div ref={box} aria-hidden="true" className="min-h-56 min-w-0 overflow-hidden" />
			<table className="unseen">
				<caption>{label}</caption>
				<thead>
					<tr>
						<th scope="col">{MARKET_WORDS.historyTime}</th>
						<th scope="col">{MARKET_WORDS.historyPrice}</th>
						<th scope="col">{MARKET_WORDS.historyVolume}</th>
					</tr>
				</thead>
				<tbody>
					{points.slice(-LISTED).map(({ at, price, volume }) => (
						<tr key={at}>
							<th scope="row">{formatDateTime(at)}</th>
							<td>{formatQuote(price, quoting)}</td>
							<td>{formatRounded(volume)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}
