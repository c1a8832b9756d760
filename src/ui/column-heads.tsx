import type { ReactElement } from 'react';

/** The head of a table, a column each. */
export function ColumnHeads({ columns }: { columns: Readonly<Record<string, string>> }): ReactElement {
	return (
		<thead>
			<tr>
				{Object.values(columns).map((column) => (
					<th key={column} scope="col">
						{column}
					</th>
				))}
			</tr>
		</thead>
	);
}
