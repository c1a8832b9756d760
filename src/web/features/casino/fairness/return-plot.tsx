/** The realised returns of a game's bets, each with its band around the exact return. */
import { type ReactElement, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { RealisedReturn } from '#games/bet-tally.ts';

const HEIGHT = 200;
const DOT = 4;
/** No axis goes above three times the stake: the band of a rare prize after few rounds is wider than any page. */
const MOST_PERCENT = 300;

export interface PlottedBet extends RealisedReturn {
	name: string;
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const percent = (part: number): number => part * 100;

/** A line from the lowest to the highest return of the band, a stroke at the exact one, a dot at the realised one. */
function drawBets(plot: uPlot, bets: readonly PlottedBet[]): void {
	const { ctx } = plot;
	const scale = devicePixelRatio;
	const step = plot.bbox.width / (bets.length + 1);
	const half = Math.min(step * 0.3, 14 * scale);
	ctx.save();
	ctx.beginPath();
	ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
	ctx.clip();
	for (const [index, { realised, exact, within }] of bets.entries()) {
		const x = plot.valToPos(index + 1, 'x', true);
		const y = (part: number) => plot.valToPos(percent(part), 'y', true);
		const isWithin = Math.abs(realised - exact) <= within;
		ctx.fillStyle = `color-mix(in srgb, ${colour('--muted')} 35%, transparent)`;
		ctx.fillRect(x - half, y(exact + within), 2 * half, y(Math.max(0, exact - within)) - y(exact + within));
		ctx.fillStyle = colour('--text');
		ctx.fillRect(x - half, y(exact) - scale, 2 * half, 2 * scale);
		ctx.fillStyle = colour(isWithin ? '--profit' : '--loss');
		ctx.beginPath();
		ctx.arc(x, y(realised), DOT * scale, 0, 2 * Math.PI);
		ctx.fill();
	}
	ctx.restore();
}

function optionsOf(width: number, bets: readonly PlottedBet[]): uPlot.Options {
	const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
	const lows = bets.map(({ realised, exact, within }) => Math.min(realised, Math.max(0, exact - within)));
	const highs = bets.map(({ realised, exact, within }) => Math.max(realised, exact + within));
	const [low, high] = [percent(Math.min(...lows)), Math.min(MOST_PERCENT, percent(Math.max(...highs)))];
	return {
		width,
		height: HEIGHT,
		legend: { show: false },
		cursor: { show: false },
		scales: { x: { time: false, range: () => [0, bets.length + 1] }, y: { range: () => [low - 2, high + 2] } },
		axes: [
			{ show: false },
			{ ...axis, font: '11px system-ui, sans-serif', size: 48, values: (_, ticks) => ticks.map((tick) => `${tick}%`) },
		],
		series: [{}, { show: true, stroke: 'transparent', points: { show: false } }],
		hooks: { draw: [(plot) => drawBets(plot, bets)] },
	};
}

/** Only a picture: the table beside it has the figures. */
export function ReturnPlot({ bets }: { bets: readonly PlottedBet[] }): ReactElement {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const into = box.current;
		if (!into) return;
		const data: uPlot.AlignedData = [bets.map((_, index) => index + 1), bets.map(({ realised }) => percent(realised))];
		const plot = new uPlot(optionsOf(into.clientWidth, bets), data, into);
		const follow = new ResizeObserver(() => plot.setSize({ width: into.clientWidth, height: HEIGHT }));
		follow.observe(into);
		return () => {
			follow.disconnect();
			plot.destroy();
		};
	}, [bets]);
	return <div ref={box} aria-hidden="true" className="return-plot" />;
}
