/** Saves all pages of a list as a file, where the table's own button saves the page that is shown. */
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';
import { saveText } from '#ui/save-text.ts';
import type { Column } from '#ui/table-columns.ts';
import { csvOf } from '#values/csv.ts';

/** A spreadsheet takes more, but each page is counted again on the server. */
const MOST_PAGES = 100;
const PAGE = 500;

interface Page<Row> {
	rows: Row[];
	/** What the next page is asked with; null on the last one. */
	next: string | null;
}

interface SaveAllPagesProps<Row> {
	/** Of the file. */
	name: string;
	columns: readonly Column<Row>[];
	pageOf: (before: string) => Promise<Page<Row>>;
}

/** All pages as a file, the newest first; what is recorded meanwhile is newer than all of them. */
async function fileOf<Row>({ columns, pageOf }: SaveAllPagesProps<Row>): Promise<{ text: string; isWhole: boolean }> {
	const rows: Row[] = [];
	let before: string | null = '';
	for (let page = 0; page < MOST_PAGES && before !== null; page++) {
		const answer: Page<Row> = await pageOf(before);
		rows.push(...answer.rows);
		before = answer.next;
	}
	const text = csvOf(
		columns.map(({ head }) => head),
		rows.map((row) => columns.map(({ value }) => value(row))),
	);
	return { text, isWhole: before === null };
}

export function SaveAllPages<Row>(props: SaveAllPagesProps<Row>): ReactElement {
	const saving = useMutation({
		mutationFn: () => fileOf(props),
		onSuccess: ({ text }) => saveText(props.name, text),
	});
	return (
		<>
			<Button disabled={saving.isPending} onClick={() => saving.mutate()}>
				{saving.isPending ? 'Reading all pages …' : 'Save all pages as CSV'}
			</Button>
			{saving.data?.isWhole === false && <output>The file has the newest {MOST_PAGES * PAGE} alone.</output>}
			<Problem error={saving.error} />
		</>
	);
}
