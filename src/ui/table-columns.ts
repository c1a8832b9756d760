/** Columns of a table, and how its rows are sorted and filtered by them. */
import {
	type ColumnDef,
	columnFilteringFeature,
	columnVisibilityFeature,
	createFilteredRowModel,
	createSortedRowModel,
	filterFn_includesString,
	globalFilteringFeature,
	type RowData,
	rowSortingFeature,
	type SortFn,
	tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';

type Value = string | number | boolean | null;

export interface Column<Row> {
	/** Names the column, also in the address; unique in its table. */
	head: string;
	/** What is sorted by, filtered by and saved. */
	value: (row: Row) => Value;
	/** What is shown, when it is more than the value. */
	show?: (row: Row) => ReactNode;
	/** Share of the width. */
	width?: number;
	/** Figures stand at the right. */
	isFigure?: boolean;
}

/** What a reader of a table has chosen: it comes from the table's owner and goes back to it. */
export interface TableView {
	/** Text that some column of each row has. */
	filter: string;
	sort: { head: string; isDown: boolean } | null;
	/** Heads of the columns that are not shown. */
	hidden: readonly string[];
	/** Texts that single columns have, by their heads. */
	where: Readonly<Record<string, string>>;
}

export const TABLE_FEATURES = tableFeatures({
	columnFilteringFeature,
	globalFilteringFeature,
	filteredRowModel: createFilteredRowModel(),
	rowSortingFeature,
	sortedRowModel: createSortedRowModel(),
	columnVisibilityFeature,
});
type Features = typeof TABLE_FEATURES;

/** Numbers by their size, all else as text in the reader's language. */
const byValue: SortFn<Features, RowData> = (one, other, head) => {
	const [left, right] = [one.getValue<Value>(head), other.getValue<Value>(head)];
	if (typeof left === 'number' && typeof right === 'number') return left - right;
	return String(left ?? '').localeCompare(String(right ?? ''));
};

export const definitionOf = <Row extends RowData>({ head, value }: Column<Row>): ColumnDef<Features, Row> => ({
	id: head,
	accessorFn: value,
	sortFn: byValue as SortFn<Features, Row>,
	filterFn: filterFn_includesString,
	sortDescFirst: false,
});

/** The view as the table library names it. */
export const stateOf = ({ filter, sort, hidden, where }: TableView) => ({
	globalFilter: filter.trim(),
	sorting: sort ? [{ id: sort.head, desc: sort.isDown }] : [],
	columnVisibility: Object.fromEntries(hidden.map((head) => [head, false])),
	columnFilters: Object.entries(where).map(([id, value]) => ({ id, value: value.trim() })),
});

/** A column's narrowest width: what is longer is cut, and the table scrolls sideways. */
const narrowest = ({ width = 1 }: { width?: number }): string => `${2 + 4 * width}rem`;

/**
 * The columns as tracks of a grid, each of a share of the width, and the least width of all of them.
 * @param firstShare the most of a phone's width that the first column takes, in hundredths; the others need room, too
 */
export function tracksOf<Row>(columns: readonly Column<Row>[], firstShare: number) {
	const least = columns.map((column, at) =>
		at === 0 ? `min(${narrowest(column)}, ${firstShare}vw)` : narrowest(column),
	);
	return {
		gridTemplateColumns: columns.map(({ width = 1 }, at) => `minmax(${least[at]}, ${width}fr)`).join(' '),
		minWidth: `calc(${least.join(' + ')})`,
	};
}
