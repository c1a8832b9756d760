import type { ReactElement } from 'react';
import { FilterText } from '#ui/filter-text.tsx';

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;
const MARKS = { asc: ' ▴', desc: ' ▾' } as const;

/** Texts of single columns with one that changed; a column without a text has none. */
export function withText(where: Readonly<Record<string, string>>, name: string, text: string): Record<string, string> {
	const others = Object.fromEntries(Object.entries(where).filter(([other]) => other !== name));
	return text === '' ? others : { ...others, [name]: text };
}

/** The head of a column: a press sorts by it, and where columns are filtered it has the field for that. */
export function HeadCell({
	name,
	isFigure,
	sorted,
	onSort,
	where,
	onWhere,
	words,
}: {
	name: string;
	isFigure: boolean;
	sorted: 'asc' | 'desc' | false;
	/** Upwards, then downwards, then as the rows came. */
	onSort: () => void;
	/** What the column's cells have to have; null while columns are not filtered. */
	where: string | null;
	onWhere: (text: string) => void;
	words: { filterBy: (name: string) => string };
}): ReactElement {
	return (
		<th scope="col" data-number={isFigure || undefined} aria-sort={sorted ? DIRECTIONS[sorted] : 'none'}>
			<button type="button" title={name} onClick={onSort}>
				{name}
				{sorted && <span aria-hidden="true">{MARKS[sorted]}</span>}
			</button>
			{where !== null && <FilterText label={words.filterBy(name)} value={where} onText={onWhere} />}
		</th>
	);
}
