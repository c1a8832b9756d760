/** What a reader chose of a screen's table, kept in its address, so that it can be sent to a colleague and saved. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TableView } from '#ui/table-columns.ts';

/** Fields of the address. */
export const TABLE_FIELDS = ['filter', 'sort', 'hide', 'where'] as const;
type Texts = { [Field in (typeof TABLE_FIELDS)[number]]?: string };

/** Stands in no column's head. */
const BETWEEN = '~';

const viewFrom = ({ filter, sort, hide, where }: Required<Texts>): TableView => ({
	filter,
	sort: sort === '' ? null : { head: sort.replace(/^-/, ''), isDown: sort.startsWith('-') },
	hidden: hide === '' ? [] : hide.split(BETWEEN),
	where: Object.fromEntries(new URLSearchParams(where)),
});

const textsOf = ({ filter, sort, hidden, where }: TableView): Required<Texts> => ({
	filter,
	sort: sort ? `${sort.isDown ? '-' : ''}${sort.head}` : '',
	hide: hidden.join(BETWEEN),
	where: new URLSearchParams(where).toString(),
});

/** @param isOfScreen false for a table beside others, whose view stays in memory */
export function useTableView(isOfScreen: boolean) {
	const navigate = useNavigate();
	const search: Texts = useSearch({ from: '__root__' });
	const [kept, setKept] = useState<Texts>({});
	const { filter = '', sort = '', hide = '', where = '' } = isOfScreen ? search : kept;
	// The same object while nothing changes: the rows are sorted and filtered again only for another object.
	const view = useMemo(() => viewFrom({ filter, sort, hide, where }), [filter, sort, hide, where]);
	const onView = (part: Partial<TableView>) => {
		const texts = textsOf({ ...view, ...part });
		if (!isOfScreen) {
			setKept(texts);
			return;
		}
		const given = Object.entries(texts).map(([name, text]) => [name, text === '' ? undefined : text]);
		void navigate({
			to: '.',
			search: (before: Record<string, unknown>) => ({ ...before, ...Object.fromEntries(given) }),
			replace: true,
		});
	};
	return { view, onView };
}
