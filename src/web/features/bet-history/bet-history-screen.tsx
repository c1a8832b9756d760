import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messageOf } from '#web/api/failure.ts';
import { formatDateTime, formatMoney, formatPrice, formatSigned } from '#web/format.ts';
import { betHistoryQuery, type HistoryPage } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

type HistoryBet = HistoryPage['items'][number];
type Status = keyof typeof TEXTS.history.statuses;

const PAGE = 25;
const words = TEXTS.history;

function StatusFilter({ status, onStatus }: { status: Status | null; onStatus: (status: Status | null) => void }) {
	return (
		<label className="flex items-center gap-2 text-xs text-muted">
			{words.status}
			<select
				className="min-h-11 rounded-md border border-line-strong bg-surface-0 px-2 text-text"
				value={status ?? ''}
				onChange={(event) => onStatus(event.target.value === '' ? null : (event.target.value as Status))}
			>
				<option value="">{words.all}</option>
				{Object.entries(words.statuses).map(([value, name]) => (
					<option key={value} value={value}>
						{name}
					</option>
				))}
			</select>
		</label>
	);
}

function Row({ bet }: { bet: HistoryBet }): ReactElement {
	const side = bet.side === 'BACK' ? TEXTS.slip.back : TEXTS.slip.lay;
	const result = bet.result ? words.results[bet.result] : (words.statuses[bet.status as Status] ?? bet.status);
	return (
		<tr data-bet={bet.betId}>
			<td data-label={words.columns.bet}>
				<b className={bet.side === 'BACK' ? 'text-back-text' : 'text-lay-text'}>{side}</b>{' '}
				<span className="font-semibold">{bet.runnerName}</span>
				<span className="block text-xs text-muted">
					{bet.eventTitle} · {bet.marketName}
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
			<td data-label={words.columns.placed}>{formatDateTime(bet.placedAt)}</td>
		</tr>
	);
}

/** /bet-history and /current-bet: what became of bets that are over, newest first. */
export function BetHistoryScreen(): ReactElement {
	const [status, setStatus] = useState<Status | null>(null);
	const [skip, setSkip] = useState(0);
	const { data, error, refetch } = useQuery(
		betHistoryQuery({ maxResultCount: PAGE, skipCount: skip, ...(status ? { status } : {}) }),
	);
	const columns = Object.values(words.columns);
	return (
		<div className="p-2 lg:p-4">
			<div className="flex items-center justify-between px-1 py-2">
				<h1 className="text-xl font-bold">{words.title}</h1>
				<StatusFilter
					status={status}
					onStatus={(next) => {
						setStatus(next);
						setSkip(0);
					}}
				/>
			</div>
			{!data && !error && <Skeleton className="h-64 w-full" />}
			{!data && error && (
				<ScreenState
					tone="alert"
					title={TEXTS.app.failed}
					action={<Button onClick={() => void refetch()}>{TEXTS.app.retry}</Button>}
				>
					{messageOf(error)}
				</ScreenState>
			)}
			{data && data.items.length === 0 && <ScreenState title={words.empty}>{words.emptyHint}</ScreenState>}
			{data && data.items.length > 0 && (
				<table className="rows">
					<thead>
						<tr>
							{columns.map((column) => (
								<th key={column} scope="col">
									{column}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{data.items.map((bet) => (
							<Row key={bet.betId} bet={bet} />
						))}
					</tbody>
				</table>
			)}
			<Pager skip={skip} size={PAGE} total={data?.totalCount ?? 0} onSkip={setSkip} words={words} />
		</div>
	);
}
