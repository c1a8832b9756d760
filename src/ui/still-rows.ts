/** Rows of a record hold still while they are looked at: those that come wait until they are asked for. */
import { useState } from 'react';
import type { Asked } from '#ui/loaded.tsx';

export interface RecordPage {
	totalCount: number;
	items: readonly unknown[];
}

/** Of a record, and whether it was asked for since its screen was opened or its question changed. */
export interface AskedRecord<Page> extends Asked<Page> {
	isFetchedAfterMount: boolean;
	isFetching: boolean;
}

/**
 * How many rows came between two answers to one question. None are said to have come where the rest of the page is not
 * as it was: what changed or left has to be seen, and rows of another page move nothing here. The first rows move none,
 * and the screen says no longer that there is nothing.
 */
export function rowsAdded(shown: RecordPage, newest: RecordPage): number {
	if (shown.items.length === 0) return 0;
	const added = newest.totalCount - shown.totalCount;
	const known = new Set(shown.items.map((row) => JSON.stringify(row)));
	const unknown = newest.items.filter((row) => !known.has(JSON.stringify(row))).length;
	return unknown > 0 && unknown <= added ? added : 0;
}

/**
 * The answer that is shown. One of an earlier visit is not, as the rows that came since would move it a moment later,
 * unless no newer one can be had. Until another question has its answer there is none, so that two are never compared.
 */
export function useStillRows<Page extends RecordPage>(asked: AskedRecord<Page>) {
	const { data, error, isFetchedAfterMount, isFetching } = asked;
	const newest = isFetchedAfterMount || error || !isFetching ? data : undefined;
	const [shown, setShown] = useState(newest);
	const added = newest && shown && newest !== shown ? rowsAdded(shown, newest) : 0;
	if (newest !== shown && added === 0) setShown(newest);
	return { shown, added, show: () => setShown(newest) };
}
