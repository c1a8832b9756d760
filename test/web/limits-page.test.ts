/** How the page of limits offers a limit of deposits beside the others. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LIMIT_NAMES } from '#contract/calls/protection.ts';
import { minorOf } from '#values/money.ts';
import { LimitList } from '#web/features/protection/limit-list.tsx';
import type { Protection } from '#web/store/protection-queries.ts';

function rowsUnder(depositFrames: Protection['depositFrames']): string[] {
	const limits = LIMIT_NAMES.map((name) => ({ name, limit: minorOf(50_000), used: minorOf(0), raise: null }));
	const list = renderToStaticMarkup(createElement(LimitList, { limits, depositFrames }));
	return list
		.split('<li ')
		.slice(1)
		.map((row) => row.slice(0, row.indexOf('</li>')));
}
const nameOf = (row: string) => /font-semibold">([^<]*)</.exec(row)?.[1] ?? '';

it('deposit limits come first, are called so over the days of a calendar, and look like every other limit', () => {
	const rows = rowsUnder('calendar');
	expect(rows.map(nameOf).slice(0, 3)).toEqual([
		'Deposit limit of a calendar day',
		'Deposit limit of a calendar week',
		'Deposit limit of a calendar month',
	]);
	expect(rows.length).toBe(LIMIT_NAMES.length);
	expect(new Set(rows.map((row) => row.replaceAll(nameOf(row), 'NAME'))).size).toBe(1);
	expect(rowsUnder('rolling').filter((row) => nameOf(row).includes('limit'))).toEqual([]);
});
