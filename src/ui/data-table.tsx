/**
 * A table of records: sorted by any column, filtered by a typed text, with hideable columns, saved as CSV. Its head and
 * its first column stay in view. Only the rows in view are drawn, so that it scrolls with a hundred thousand. Rows that
 * open something are a grid: Tab reaches one of them, the arrow keys the others.
 */
import { functionalUpdate, type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react';
import { DataRow } from '#ui/data-row.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { type Column, definitionOf, stateOf, TABLE_FEATURES, type TableView, tracksOf } from '#ui/table-columns.ts';
import { HeadCell, withText } from '#ui/table-head.tsx';
import { TableTools, type TableWords } from '#ui/table-tools.tsx';
import { useRowStops } from '#ui/use-row-stops.ts';

interface DataTableProps<Row extends RowData> {
	/** Names the table for screen readers and the file. */
	title: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	keyOf: (row: Row) => string;
	/** Opens a row, by press or Enter. */
	onOpen?: (row: Row) => void;
	/** The text without rows. */
	empty: ReactNode;
	/** Without filter and file, for small tables on a page. */
	isPlain?: boolean;
	/** For long names: texts wrap, and the first column has more room on a phone. */
	isTall?: boolean;
	/** The same object while nothing changes. */
	view: TableView;
	onView: (part: Partial<TableView>) => void;
	words: TableWords;
}

/** Of a line, with the space around it. */
const ROW_HEIGHT = 32;
/** Of two lines, and on a phone of three. */
const TALL_HEIGHT = 50;
const TALLEST_HEIGHT = 70;
/** Drawn rows beyond those in view. */
const OVERSCAN = 12;

/** The tracks of the columns, and the height of a row. */
function useMeasures<Row>(columns: readonly Column<Row>[], isTall: boolean) {
	const isWide = useMediaQuery('(width >= 48rem)');
	const { gridTemplateColumns, minWidth } = tracksOf(columns, isTall ? 60 : 45);
	const grid = useMemo(() => ({ gridTemplateColumns }), [gridTemplateColumns]);
	const tallHeight = isWide ? TALL_HEIGHT : TALLEST_HEIGHT;
	return { grid, minWidth, rowHeight: isTall ? tallHeight : ROW_HEIGHT };
}

export function DataTable<Row extends RowData>(props: DataTableProps<Row>): ReactElement {
	const { title, columns, rows, keyOf, onOpen, empty, isPlain = false, isTall = false, view, onView, words } = props;
	const scroller = useRef<HTMLDivElement>(null);
	const head = useRef<HTMLTableSectionElement>(null);
	const definitions = useMemo(() => columns.map(definitionOf), [columns]);
	const state = useMemo(() => stateOf(view), [view]);
	const table = useTable({
		features: TABLE_FEATURES,
		columns: definitions,
		data: rows,
		getRowId: keyOf,
		state,
		getColumnCanGlobalFilter: () => true,
		onSortingChange: (change) => {
			const [sort] = functionalUpdate<SortingState>(change, state.sorting);
			onView({ sort: sort ? { head: sort.id, isDown: sort.desc } : null });
		},
	});
	const shown = table.getRowModel().rows;
	const seen = useMemo(() => columns.filter(({ head: name }) => !view.hidden.includes(name)), [columns, view.hidden]);
	const { grid, minWidth, rowHeight } = useMeasures(seen, isTall);
	// oxlint-disable-next-line react/incompatible-library -- the virtualizer redraws itself when it scrolls
	const virtual = useVirtualizer({
		count: shown.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => rowHeight,
		overscan: OVERSCAN,
		// The head stands over the rows.
		scrollPaddingEnd: head.current?.offsetHeight ?? rowHeight,
	});
	const stops = useRowStops(shown.length, virtual);
	const [isFiltering, setFiltering] = useState(Object.keys(view.where).length > 0);
	const isFiltered = view.filter !== '' || Object.keys(view.where).length > 0;
	return (
		<section aria-label={title} className="data-table">
			{!isPlain && (
				<TableTools
					{...{ title, columns, view, onView, words, isFiltering, setFiltering }}
					count={shown.length}
					rowsNow={() => shown.map(({ original }) => original)}
					seen={seen}
				/>
			)}
			<div
				ref={scroller}
				className="data-table-box"
				data-plain={isPlain || undefined}
				data-tall={isTall || undefined}
				style={{ '--row': `${rowHeight}px` } as CSSProperties}
			>
				<table
					{...(onOpen ? { role: 'grid' } : {})}
					aria-label={title}
					aria-rowcount={shown.length + 1}
					style={{ minWidth }}
				>
					<thead ref={head}>
						<tr aria-rowindex={1} className="data-row" style={grid}>
							{seen.map(({ head: name, isFigure }) => {
								const column = table.getColumn(name);
								return (
									<HeadCell
										key={name}
										{...{ name, words }}
										isFigure={isFigure ?? false}
										sorted={column?.getIsSorted() ?? false}
										onSort={() => column?.toggleSorting()}
										where={isFiltering ? (view.where[name] ?? '') : null}
										onWhere={(text) => onView({ where: withText(view.where, name, text) })}
									/>
								);
							})}
						</tr>
					</thead>
					<tbody style={{ height: virtual.getTotalSize() }} {...(onOpen ? { onKeyDown: stops.move } : {})}>
						{virtual.getVirtualItems().map(({ index, start }) => {
							const row = shown[index];
							return (
								row && (
									<DataRow
										key={row.id}
										row={row.original}
										name={row.id}
										columns={seen}
										{...{ index, start, grid }}
										{...(onOpen ? { onOpen } : {})}
										isStop={index === stops.stop}
										focus={index === stops.active ? stops.focus : null}
										setActive={stops.setActive}
									/>
								)
							);
						})}
					</tbody>
				</table>
				{shown.length === 0 && <p className="data-table-empty">{isFiltered ? words.nothing : empty}</p>}
			</div>
		</section>
	);
}
