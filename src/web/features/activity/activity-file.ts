/** The account's activity as a file that a spreadsheet opens. */

import { csvOf } from '#values/csv.ts';
import { majorFromMinor } from '#values/money.ts';
import { allPages } from '#web/api/all-pages.ts';
import type { ActivityPage } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import type { RequestOf } from '#web/api/units.ts';
import { activityWords } from '#web/features/activity/activity-words.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';
import { ACTIVITY_TEXTS } from '#web/texts/more.ts';

type Row = ActivityPage['items'][number];

export function activityCsv(rows: readonly Row[]): string {
	const { at, kind, reference, amount, userIp } = ACTIVITY_TEXTS.columns;
	return csvOf(
		[at, kind, reference, amount, userIp],
		rows.map((row) => [
			row.at,
			activityWords(row),
			row.reference,
			row.amount === null ? '' : majorFromMinor(row.amount).toFixed(2),
			row.userIp ?? '',
		]),
	);
}

/** All rows that match the filter. */
export function allActivity(filter: Omit<RequestOf<'getActivity'>, 'maxResultCount' | 'skipCount'>): Promise<Row[]> {
	const step = stepsOfLogin();
	return allPages(
		(paging) => step(() => call('getActivity', { ...filter, ...paging })),
		({ id }) => id,
	);
}
