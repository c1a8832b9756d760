import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, Suspense, useState } from 'react';
import { ColumnHeads } from '#ui/column-heads.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { PeriodFilter } from '#ui/period-filter.tsx';
import { RecordScreen, usePagedFilter } from '#ui/record-screen.tsx';
import { quotingOfBet } from '#web/betting/quoting.ts';
import { ANY_TIME, boundsOf, type DateRange } from '#web/date-range.ts';
import { type HistoryBet, numberResult, resultWord } from '#web/features/bet-history/bet-result.ts';
import { formatMoment, formatMoney, formatQuote, formatSigned } from '#web/format.ts';
import { useSportOptions } from '#web/store/active-sports.ts';
import { brandZone } from '#web/store/brand-zone.ts';
import { betHistoryQuery } from '#web/store/record-queries.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './bet-history.css';

const BetDialog = lazyPart(async () => ({
	default: (await import('#web/features/bet-history/bet-dialog.tsx')).BetDialog,
}));

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

function Row({ bet, onOpen }: { bet: HistoryBet; onOpen: () => void }): ReactElement {
	const quoting = quotingOfBet(bet);
	const side = sideWord(bet.side, quoting);
	const number = numberResult(bet);
	return (
		<tr data-bet={bet.betId}>
			<td data-label={words.columns.bet}>
				<b className={bet.side === 'BACK' ? 'text-back-text' : 'text-lay-text'}>{side}</b>{' '}
				<bdi className="font-semibold">{bet.runnerName}</bdi>
				<Link
					to="/markets/{-$eventid}/$dreamEventId"
					params={{ dreamEventId: bet.eventId }}
					className="flex min-h-11 items-center text-xs text-muted underline"
				>
					<span>
						<bdi>{bet.eventTitle}</bdi> · {bet.marketName}
					</span>
				</Link>
			</td>
			<td data-number data-label={words.columns.odds}>
				{formatQuote(bet.averagePrice ?? bet.price, quoting)}
			</td>
			<td data-number data-label={words.columns.stake}>
				{formatMoney(bet.matchedStake > 0 ? bet.matchedStake : bet.stake)}
			</td>
			<td data-label={words.columns.result}>
				<div>
					{resultWord(bet)}
					{number && <span className="block text-xs text-muted">{number}</span>}
				</div>
			</td>
			<td
				data-number
				data-label={words.columns.profit}
				className={bet.profit < 0 ? 'text-loss' : bet.profit > 0 ? 'text-profit' : ''}
			>
				<b>{formatSigned(bet.profit)}</b>
			</td>
			<td data-label={words.columns.placed}>
				<Times bet={bet} />
			</td>
			<td data-label={words.columns.details}>
				<button type="button" className="icon-button -my-2.5" aria-label={words.detailsOf(bet.betId)} onClick={onOpen}>
					<Icon solid>chevron-right</Icon>
				</button>
			</td>
		</tr>
	);
}

function Rows({ bets }: { bets: readonly HistoryBet[] }): ReactElement {
	const [opened, setOpened] = useState<HistoryBet | null>(null);
	return (
		<>
			<table className="rows history-rows">
				<ColumnHeads columns={words.columns} numbers={['odds', 'stake', 'profit']} />
				<tbody>
					{bets.map((bet) => (
						<Row key={bet.betId} bet={bet} onOpen={() => setOpened(bet)} />
					))}
				</tbody>
			</table>
			{opened && (
				<Suspense fallback={null}>
					<BetDialog bet={opened} onClose={() => setOpened(null)} />
				</Suspense>
			)}
		</>
	);
}

/** /bet-history and /current-bet: the results of ended bets, newest first. */
export function BetHistoryScreen(): ReactElement {
	const { filter, change, skip, setSkip } = usePagedFilter<Filter>({ status: '', sportId: '', range: ANY_TIME });
	const asked = useQuery(
		betHistoryQuery({
			maxResultCount: PAGE,
			skipCount: skip,
			...boundsOf(filter.range, brandZone()),
			...(filter.status ? { status: filter.status } : {}),
			...(filter.sportId ? { sportId: Number(filter.sportId) } : {}),
		}),
	);
	return (
		<RecordScreen
			title={words.title}
			beside={<Link to="/open-bets">{TEXTS.frame.bets}</Link>}
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
