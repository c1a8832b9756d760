/** The kit's table in the console's words; the view of a screen's own table stands in its address. */
import type { ReactElement } from 'react';
import { useTableView } from '#console/parts/table-state.ts';
import { DataTable } from '#ui/data-table.tsx';
import type { Column } from '#ui/table-columns.ts';

const WORDS = {
	filter: (title: string) => `Filter ${title.toLowerCase()}`,
	filterBy: (head: string) => `Only where ${head} has`,
	byColumn: 'Filter by column',
	columns: 'Columns',
	rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
	save: 'Save as CSV',
	nothing: 'Nothing matches the filter.',
};

interface RecordTableProps<Row> {
	title: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	keyOf: (row: Row) => string;
	onOpen?: (row: Row) => void;
	empty: string;
	/** A table beside others: without filter and file, and its sort is not in the address. */
	isPlain?: boolean;
	/** Its long names wrap. */
	isTall?: boolean;
}

export function RecordTable<Row extends object>(props: RecordTableProps<Row>): ReactElement {
	return <DataTable {...props} {...useTableView(!props.isPlain)} words={WORDS} />;
}
