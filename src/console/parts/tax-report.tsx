/** Taxes of a period by brand, tax and month: what authorities are owed. */
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { amount } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import type { Column } from '#ui/table-columns.ts';

type Row = ResultOf<'report-taxes'>[number];

const money = (head: string, value: (row: Row) => number): Column<Row> => ({
	head,
	value,
	show: (row) => amount(value(row)),
	isFigure: true,
});

const COLUMNS: readonly Column<Row>[] = [
	{ head: 'Month', value: ({ month }) => month },
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.5 },
	{ head: 'Tax', value: ({ name }) => name, width: 1.5 },
	{ head: 'Period', value: ({ period }) => period ?? 'withdrawals' },
	{ head: 'Players', value: ({ players }) => players, isFigure: true },
	money('Charged', ({ charged }) => charged),
	money('Given back', ({ returned }) => returned),
	money('Owed', ({ owed }) => owed),
];

export function TaxReport(asked: { from: string; to: string }): ReactElement {
	const query = useCall('report-taxes', asked);
	return (
		<Loaded query={query}>
			{(rows) => (
				<RecordTable
					title="Taxes"
					columns={COLUMNS}
					rows={rows}
					keyOf={({ month, brand, name, period }) => `${month} ${brand} ${name} ${period}`}
					empty="No tax was posted in this period."
				/>
			)}
		</Loaded>
	);
}
