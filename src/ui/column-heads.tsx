import type { ReactElement } from 'react';

/** The head of a table, a column each. */
export function ColumnHeads<Column extends string>({
	columns,
	numbers,
}: {
	columns: Readonly<Record<Column, string>>;
	/** Columns of figures, which are set against the right edge as their cells are (`data-number`). */
	numbers?: readonly NoInfer<Column>[];
}): ReactElement {
	return (
		<thead>
			<tr>
				{(Object.keys(columns) as Column[]).map((column) => (
					<th key={column} scope="col" data-number={numbers?.includes(column) || undefined}>
						{columns[column]}
					</th>
				))}
			</tr>
		</thead>
	);
}
