import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { FilterText } from '#ui/filter-text.tsx';
import { saveText } from '#ui/save-text.ts';
import type { Column, TableView } from '#ui/table-columns.ts';
import { csvOf } from '#values/csv.ts';

export interface TableWords {
	/** Names the field for a text that any column has. */
	filter: (title: string) => string;
	filterBy: (head: string) => string;
	byColumn: string;
	columns: string;
	rows: (count: number) => string;
	save: string;
	/** Said when the filter leaves no row. */
	nothing: string;
}

interface TableToolsProps<Row> {
	title: string;
	columns: readonly Column<Row>[];
	/** Columns that are shown. */
	seen: readonly Column<Row>[];
	/** Of the rows that the filter leaves. */
	count: number;
	/** These rows, as they are sorted. */
	rowsNow: () => readonly Row[];
	view: TableView;
	onView: (part: Partial<TableView>) => void;
	isFiltering: boolean;
	setFiltering: (isFiltering: boolean) => void;
	words: TableWords;
}

/** What stands above a table: the filter, how many rows it leaves, which columns are shown, and the file. */
export function TableTools<Row>(props: TableToolsProps<Row>): ReactElement {
	const { title, columns, seen, count, rowsNow, view, onView, isFiltering, setFiltering, words } = props;
	const save = () =>
		saveText(
			`${title.toLowerCase().replaceAll(' ', '-')}.csv`,
			csvOf(
				seen.map(({ head }) => head),
				rowsNow().map((row) => seen.map(({ value }) => value(row))),
			),
		);
	const filterByColumn = () => {
		setFiltering(!isFiltering);
		if (isFiltering) onView({ where: {} });
	};
	return (
		<div className="table-tools">
			<FilterText
				label={words.filter(title)}
				placeholder={words.filter(title)}
				value={view.filter}
				onText={(filter) => onView({ filter })}
			/>
			<span className="text-muted">{words.rows(count)}</span>
			<span className="table-tools-end">
				<Button size="small" variant="ghost" aria-pressed={isFiltering} onClick={filterByColumn}>
					{words.byColumn}
				</Button>
				<ColumnMenu {...{ columns, seen, words }} onHide={(hidden) => onView({ hidden })} />
				<Button size="small" variant="ghost" onClick={save}>
					{words.save}
				</Button>
			</span>
		</div>
	);
}

/** Which columns are shown; the first one always is. */
function ColumnMenu<Row>({
	columns,
	seen,
	onHide,
	words,
}: Pick<TableToolsProps<Row>, 'columns' | 'seen' | 'words'> & { onHide: (hidden: string[]) => void }): ReactElement {
	const menu = useRef<HTMLDetailsElement>(null);
	const [isOpen, setOpen] = useState(false);
	const isSeen = (column: Column<Row>) => seen.includes(column);
	const turn = (column: Column<Row>) =>
		onHide(columns.filter((one) => (one === column ? isSeen(one) : !isSeen(one))).map(({ head }) => head));
	const close = (event: KeyboardEvent) => {
		if (event.key !== 'Escape' || !menu.current?.open) return;
		event.stopPropagation();
		menu.current.open = false;
		menu.current.querySelector('summary')?.focus();
	};
	return (
		// oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- leaving it by key or focus closes it
		<details
			ref={menu}
			className="column-menu"
			onKeyDown={close}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
			onBlur={({ currentTarget, relatedTarget }) => {
				if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
			}}
		>
			<summary className="button" data-variant="ghost" data-size="small">
				{words.columns}
			</summary>
			{isOpen && (
				<fieldset aria-label={words.columns}>
					{columns.slice(1).map((column) => (
						<label key={column.head}>
							<input type="checkbox" checked={isSeen(column)} onChange={() => turn(column)} />
							{column.head}
						</label>
					))}
				</fieldset>
			)}
		</details>
	);
}
