import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { Figures, toneOf } from '#ui/figures.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import type { SettledProfitLoss } from '#web/api/answers.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { formatCalendarDay, formatDateTime, formatSigned } from '#web/format.ts';
import { useSportOptions } from '#web/store/active-sports.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { settledProfitLossQuery } from '#web/store/record-queries.ts';
import { RECORD_WORDS, SCREEN_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './profit-loss.css';

const words = SCREEN_TEXTS.profitLoss;
const PAGE = 50;

interface Filter {
	/** Empty for all. */
	sportId: string;
	range: DateRange;
}

const TONE_CLASS = { profit: 'text-profit', loss: 'text-loss' } as const;

function Amount({ label, value }: { label: string; value: Minor }): ReactElement {
	const tone = toneOf(value);
	return (
		<td data-number data-label={label} className={tone && TONE_CLASS[tone]}>
			{formatSigned(value)}
		</td>
	);
}

const MOST_BARS = 31;

/** A bar for each day, up for gain and down for loss, the oldest first; the table below says the same. */
function DayBars({ days }: Pick<SettledProfitLoss, 'days'>): ReactElement | null {
	const shown = days.slice(0, MOST_BARS).reverse();
	const most = Math.max(...shown.map(({ profit }) => Math.abs(profit)));
	if (shown.length < 2 || most === 0) return null;
	return (
		<ol aria-hidden="true" className="day-bars">
			{shown.map(({ day, profit }) => (
				<li key={day} data-tone={toneOf(profit)}>
					<i style={{ height: `${(Math.abs(profit) / most) * 50}%` }} />
				</li>
			))}
		</ol>
	);
}

function Days({ days }: Pick<SettledProfitLoss, 'days'>): ReactElement {
	const columns = words.dayColumns;
	return (
		<section aria-label={words.byDay}>
			<h2 className="section-title">{words.byDay}</h2>
			<DayBars days={days} />
			<table className="rows">
				<ColumnHeads columns={columns} numbers={['markets', 'net', 'commission', 'profit']} />
				<tbody>
					{days.map(({ day, markets, net, commission, profit }) => (
						<tr key={day} data-day={day}>
							<td data-label={columns.day} className="font-semibold">
								{formatCalendarDay(day)}
							</td>
							<td data-number data-label={columns.markets}>
								{markets}
							</td>
							<Amount label={columns.net} value={net} />
							<td data-number data-label={columns.commission}>
								{formatSigned(minorOf(-commission))}
							</td>
							<Amount label={columns.profit} value={profit} />
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

function Markets({ items }: Pick<SettledProfitLoss, 'items'>): ReactElement {
	const columns = words.columns;
	return (
		<section aria-label={words.byMarket}>
			<h2 className="section-title">{words.byMarket}</h2>
			<table className="rows">
				<ColumnHeads columns={columns} numbers={['net', 'commission', 'profit']} />
				<tbody>
					{items.map((market) => (
						<tr key={market.marketId} data-market={market.marketId}>
							<td data-label={columns.market}>
								<span className="flex items-center gap-2">
									<SportIcon sportId={market.sportId} size={18} className="text-muted" />
									<bdi className="font-semibold">{market.eventTitle}</bdi>
								</span>
								<span className="block text-xs text-muted">{market.marketName}</span>
							</td>
							<td data-label={columns.settled}>{formatDateTime(market.settledAt)}</td>
							<Amount label={columns.net} value={market.net} />
							<td data-number data-label={columns.commission}>
								{formatSigned(minorOf(-market.commission))}
							</td>
							<Amount label={columns.profit} value={market.profit} />
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

function Sums({ sums }: { sums: SettledProfitLoss }): ReactElement {
	return (
		<Figures
			label={words.title}
			figures={[
				{ name: words.sums.profit, value: formatSigned(sums.profit), tone: toneOf(sums.profit) },
				{ name: words.sums.net, value: formatSigned(sums.net) },
				{ name: words.sums.commission, value: formatSigned(minorOf(-sums.commission)) },
				{ name: words.sums.markets, value: sums.markets },
			]}
		/>
	);
}

/** /ProfitLoss: what settled markets made and cost, by day and one by one. */
export function ProfitLossScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ sportId: '', range: ANY_TIME });
	const sports = useSportOptions();
	const asked = useQuery(
		settledProfitLossQuery({
			maxResultCount: PAGE,
			skipCount: skip,
			...boundsOf(filter.range, brandZone()),
			...(filter.sportId ? { sportId: Number(filter.sportId) } : {}),
		}),
	);
	const filters = (
		<>
			<FilterSelect
				label={TEXTS.filters.sport}
				value={filter.sportId}
				options={sports}
				onChange={(sportId) => change({ sportId })}
			/>
			<PeriodFilter value={filter.range} words={TEXTS.filters} own="OWN" onChange={(range) => change({ range })} />
		</>
	);
	return (
		<RecordScreen
			title={words.title}
			filters={filters}
			asked={asked}
			empty={{ title: words.empty, hint: words.emptyHint }}
			page={{ size: PAGE, skip, onSkip: setSkip }}
			words={RECORD_WORDS}
		>
			{(answer) => (
				<div className="flex flex-col gap-4">
					<Sums sums={answer} />
					<p className="text-muted">
						{words.leavesOut}{' '}
						<Link to="/your-money" className="inline-flex min-h-11 items-center underline">
							{SCREEN_TEXTS.money.title}
						</Link>
					</p>
					<Days days={answer.days} />
					<Markets items={answer.items} />
				</div>
			)}
		</RecordScreen>
	);
}
