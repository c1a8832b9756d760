/** All rows of a record, for a file: one that ends where the screen does would be a lie. */

/** As many rows as one answer may hold, and as many as a file may. */
const PAGE = 200;
const MOST_ROWS = 20_000;

interface Paging {
	maxResultCount: string;
	skipCount: string;
}

/**
 * Asks page by page, the newest rows first. Rows that come in meanwhile push others onto the next page; each stands once
 * in the result.
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
