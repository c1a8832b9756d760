import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Asked, Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** A list's filter and its current page; another filter starts at the newest row. */
export function usePagedFilter<Filter>(first: Filter) {
	const [filter, setFilter] = useState(first);
	const [skip, setSkip] = useState(0);
	function change(part: Partial<Filter>): void {
		setFilter({ ...filter, ...part });
		setSkip(0);
	}
	return { filter, change, skip, setSkip };
}

/** Of a record, and whether it was asked for since its screen was opened. */
interface AskedRecord<Data> extends Asked<Data> {
	isFetchedAfterMount: boolean;
}

/**
 * The answer that is shown. One of an earlier visit is not, as the rows that came since would move it a moment later;
 * rows that come while this one is looked at wait until they are asked for, for the same reason.
 */
function useStillRows<Data extends { totalCount: number }>({ data, error, isFetchedAfterMount }: AskedRecord<Data>) {
	const newest = isFetchedAfterMount || error ? data : undefined;
	const [shown, setShown] = useState(newest);
	const added = newest && shown ? Math.max(0, newest.totalCount - shown.totalCount) : 0;
	if (newest !== shown && added === 0) setShown(newest);
	return { shown, added, show: () => setShown(newest) };
}

/** A screen for a record: its filters, the matching rows a page at a time, and the links to older pages. */
export function RecordScreen<Data extends { totalCount: number; items: readonly unknown[] }>({
	title,
	beside = null,
	filters,
	asked,
	empty,
	page,
	words,
	children,
}: {
	title: string;
	/** Another list, for those who look for what is not in this one, or the file of this one. */
	beside?: ReactNode;
	filters: ReactNode;
	asked: AskedRecord<Data>;
	/** Shown when nothing matches; the hint is optional. */
	empty: { title: string; hint: string | null };
	page: { size: number; skip: number; onSkip: (skip: number) => void };
	words: {
		filters: string;
		failed: string;
		retry: string;
		newer: string;
		older: string;
		range: (from: number, to: number, of: number) => string;
		added: (count: number) => string;
	};
	children: (data: Data) => ReactNode;
}): ReactElement {
	const { shown, added, show } = useStillRows(asked);
	return (
		<div className="screen">
			<div className="screen-head">
				<h1 className="screen-title">{title}</h1>
				{beside}
			</div>
			<fieldset className="filters" aria-label={words.filters}>
				{filters}
			</fieldset>
			<output className="rows-added">
				{added > 0 && (
					<Button size="small" variant="primary" onClick={show}>
						{words.added(added)}
					</Button>
				)}
			</output>
			<Loaded
				asked={{ data: shown, error: asked.error }}
				words={words}
				waiting={<Skeleton className="h-64 w-full" />}
				isEmpty={({ items }) => items.length === 0}
				empty={
					<ScreenState icon="receipt" title={empty.title}>
						{empty.hint}
					</ScreenState>
				}
			>
				{children}
			</Loaded>
			<Pager {...page} total={shown?.totalCount ?? 0} words={words} />
		</div>
	);
}
