import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messageOf } from '#web/api/failure.ts';
import { formatDateTime, formatMoney, formatSigned } from '#web/format.ts';
import { statementQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

const PAGE = 50;
const words = TEXTS.statement;

/** /account-cash-statement: every movement of the free balance with the balance it left. */
export function StatementScreen(): ReactElement {
	const [skip, setSkip] = useState(0);
	const { data, error, refetch } = useQuery(statementQuery({ maxResultCount: String(PAGE), skipCount: String(skip) }));
	const columns = words.columns;
	return (
		<div className="p-2 lg:p-4">
			<h1 className="px-1 py-2 text-xl font-bold">{words.title}</h1>
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
							{Object.values(columns).map((column) => (
								<th key={column} scope="col">
									{column}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{data.items.map((row) => (
							<tr key={row.id} data-kind={row.kind}>
								<td data-label={columns.at}>{formatDateTime(row.at)}</td>
								<td data-label={columns.kind}>{words.kinds[row.kind] ?? row.kind}</td>
								<td data-label={columns.reference} className="text-muted">
									{row.reference}
								</td>
								<td data-label={columns.amount} className={row.amount < 0 ? 'text-loss' : 'text-profit'}>
									<b>{formatSigned(row.amount)}</b>
								</td>
								<td data-label={columns.balance}>{formatMoney(row.balanceAfter)}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			<Pager skip={skip} size={PAGE} total={data?.totalCount ?? 0} onSkip={setSkip} words={TEXTS.history} />
		</div>
	);
}
