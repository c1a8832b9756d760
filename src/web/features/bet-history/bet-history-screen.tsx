import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import type { HistoryPage } from '#web/api/answers.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { formatMoment, formatMoney, formatPrice, formatSigned } from '#web/format.ts';
import { useSportOptions } from '#web/store/active-sports.ts';
import { betHistoryQuery } from '#web/store/record-queries.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/account.ts';
import { TEXTS } from '#web/texts.ts';

type HistoryBet = HistoryPage['items'][number];
type Status = keyof typeof ACCOUNT_TEXTS.history.statuses;

interface Filter {
	status: Status | '';
	/** Empty for all. */
	sportId: string;
	range: DateRange;
}

const PAGE = 25;
const words = ACCOUNT_TEXTS.history;
const STATUSES = Object.entries(words.statuses) as [Status, string][];

function Filters({ filter, onFilter }: { filter: Filter; onFilter: (part: Partial<Filter>) => void }): ReactElement {
	const sports = useSportOptions();
	return (
		<>
			<FilterSelect
				label={TEXTS.filters.sport}
				value={filter.sportId}
				options={sports}
				onChange={(sportId) => onFilter({ sportId })}
			/>
			<FilterSelect
				label={words.status}
				value={filter.status}
				options={[{ value: '', text: words.all }, ...STATUSES.map(([value, text]) => ({ value, text }))]}
				onChange={(status) => onFilter({ status })}
			/>
			<PeriodFilter value={filter.range} words={TEXTS.filters} own="OWN" onChange={(range) => onFilter({ range })} />
		</>
	);
}

/** When it was placed and, where that was later, matched: after an in-play delay, or a wait in the book. */
function Times({ bet }: { bet: HistoryBet }): ReactElement {
	const placed = formatMoment(bet.placedAt);
	const matched = bet.matchedAt && formatMoment(bet.matchedAt);
	return (
		<div>
			{placed}
			{matched && matched !== placed && <span className="block text-xs text-muted">{words.matched(matched)}</span>}
		</div>
	);
}

function Row({ bet }: { bet: HistoryBet }): ReactElement {
	const side = bet.side === 'BACK' ? TEXTS.slip.back : TEXTS.slip.lay;
	const result = bet.result ? words.results[bet.result] : (words.statuses[bet.status as Status] ?? bet.status);
	return (
		<tr data-bet={bet.betId}>
			<td data-label={words.columns.bet}>
				<b className={bet.side === 'BACK' ? 'text-back-text' : 'text-lay-text'}>{side}</b>{' '}
				<bdi className="font-semibold">{bet.runnerName}</bdi>
				<span className="block text-xs text-muted">
					<bdi>{bet.eventTitle}</bdi> · {bet.marketName}
				</span>
			</td>
			<td data-label={words.columns.odds}>{formatPrice(bet.averagePrice ?? bet.price)}</td>
			<td data-label={words.columns.stake}>{formatMoney(bet.matchedStake > 0 ? bet.matchedStake : bet.stake)}</td>
			<td data-label={words.columns.result}>{result}</td>
			<td
				data-label={words.columns.profit}
				className={bet.profit < 0 ? 'text-loss' : bet.profit > 0 ? 'text-profit' : ''}
				title={bet.commission > 0 ? words.commission(formatMoney(bet.commission)) : undefined}
			>
				<b>{formatSigned(bet.profit)}</b>
			</td>
			<td data-label={words.columns.placed}>
				<Times bet={bet} />
			</td>
		</tr>
	);
}

function Rows({ bets }: { bets: readonly HistoryBet[] }): ReactElement {
	return (
		<table className="rows">
			<ColumnHeads columns={words.columns} />
			<tbody>
				{bets.map((bet) => (
					<Row key={bet.betId} bet={bet} />
				))}
			</tbody>
		</table>
	);
}

/** /bet-history and /current-bet: what became of bets that are over, newest first. */
export function BetHistoryScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ status: '', sportId: '', range: ANY_TIME });
	const asked = useQuery(
		betHistoryQuery({
			maxResultCount: PAGE,
			skipCount: skip,
			...boundsOf(filter.range),
			...(filter.status ? { status: filter.status } : {}),
			...(filter.sportId ? { sportId: Number(filter.sportId) } : {}),
		}),
	);
	return (
		<RecordScreen
			title={words.title}
			filters={<Filters filter={filter} onFilter={change} />}
			asked={asked}
			empty={{ title: words.empty, hint: words.emptyHint }}
			page={{ size: PAGE, skip, onSkip: setSkip }}
			words={RECORD_WORDS}
		>
			{({ items }) => <Rows bets={items} />}
		</RecordScreen>
	);
}
