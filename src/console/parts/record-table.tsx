/**
 * A table of records: sorted by any column, filtered by what is typed, saved as CSV. Only the rows in view are drawn, so
 * that it scrolls with a hundred thousand.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react';
import { csvOf, download } from '#console/parts/csv.ts';

type Value = string | number | boolean | null;

export interface Column<Row> {
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

export interface RecordTableProps<Row> {
	/** Names the table for screen readers and the file. */
	title: string;
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	keyOf: (row: Row) => string;
	/** Opens a row, by press or Enter. */
	onOpen?: (row: Row) => void;
	/** What is said without rows. */
	empty: string;
	/** Without filter and file, for small tables on a page. */
	isPlain?: boolean;
}

const ROW_HEIGHT = 34;
/** Rows beyond those in view that are drawn. */
const OVERSCAN = 12;

const compare = (one: Value, other: Value): number =>
	typeof one === 'number' && typeof other === 'number'
		? one - other
		: String(one ?? '').localeCompare(String(other ?? ''));

const widthsOf = <Row,>(columns: readonly Column<Row>[]): string =>
	columns.map(({ width = 1 }) => `minmax(0, ${width}fr)`).join(' ');

function useShown<Row>({ columns, rows }: Pick<RecordTableProps<Row>, 'columns' | 'rows'>) {
	const [filter, setFilter] = useState('');
	const [sort, setSort] = useState<{ column: number; isDown: boolean } | null>(null);
	const shown = useMemo(() => {
		const wanted = filter.trim().toLowerCase();
		const found =
			wanted === ''
				? rows
				: rows.filter((row) =>
						columns.some(({ value }) =>
							String(value(row) ?? '')
								.toLowerCase()
								.includes(wanted),
						),
					);
		const column = sort ? columns[sort.column] : undefined;
		if (!column || !sort) return found;
		const sign = sort.isDown ? -1 : 1;
		return [...found].sort((one, other) => sign * compare(column.value(one), column.value(other)));
	}, [columns, rows, filter, sort]);
	const sortBy = (at: number) =>
		setSort((now) =>
			now?.column === at ? (now.isDown ? null : { column: at, isDown: true }) : { column: at, isDown: false },
		);
	return { shown, filter, setFilter, sort, sortBy };
}

export function RecordTable<Row>(props: RecordTableProps<Row>): ReactElement {
	const { title, columns, keyOf, onOpen, empty, isPlain = false } = props;
	const { shown, filter, setFilter, sort, sortBy } = useShown(props);
	const scroller = useRef<HTMLTableSectionElement>(null);
	// oxlint-disable-next-line react/incompatible-library -- the virtualizer draws anew by itself when it scrolls
	const virtual = useVirtualizer({
		count: shown.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => ROW_HEIGHT,
		overscan: OVERSCAN,
	});
	const grid = { gridTemplateColumns: widthsOf(columns) };
	const save = () =>
		download(
			`${title.toLowerCase().replaceAll(' ', '-')}.csv`,
			csvOf(
				columns.map(({ head }) => head),
				shown.map((row) => columns.map(({ value }) => value(row))),
			),
		);
	return (
		<section aria-label={title}>
			{!isPlain && (
				<div className="table-tools">
					<input
						type="search"
						placeholder={`Filter ${title.toLowerCase()}`}
						aria-label={`Filter ${title.toLowerCase()}`}
						value={filter}
						onChange={(event) => setFilter(event.target.value)}
					/>
					<span className="muted">{shown.length === 1 ? '1 row' : `${shown.length} rows`}</span>
					<button type="button" onClick={save}>
						Save as CSV
					</button>
				</div>
			)}
			<div className="table-box">
				<table aria-label={title} aria-rowcount={shown.length + 1}>
					<thead>
						<tr aria-rowindex={1} className="table-row table-head" style={grid}>
							{columns.map(({ head, isFigure }, at) => (
								<th key={head} scope="col" className={isFigure ? 'figure' : ''} aria-sort={sortOf(sort, at)}>
									<button type="button" onClick={() => sortBy(at)}>
										{head}
										{sort?.column === at && <span aria-hidden="true">{sort.isDown ? ' ▾' : ' ▴'}</span>}
									</button>
								</th>
							))}
						</tr>
					</thead>
					<tbody ref={scroller} className={isPlain ? 'table-body plain' : 'table-body'}>
						<tr className="table-space" style={{ height: virtual.getTotalSize() }} aria-hidden="true" />
						{virtual.getVirtualItems().map(({ index, start }) => {
							const row = shown[index] as Row;
							const open = onOpen
								? { tabIndex: 0, onClick: () => onOpen(row), onKeyDown: onEnter(() => onOpen(row)) }
								: {};
							return (
								<tr
									key={keyOf(row)}
									aria-rowindex={index + 2}
									className={onOpen ? 'table-row opens' : 'table-row'}
									style={{ ...grid, transform: `translateY(${start}px)` }}
									{...open}
								>
									{columns.map(({ head, value, show, isFigure }) => (
										<td key={head} className={isFigure ? 'figure' : ''} title={String(value(row) ?? '')}>
											{show ? show(row) : String(value(row) ?? '')}
										</td>
									))}
								</tr>
							);
						})}
					</tbody>
				</table>
				{shown.length === 0 && <p className="empty">{filter === '' ? empty : 'Nothing matches the filter.'}</p>}
			</div>
		</section>
	);
}

const sortOf = (sort: { column: number; isDown: boolean } | null, at: number) =>
	sort?.column === at ? (sort.isDown ? 'descending' : 'ascending') : 'none';

const onEnter = (open: () => void) => (event: KeyboardEvent) => {
	if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
	event.preventDefault();
	open();
};
