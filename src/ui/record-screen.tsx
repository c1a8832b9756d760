import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Pager } from '#ui/pager.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type AskedRecord, type RecordPage, useStillRows } from '#ui/still-rows.ts';

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

/** Shows the rows that came. It goes by itself when a shown row changes; the heading then takes its focus. */
function ShowAdded({
	label,
	heading,
	onPress,
}: {
	label: string;
	heading: RefObject<HTMLElement | null>;
	onPress: () => void;
}): ReactElement {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		const [shown, title] = [button.current, heading.current];
		return () => {
			if (shown === document.activeElement) title?.focus();
		};
	}, [heading]);
	return (
		<Button ref={button} size="small" variant="primary" onClick={onPress}>
			{label}
		</Button>
	);
}

/** A screen for a record: its filters, the matching rows a page at a time, and the links to older pages. */
export function RecordScreen<Data extends RecordPage>({
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
	const heading = useRef<HTMLHeadingElement>(null);
	/** They are the newest, so they are seen from the top. */
	function showAdded(): void {
		show();
		page.onSkip(0);
		heading.current?.focus();
	}
	return (
		<div className="screen">
			<div className="screen-head">
				<h1 ref={heading} tabIndex={-1} className="screen-title">
					{title}
				</h1>
				{beside}
			</div>
			<fieldset className="filters" aria-label={words.filters}>
				{filters}
			</fieldset>
			<output className="rows-added">
				{added > 0 && <ShowAdded label={words.added(added)} heading={heading} onPress={showAdded} />}
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
