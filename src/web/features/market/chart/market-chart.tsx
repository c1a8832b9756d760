/** The price chart of a market, below its runners: loaded after them, in reserved space. */
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactElement, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Market, OpenBet } from '#web/api/answers.ts';
import {
	chanceAt,
	impliedChance,
	mostLikely,
	type PriceChart,
	type PriceHistory,
	pathOf,
	priceChart,
	priceOfChance,
	type Range,
} from '#web/betting/price-lines.ts';
import { Cursor, useCursor } from '#web/features/market/chart/chart-cursor.tsx';
import { formatCompact, formatPrice, formatTime } from '#web/format.ts';
import { priceHistoryQuery } from '#web/store/market-queries.ts';
import { serverNow } from '#web/store/server-clock.ts';
import { CHART_WORDS, MARKET_WORDS } from '#web/texts/more.ts';

const HEIGHT = 180;
/** Of the height, from the bottom: volume; from the top: the letters of the marks. */
const VOLUME_SHARE = 0.18;
const TOP = 16;
const BOTTOM = 18;
/** At the right: the percentages. */
const AXIS = 40;
const MOST_LINES = 4;
/** Time advances even without news. */
const TICK_MS = 5_000;

function useWidth(): [RefObject<HTMLDivElement | null>, number] {
	const box = useRef<HTMLDivElement>(null);
	const [width, setWidth] = useState(0);
	useEffect(() => {
		if (!box.current) return;
		const follow = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
		follow.observe(box.current);
		return () => follow.disconnect();
	}, []);
	return [box, width];
}

function useNow(): number {
	const [now, setNow] = useState(serverNow);
	useEffect(() => {
		const timer = setInterval(() => {
			if (!document.hidden) setNow(serverNow());
		}, TICK_MS);
		return () => clearInterval(timer);
	}, []);
	return now;
}

const plotHeight = HEIGHT - TOP - BOTTOM;
const yOf = ({ low, high }: PriceChart, chance: number): number =>
	TOP + (1 - (chance - low) / Math.max(1, high - low)) * plotHeight;

function Volumes({ chart, width }: { chart: PriceChart; width: number }): ReactElement {
	const step = width / chart.volumes.length;
	const bars = chart.volumes.map((share, at) => {
		const height = (share * plotHeight * VOLUME_SHARE).toFixed(1);
		return `M${(at * step + 0.5).toFixed(1)} ${HEIGHT - BOTTOM}v-${height}h${(step - 1).toFixed(1)}v${height}z`;
	});
	return <path className="chart-volume" d={bars.join('')} />;
}

const shareOf = ({ fromMs, untilMs }: PriceChart, iso: string): number =>
	(Date.parse(iso) - fromMs) / (untilMs - fromMs);

function Marks({
	chart,
	marks,
	width,
}: {
	chart: PriceChart;
	marks: PriceHistory['marks'];
	width: number;
}): ReactElement {
	return (
		<>
			{marks
				.filter(({ at }) => shareOf(chart, at) > 0 && shareOf(chart, at) <= 1)
				.map(({ at, kind, side }) => {
					const x = shareOf(chart, at) * width;
					return (
						<g key={`${at} ${kind} ${side}`} className="chart-mark" data-kind={kind}>
							<line x1={x} x2={x} y1={TOP} y2={HEIGHT - BOTTOM} />
							<text x={Math.min(width - 6, Math.max(6, x))} y={TOP - 4}>
								{CHART_WORDS.markLetters[kind]}
							</text>
						</g>
					);
				})}
		</>
	);
}

/** The player's own matched bets, where and when they were made. */
function OwnBets({ chart, bets, width }: { chart: PriceChart; bets: readonly OpenBet[]; width: number }): ReactElement {
	const shown = new Set(chart.lines.map(({ runnerId }) => runnerId));
	return (
		<>
			{bets
				.filter(
					({ runnerId, matchedStake, placedAt }) =>
						shown.has(runnerId) && matchedStake > 0 && shareOf(chart, placedAt) > 0,
				)
				.map(({ betId, side, price, averagePrice, placedAt }) => (
					<circle
						key={betId}
						className="chart-own"
						data-side={side}
						cx={Math.min(1, shareOf(chart, placedAt)) * width}
						cy={Math.min(HEIGHT - BOTTOM, Math.max(TOP, yOf(chart, impliedChance(averagePrice ?? price))))}
						r={4.5}
					/>
				))}
		</>
	);
}

/** Chances of a hundred, or the odds that they come to. */
type Figures = 'CHANCE' | 'ODDS';
const FIGURES: Readonly<Record<Figures, string>> = { CHANCE: '%', ODDS: MARKET_WORDS.depthPrice };

function figureOf(chance: number | null, figures: Figures): string {
	if (figures === 'CHANCE') return `${chance?.toFixed(0) ?? '–'}%`;
	return chance === null || chance < 0.1 ? '–' : formatPrice(priceOfChance(chance));
}

interface PlotProps {
	chart: PriceChart;
	history: PriceHistory;
	bets: readonly OpenBet[];
	width: number;
	figures: Figures;
	/** The share of the time that is pointed at. */
	at: number | null;
}

function Plot({ chart, history, bets, width, figures, at }: PlotProps): ReactElement {
	const inner = Math.max(1, width - AXIS);
	const levels = [0, 0.25, 0.5, 0.75, 1].map((share) => chart.low + share * (chart.high - chart.low));
	return (
		<svg width={width} height={HEIGHT} aria-hidden="true" className="chart-plot">
			{levels.map((level) => (
				<g key={level}>
					<line className="chart-grid" x1={0} x2={inner} y1={yOf(chart, level)} y2={yOf(chart, level)} />
					<text className="chart-label" x={inner + 6} y={yOf(chart, level) + 4}>
						{figureOf(level, figures)}
					</text>
				</g>
			))}
			<Volumes chart={chart} width={inner} />
			<Marks chart={chart} marks={history.marks} width={inner} />
			{chart.lines.map((line, order) => (
				<path
					key={line.runnerId}
					className="chart-line"
					data-line={order + 1}
					d={pathOf(line, inner, (chance) => yOf(chart, chance))}
				/>
			))}
			{chart.lines.map((line, order) => (
				<circle
					key={line.runnerId}
					className="chart-end"
					data-line={order + 1}
					cx={inner}
					cy={yOf(chart, line.now)}
					r={3.5}
				/>
			))}
			<OwnBets chart={chart} bets={bets} width={inner} />
			{at === null ? (
				<>
					<text className="chart-label" x={0} y={HEIGHT - 4}>
						{formatTime(new Date(chart.fromMs).toISOString())}
					</text>
					<text className="chart-label" x={inner} y={HEIGHT - 4} textAnchor="end">
						{formatTime(new Date(chart.untilMs).toISOString())}
					</text>
				</>
			) : (
				<Cursor
					chart={chart}
					at={at}
					width={inner}
					top={TOP}
					bottom={HEIGHT - BOTTOM}
					yOf={(chance) => yOf(chart, chance)}
				/>
			)}
		</svg>
	);
}

/** The chances of now with their change, or those of the moment that is pointed at. */
function Legend({
	chart,
	at,
	figures,
	nameOf,
}: {
	chart: PriceChart;
	at: number | null;
	figures: Figures;
	nameOf: (runnerId: string) => string;
}): ReactElement {
	return (
		<ul className="chart-legend">
			{chart.lines.map((line, order) => {
				const { runnerId, now, before } = line;
				return (
					<li key={runnerId} data-line={order + 1}>
						<span className="min-w-0 truncate">{nameOf(runnerId)}</span>
						<b>{figureOf(at === null ? now : chanceAt(line, at), figures)}</b>
						{at === null && figures === 'CHANCE' && (
							<span
								className="chart-change"
								data-rise={now - before >= 0.5 || undefined}
								data-fall={before - now >= 0.5 || undefined}
							>
								{CHART_WORDS.change(Math.round(now - before))}
							</span>
						)}
					</li>
				);
			})}
		</ul>
	);
}

/** One of a few, written beside each other. Rebuilt when another is chosen, not with each point of the chart. */
const Choice = memo(function Choice<Each extends string>({
	legend,
	name,
	texts,
	chosen,
	onChoose,
}: {
	legend: string;
	name: string;
	texts: Readonly<Record<Each, string>>;
	chosen: Each;
	onChoose: (each: Each) => void;
}): ReactElement {
	return (
		<fieldset className="chart-ranges">
			<legend className="unseen">{legend}</legend>
			{(Object.keys(texts) as Each[]).map((each) => (
				<label key={each}>
					<input
						type="radio"
						className="unseen"
						name={name}
						checked={chosen === each}
						onChange={() => onChoose(each)}
					/>
					<span>{texts[each]}</span>
				</label>
			))}
		</fieldset>
	);
}) as <Each extends string>(props: {
	legend: string;
	name: string;
	texts: Readonly<Record<Each, string>>;
	chosen: Each;
	onChoose: (each: Each) => void;
}) => ReactElement;

/** Of a market with one winner, those that may still win. */
const wholeOf = ({ numberOfWinners, lineRange, runners }: Market): string[] | null =>
	numberOfWinners === 1 && !lineRange ? runners.filter(({ status }) => status !== 'REMOVED').map(({ id }) => id) : null;

/** Implied probability of the likeliest runners over time, with volume, incidents, and the player's own bets. */
export function MarketChart({ market, bets }: { market: Market; bets: readonly OpenBet[] }): ReactElement {
	const [box, width] = useWidth();
	const [range, setRange] = useState<Range>('all');
	const [figures, setFigures] = useState<Figures>('CHANCE');
	const now = useNow();
	const { data: history } = useQuery(priceHistoryQuery(market.id));
	const chart = useMemo(() => {
		if (!history) return null;
		const last = Math.max(now, ...history.runners.flatMap(({ points }) => Date.parse(points.at(-1)?.at ?? '') || []));
		return priceChart(history, mostLikely(history, MOST_LINES), range, last, wholeOf(market));
	}, [history, range, now, market]);
	const nameOf = (runnerId: string) => market.runners.find(({ id }) => id === runnerId)?.name ?? '';
	const isEmpty = chart !== null && chart.lines.length === 0;
	const cursor = useCursor(isEmpty ? null : chart, width - AXIS, nameOf);
	const summary = chart?.lines.map(({ runnerId, now: last, before }) =>
		CHART_WORDS.lineSummary(nameOf(runnerId), Math.round(last), Math.round(before)),
	);
	return (
		<figure className="price-chart" aria-label={CHART_WORDS.title(market.name)}>
			<div className="chart-head">
				{chart ? (
					<Legend chart={chart} at={cursor.at} figures={figures} nameOf={nameOf} />
				) : (
					<div className="chart-legend" />
				)}
				<div className="chart-choices">
					<Choice
						legend={CHART_WORDS.figures}
						name="chart-figures"
						texts={FIGURES}
						chosen={figures}
						onChoose={setFigures}
					/>
					<Choice
						legend={CHART_WORDS.range}
						name="chart-range"
						texts={CHART_WORDS.ranges}
						chosen={range}
						onChoose={setRange}
					/>
				</div>
			</div>
			<div ref={box} className="chart-box" {...cursor.box}>
				{isEmpty && <p className="chart-empty">{CHART_WORDS.empty}</p>}
				{chart && history && !isEmpty && width > 0 && (
					<Plot chart={chart} history={history} bets={bets} width={width} figures={figures} at={cursor.at} />
				)}
			</div>
			{chart && summary && (
				<figcaption className="unseen">
					{CHART_WORDS.summary(summary.join(', '), formatCompact(chart.mostVolume), history?.marks.length ?? 0)}
				</figcaption>
			)}
		</figure>
	);
}
