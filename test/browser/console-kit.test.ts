/**
 * What every screen of the console is built of, in a real browser: the table, dialogs, the palette and forms.
 *
 * @module-tag thorough
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';

/** More rows than a phone shows at once. */
const MATCHES = ['India v Nepal', 'Oman v Qatar', ...Array.from({ length: 28 }, (_, at) => `Side ${at} v Other`)];

let server: TestServer;
let desk: Desk;
let match: TestMatch;
let page: Page;

beforeAll(async () => {
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
	const [first = '', ...others] = MATCHES;
	match = await openTestMatch(server, { title: first });
	for (const title of others) await openTestMatch(server, { title });
	page = await desk.member('tara', ['owner']);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
});

const table = () => page.getByRole('grid', { name: 'Events' });
const heads = () => table().locator('th > button').allInnerTexts();
/** The values of the rows in view, as they are sorted by and saved. */
const rowsSeen = (): Promise<string[][]> =>
	table()
		.locator('tbody tr')
		.evaluateAll((rows) =>
			rows
				.sort((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
				.map((row) => [...row.querySelectorAll('td')].map(({ title }) => title)),
		);
const firstColumn = async () => (await rowsSeen()).map(([first]) => first);
/** By the letters' codes, as these titles need no other order. */
const found = (text: string) => MATCHES.filter((title) => title.toLowerCase().includes(text));

describe('a table', () => {
	it('is sorted, filtered and narrowed; its address, a saved view and its file have what is seen', async () => {
		await page.goto('/markets');
		await table().getByRole('button', { name: 'Event', exact: true }).click();
		await expect.poll(async () => (await firstColumn())[0]).toBe('India v Nepal');
		await table().getByRole('button', { name: 'Event', exact: true }).press('Enter');
		await expect.poll(async () => (await firstColumn())[0]).toBe('Side 9 v Other');
		expect(await table().getByRole('columnheader', { name: 'Event' }).getAttribute('aria-sort')).toBe('descending');

		// Typed letter by letter, while the address follows.
		const filter = page.getByRole('searchbox', { name: 'Filter events' });
		await filter.pressSequentially('side 1');
		await expect.poll(async () => (await firstColumn()).toSorted()).toEqual(found('side 1').toSorted());
		expect(await filter.inputValue()).toBe('side 1');
		await page.getByRole('button', { name: 'Filter by column' }).click();
		await page.getByRole('searchbox', { name: 'Only where Event has' }).fill('e 12');
		await expect.poll(firstColumn).toEqual(['Side 12 v Other']);
		await page.getByRole('searchbox', { name: 'Only where Event has' }).fill('e 1');
		await expect.poll(async () => (await firstColumn()).length).toBe(found('side 1').length);
		await page.getByText('Columns', { exact: true }).click();
		for (const head of ['Source', 'Score']) await page.getByRole('checkbox', { name: head }).uncheck();
		await page.keyboard.press('Escape');
		await expect.poll(() => page.getByRole('checkbox', { name: 'Source' }).count()).toBe(0);
		const [headsThen, rowsThen] = [await heads(), await rowsSeen()];
		expect(headsThen.some((head) => /Source|Score/.test(head))).toBe(false);

		const [file] = await Promise.all([
			page.waitForEvent('download'),
			page.getByRole('button', { name: 'Save as CSV' }).click(),
		]);
		const [names, ...lines] = (await readFile(await file.path(), 'utf8')).replace('\ufeff', '').trim().split('\r\n');
		expect(names?.split(',')).toEqual(headsThen.map((head) => head.replace(/ [▴▾]$/, '')));
		expect(lines.map((line) => line.split(','))).toEqual(rowsThen);

		await page.getByRole('button', { name: 'Views' }).click();
		const views = page.getByRole('dialog', { name: 'Saved views' });
		await views.getByLabel('Save this screen').fill('Ones');
		await views.getByRole('button', { name: 'Save', exact: true }).click();
		await views.getByRole('button', { name: 'Ones', exact: true }).waitFor();
		await page.keyboard.press('Escape');
		await page.reload();
		await expect.poll(rowsSeen).toEqual(rowsThen);
		expect([await filter.inputValue(), await heads()]).toEqual(['side 1', headsThen]);

		// The view is found from another screen by its name.
		await page.keyboard.press('g');
		await page.keyboard.press('t');
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox').pressSequentially('ones');
		await page.getByRole('option', { name: 'View: Ones' }).waitFor();
		await page.keyboard.press('Enter');
		await expect.poll(rowsSeen).toEqual(rowsThen);
		expect(await heads()).toEqual(headsThen);
	});

	it('keeps its head and first column in view, and its keys reach the last row', { tags: 'thorough' }, async () => {
		await page.goto('/markets');
		await page.setViewportSize({ width: 390, height: 600 });
		const first = table().locator('tbody tr').first();
		await first.focus();
		await page.keyboard.press('End');
		const focused = page.locator('tr:focus');
		await expect.poll(() => focused.getAttribute('aria-rowindex')).toBe(String(MATCHES.length + 1));
		const box = page.locator('.data-table-box');
		await box.evaluate((element) => element.scrollBy({ left: 300 }));
		const [frame, head, cell] = await Promise.all(
			[box, table().locator('th').first(), focused.locator('td').first()].map((part) => part.boundingBox()),
		);
		if (!frame || !head || !cell) throw new Error('The table is not shown.');
		expect([head.x - frame.x, head.y - frame.y, cell.x - frame.x]).toEqual([1, 1, 1]);
		expect(cell.y).toBeGreaterThanOrEqual(head.y + head.height - 1);
		expect(cell.y + cell.height).toBeLessThanOrEqual(frame.y + frame.height + 1);
		await page.keyboard.press('Enter');
		await page.waitForURL(/\/markets\/\d+$/);
		await page.setViewportSize({ width: 1280, height: 900 });
	});
});

describe('a reference', () => {
	it('pasted into the search has its answer in every language', { tags: 'thorough' }, async () => {
		const player = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match, { stake: 250 }), player.token);
		await page.goto('/today');
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		await page.keyboard.press('/');
		await page.keyboard.type(`Bet ID: ${betId}`);
		await page.keyboard.press('Enter');
		await page.getByText('₹250 of the stake is not matched yet.').waitFor();
		await page.getByRole('tab', { name: 'हिन्दी' }).click();
		await page.getByText('स्टेक में से ₹250 अभी मैच नहीं हुआ है।').waitFor();
		expect(await page.locator('.answer').getAttribute('lang')).toBe('hi');
		await page.getByRole('tab', { name: 'বাংলা · not proofread' }).click();
		await page.getByText('স্টেকের ₹250 এখনও ম্যাচ হয়নি।').waitFor();
		const box = page.getByRole('searchbox', { name: /^Bet, withdrawal/ });
		await box.fill('bet 999999');
		await box.press('Enter');
		await page.getByText('Nothing has this reference.').waitFor();
		// The box that it was typed into is the only one.
		expect(await box.inputValue()).toBe('bet 999999');
		await page.setViewportSize({ width: 390, height: 844 });
		const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		expect(await overflow()).toBeLessThanOrEqual(0);
		await page.setViewportSize({ width: 1280, height: 900 });
	});
});

describe('a dialog', () => {
	it('takes the focus to its first field, holds it, and gives it back', { tags: 'thorough' }, async () => {
		await page.goto('/today');
		const opener = page.getByRole('button', { name: 'Views' });
		await opener.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Saved views' });
		const field = dialog.getByLabel('Save this screen');
		await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
		await dialog.getByRole('button', { name: 'Ones', exact: true }).waitFor();
		const stops = await dialog.locator('button, input').count();
		for (let stop = 0; stop <= stops; stop++) {
			await page.keyboard.press('Tab');
			await expect.poll(() => dialog.locator(':focus').count(), { message: `after ${stop + 1} tabs` }).toBe(1);
		}
		// The page behind has no keys meanwhile.
		await dialog.getByRole('button', { name: 'Close' }).focus();
		for (const key of ['?', 'Control+k']) await page.keyboard.press(key);
		expect(await page.getByRole('dialog').count()).toBe(1);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
		await page.keyboard.press('?');
		await page.getByRole('dialog', { name: 'Keys' }).getByText('Suspend all its markets').waitFor();
		await page.keyboard.press('Escape');
	});
});

describe('the palette', () => {
	it('opens what a reference names, and names what the member may open alone', { tags: 'thorough' }, async () => {
		await page.goto('/markets');
		// Also while something is typed.
		await page.getByRole('searchbox', { name: 'Filter events' }).focus();
		await page.keyboard.press('Control+k');
		const typed = page.getByRole('combobox', { name: 'A screen, a view, or a reference' });
		await typed.pressSequentially('Withdrawal-12');
		await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Open withdrawal 12']);
		await page.keyboard.press('Enter');
		await page.waitForURL('**/payments/WITHDRAWAL/12');
		await page.keyboard.press('Control+k');
		await typed.pressSequentially('1003');
		await expect.poll(() => page.getByRole('option').count()).toBe(2);
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.waitForURL('**/players/1003');

		const casino = await desk.member('umesh', ['casino']);
		await casino.keyboard.press('Control+k');
		const text = casino.getByRole('combobox');
		for (const other of ['Withdrawal-12', 'Staff']) {
			await text.fill(other);
			await casino.getByText('Nothing is named so.').waitFor();
		}
		await text.fill('cas');
		await casino.getByRole('option', { name: 'Casino' }).waitFor();
		await casino.context().close();
	});
});

describe('a form', () => {
	it('says the bounds of its call, what it understands of an amount, and sends what holds', {
		tags: 'thorough',
	}, async () => {
		const { eventId, marketId } = match;
		const standing = () => server.running.exchange.market(Number(marketId));
		await page.goto(`/markets/${eventId}/${marketId}`);
		await page.getByRole('button', { name: 'Change delay and limits' }).click();
		const dialog = page.getByRole('dialog', { name: 'Delay and limits of the next bets' });
		const delay = dialog.getByLabel('Bet delay in-play');
		await delay.fill('13');
		await dialog.getByLabel('Smallest stake').fill('1,5');
		await page.keyboard.press('Enter');
		await expect.poll(() => delay.getAttribute('aria-invalid')).toBe('true');
		await dialog.getByText('A whole number from 0 to 12.').waitFor();
		await dialog.getByText('Do you mean').waitFor();
		await delay.fill('5');
		await expect.poll(() => delay.getAttribute('aria-invalid')).toBe(null);
		await dialog.getByLabel('Smallest stake').fill('2k');
		await dialog.getByText('2,000.00').waitFor();
		await dialog.getByRole('button', { name: 'Change' }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByText('Delay 5 s · stakes ₹2,000 to').waitFor();
		expect(standing()?.status).toBe('OPEN');
	});
});
