/** When new rows of a record wait to be asked for, and when an answer is shown at once. */
import { describe, expect, it } from 'vitest';
import { type RecordPage, rowsAdded } from '#ui/still-rows.ts';

const row = (id: number, state = 'WON') => ({ id, state });
const page = (items: object[], totalCount = items.length): RecordPage => ({ totalCount, items });

const three = page([row(3), row(2), row(1)]);

describe('rows of a record', () => {
	it.each([
		['that come at its head', page([row(5), row(4), ...three.items.map((item) => ({ ...(item as object) }))]), 2],
		['that come among the others', page([row(3), row(9), row(2), row(1)]), 1],
		['of which the oldest go over to the next page', page([row(5), row(4), row(3)], 5), 2],
		['that come in more than a page', page([row(9), row(8), row(7)], 9), 6],
	])('wait %s', (_, newest, added) => {
		expect(rowsAdded(three, newest)).toBe(added);
	});

	it.each([
		['the same', page([row(3), row(2), row(1)])],
		['less', page([row(3), row(1)])],
		['changed', page([row(3), row(2, 'VOID'), row(1)])],
		['changed while another came', page([row(4), row(3), row(2, 'VOID'), row(1)])],
		['gone while as many came', page([row(4), row(3), row(2)])],
		['gone while more came', page([row(5), row(4), row(3), row(2)])],
		['added to on another page', page([row(3), row(2), row(1)], 4)],
	])('are shown at once when they are %s', (_, newest) => {
		expect(rowsAdded(three, newest)).toBe(0);
	});

	it('are shown at once when they are the first', () => {
		expect(rowsAdded(page([]), three)).toBe(0);
	});
});
