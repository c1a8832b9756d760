/** All rows of a record, for a file: a file must not end where the screen does. */

/** The largest number of rows in one answer, and in a file. */
const PAGE = 200;
const MOST_ROWS = 20_000;

interface Paging {
	maxResultCount: string;
	skipCount: string;
}

/**
 * Requests page by page, newest rows first. New rows meanwhile push others onto the next page; each occurs once in the
 * result.
 */
export async function allPages<Row>(
	pageOf: (paging: Paging) => Promise<{ items: readonly Row[] }>,
	idOf: (row: Row) => string,
): Promise<Row[]> {
	const rows = new Map<string, Row>();
	for (let skip = 0; skip < MOST_ROWS; skip += PAGE) {
		const { items } = await pageOf({ maxResultCount: String(PAGE), skipCount: String(skip) });
		for (const row of items) if (!rows.has(idOf(row))) rows.set(idOf(row), row);
		if (items.length < PAGE) break;
	}
	return [...rows.values()];
}
