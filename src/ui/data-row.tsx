import { type CSSProperties, type KeyboardEvent, memo, type ReactElement } from 'react';
import type { Column } from '#ui/table-columns.ts';

interface DataRowProps<Row> {
	row: Row;
	/** Of its record, for keys of a screen. */
	name: string;
	columns: readonly Column<Row>[];
	onOpen?: (row: Row) => void;
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

/** A row of a table, drawn once while it is in view: each frame of a scroll draws the rows that come into view alone. */
export const DataRow = memo(function DataRow<Row>(props: DataRowProps<Row>): ReactElement {
	const { row, name, index, start, columns, grid, onOpen, isStop, focus, setActive } = props;
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
			className="data-row"
			data-key={name}
			data-opens={onOpen ? true : undefined}
			style={{ ...grid, transform: `translateY(${start}px)` }}
			{...open}
		>
			{columns.map(({ head, value, show, isFigure }) => {
				const text = String(value(row) ?? '');
				return (
					<td key={head} data-number={isFigure || undefined} title={text}>
						{show ? show(row) : text}
					</td>
				);
			})}
		</tr>
	);
}) as <Row>(props: DataRowProps<Row>) => ReactElement;

const onEnter = (open: () => void) => (event: KeyboardEvent) => {
	if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
	event.preventDefault();
	open();
};
