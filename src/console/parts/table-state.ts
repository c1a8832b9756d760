/** Filter and sort of a screen's table, kept in its address, so that it can be sent to a colleague. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

export interface Sort {
	/** The column's head. */
	head: string;
	isDown: boolean;
}

interface TableState {
	filter: string;
	sort: Sort | null;
	setFilter: (filter: string) => void;
	/** Upwards, then downwards, then as it came. */
	sortBy: (head: string) => void;
}

const sortFrom = (text: string): Sort | null =>
	text === '' ? null : { head: text.replace(/^-/, ''), isDown: text.startsWith('-') };

function nextSort(sort: Sort | null, head: string): string {
	if (sort?.head !== head) return head;
	return sort.isDown ? '' : `-${head}`;
}

/** @param isOfScreen false for a small table beside others, whose state stays in memory */
export function useTableState(isOfScreen: boolean): TableState {
	const navigate = useNavigate();
	const search = useSearch({ from: '__root__' });
	const [kept, setKept] = useState({ filter: '', sort: '' });
	const filter = isOfScreen ? (search.filter ?? '') : kept.filter;
	const sort = sortFrom(isOfScreen ? (search.sort ?? '') : kept.sort);
	const change = (changed: { filter?: string; sort?: string }) => {
		if (!isOfScreen) {
			setKept((before) => ({ ...before, ...changed }));
			return;
		}
		const given = Object.entries(changed).map(([name, value]) => [name, value === '' ? undefined : value]);
		void navigate({
			to: '.',
			search: (before: Record<string, unknown>) => ({ ...before, ...Object.fromEntries(given) }),
			replace: true,
		});
	};
	return {
		filter,
		sort,
		setFilter: (wanted) => change({ filter: wanted }),
		sortBy: (head) => change({ sort: nextSort(sort, head) }),
	};
}
