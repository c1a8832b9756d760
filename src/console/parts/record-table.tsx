/**
 * A table of records: sorted by any column, filtered by what is typed, saved as CSV. Only the rows in view are drawn, so
 * that it scrolls with a hundred thousand. Rows that open something are a grid: one of them is reached by Tab, the
 * others by the arrow keys.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
	type CSSProperties,
	type KeyboardEvent,
	memo,
	type ReactElement,
	type ReactNode,
	useCallback,
	useMemo,
	useRef,
	useState,
} from 'react';
import { download } from '#console/parts/download.ts';
import { type Sort, useTableState } from '#console/parts/table-state.ts';
import { csvOf } from '#values/csv.ts';

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

interface RecordTableProps<Row> {
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

/** The rows that match the filter, sorted. */
function shownOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], filter: string, sort: Sort | null): Row[] {
	const wanted = filter.trim().toLowerCase();
	const matches = (row: Row) =>
		columns.some(({ value }) =>
			String(value(row) ?? '')
				.toLowerCase()
				.includes(wanted),
		);
	const found = wanted === '' ? [...rows] : rows.filter(matches);
	const column = columns.find(({ head }) => head === sort?.head);
	if (!column || !sort) return found;
	const sign = sort.isDown ? -1 : 1;
	return found.sort((one, other) => sign * compare(column.value(one), column.value(other)));
}

/** How far a key moves along the rows. */
const MOVES: Readonly<Record<string, number>> = {
	ArrowDown: 1,
	ArrowUp: -1,
	PageDown: 15,
	PageUp: -15,
	Home: Number.NEGATIVE_INFINITY,
	End: Number.POSITIVE_INFINITY,
};

/** Which row has the focus, or is reached by Tab. */
function useActiveRow(count: number, virtual: Virtualizer<HTMLTableSectionElement, Element>) {
	const [active, setActive] = useState(0);
	const isMoving = useRef(false);
	const drawn = virtual.getVirtualItems();
	const isDrawn = drawn.some(({ index }) => index === active);
	const stop = isDrawn ? active : (drawn[0]?.index ?? 0);
	const move = (event: KeyboardEvent) => {
		const by = MOVES[event.key];
		if (by === undefined || count === 0) return;
		event.preventDefault();
		const next = Math.min(count - 1, Math.max(0, stop + by));
		isMoving.current = true;
		virtual.scrollToIndex(next);
		setActive(next);
	};
	/** The row that a key moved to takes the focus once it is drawn. */
	const focus = useCallback((row: HTMLTableRowElement | null) => {
		if (!row || !isMoving.current) return;
		isMoving.current = false;
		row.focus({ preventScroll: true });
	}, []);
	return { active, stop, move, focus, setActive };
}

interface RowProps<Row> extends Pick<RecordTableProps<Row>, 'columns' | 'onOpen'> {
	row: Row;
	index: number;
	/** Pixels from the top of the table's body. */
	start: number;
	grid: CSSProperties;
	/** Tab reaches this row. */
	isStop: boolean;
	/** Takes the focus when a key moved to this row. */
	focus: ((row: HTMLTableRowElement | null) => void) | null;
	setActive: (index: number) => void;
}

/** Drawn once while it is in view: each frame of a scroll draws the rows that come into view and no other. */
const RecordRow = memo(function RecordRow<Row>(props: RowProps<Row>): ReactElement {
	const { row, index, start, columns, grid, onOpen, isStop, focus, setActive } = props;
	const open = onOpen && {
		tabIndex: isStop ? 0 : -1,
		ref: focus,
		onFocus: () => setActive(index),
		onClick: () => onOpen(row),
		onKeyDown: onEnter(() => onOpen(row)),
	};
	return (
		<tr
			aria-rowindex={index + 2}
			className={onOpen ? 'table-row opens' : 'table-row'}
			style={{ ...grid, transform: `translateY(${start}px)` }}
			{...open}
		>
			{columns.map(({ head, value, show, isFigure }) => {
				const text = String(value(row) ?? '');
				return (
					<td key={head} className={isFigure ? 'figure' : ''} title={text}>
						{show ? show(row) : text}
					</td>
				);
			})}
		</tr>
	);
}) as <Row>(props: RowProps<Row>) => ReactElement;

export function RecordTable<Row>(props: RecordTableProps<Row>): ReactElement {
	const { title, columns, keyOf, onOpen, empty, isPlain = false } = props;
	const { filter, setFilter, sort, sortBy } = useTableState(!isPlain);
	const shown = useMemo(
		() => shownOf(columns, props.rows, filter, sort),
		// The sort is made anew from the address with each drawing.
		// oxlint-disable-next-line react/exhaustive-deps
		[columns, props.rows, filter, sort?.head, sort?.isDown],
	);
	const scroller = useRef<HTMLTableSectionElement>(null);
	// oxlint-disable-next-line react/incompatible-library -- the virtualizer draws anew by itself when it scrolls
	const virtual = useVirtualizer({
		count: shown.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => ROW_HEIGHT,
		overscan: OVERSCAN,
	});
	const { active, stop, move, focus, setActive } = useActiveRow(shown.length, virtual);
	const grid = useMemo(() => ({ gridTemplateColumns: widthsOf(columns) }), [columns]);
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
				<table {...(onOpen ? { role: 'grid' } : {})} aria-label={title} aria-rowcount={shown.length + 1}>
					<thead>
						<tr aria-rowindex={1} className="table-row table-head" style={grid}>
							{columns.map(({ head, isFigure }) => (
								<th key={head} scope="col" className={isFigure ? 'figure' : ''} aria-sort={sortOf(sort, head)}>
									<button type="button" onClick={() => sortBy(head)}>
										{head}
										{sort?.head === head && <span aria-hidden="true">{sort.isDown ? ' ▾' : ' ▴'}</span>}
									</button>
								</th>
							))}
						</tr>
					</thead>
					<tbody
						ref={scroller}
						className={isPlain ? 'table-body plain' : 'table-body'}
						{...(onOpen ? { onKeyDown: move } : {})}
					>
						<tr className="table-space" style={{ height: virtual.getTotalSize() }} aria-hidden="true" />
						{virtual.getVirtualItems().map(({ index, start }) => {
							const row = shown[index] as Row;
							return (
								<RecordRow
									key={keyOf(row)}
									{...{ row, index, start, columns, grid, setActive }}
									{...(onOpen ? { onOpen } : {})}
									isStop={index === stop}
									focus={index === active ? focus : null}
								/>
							);
						})}
					</tbody>
				</table>
				{shown.length === 0 && <p className="empty">{filter === '' ? empty : 'Nothing matches the filter.'}</p>}
			</div>
		</section>
	);
}

const sortOf = (sort: Sort | null, head: string) =>
	sort?.head === head ? (sort.isDown ? 'descending' : 'ascending') : 'none';

const onEnter = (open: () => void) => (event: KeyboardEvent) => {
	if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
	event.preventDefault();
	open();
};
