/** The cash statement as a file that a spreadsheet opens. */

import { csvOf } from '#values/csv.ts';
import { majorFromMinor } from '#values/money.ts';
import { allPages } from '#web/api/all-pages.ts';
import type { StatementPage } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';

type Row = StatementPage['items'][number];
type Filter = Omit<RequestOf<'getTransactionHistory'>, 'maxResultCount' | 'skipCount'>;

/** @param kinds the words for what moved the money */
export function statementCsv(
	rows: readonly Row[],
	columns: { at: string; kind: string; reference: string; amount: string; balance: string },
	kinds: Readonly<Record<string, string>>,
): string {
	return csvOf(
		[columns.at, columns.kind, columns.reference, columns.amount, columns.balance],
		rows.map(({ at, kind, reference, amount, balanceAfter }) => [
			at,
			kinds[kind] ?? kind,
			reference,
			majorFromMinor(amount).toFixed(2),
			majorFromMinor(balanceAfter).toFixed(2),
		]),
	);
}

/** All rows that match the filter. */
export function allRows(filter: Filter): Promise<Row[]> {
	const step = stepsOfLogin();
	return allPages(
		(paging) => step(() => call('getTransactionHistory', { ...filter, ...paging })),
		({ id }) => id,
	);
}
