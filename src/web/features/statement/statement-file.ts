/** The cash statement as a file that a spreadsheet opens. */

import { majorFromPaise } from '#values/money.ts';
import type { StatementPage } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';

type Row = StatementPage['items'][number];
type Filter = Omit<RequestOf<'getTransactionHistory'>, 'maxResultCount' | 'skipCount'>;

/** As many rows as one answer may hold, and as many as a file may. */
const PAGE = 200;
const MOST_ROWS = 20_000;

/** A cell of RFC 4180; text that a spreadsheet would run as a formula is escaped. */
function cell(value: string | number): string {
	const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param kinds the words for what moved the money */
export function statementCsv(
	rows: readonly Row[],
	columns: { at: string; kind: string; reference: string; amount: string; balance: string },
	kinds: Readonly<Record<string, string>>,
): string {
	const head = [columns.at, columns.kind, columns.reference, columns.amount, columns.balance];
	const lines = rows.map(({ at, kind, reference, amount, balanceAfter }) => [
		at,
		kinds[kind] ?? kind,
		reference,
		majorFromPaise(amount).toFixed(2),
		majorFromPaise(balanceAfter).toFixed(2),
	]);
	// Amounts are numbers, and stay what they are.
	const written = lines.map(([at = '', kind = '', reference = '', ...amounts]) =>
		[...[at, kind, reference].map(cell), ...amounts].join(','),
	);
	return `${[head.map(cell).join(','), ...written].join('\r\n')}\r\n`;
}

/** All rows that match the filter, page by page. */
export async function allRows(filter: Filter): Promise<Row[]> {
	const rows: Row[] = [];
	for (;;) {
		const answer = await call('getTransactionHistory', {
			...filter,
			maxResultCount: String(PAGE),
			skipCount: String(rows.length),
		});
		rows.push(...answer.items);
		if (answer.items.length < PAGE || rows.length >= MOST_ROWS) return rows;
	}
}
