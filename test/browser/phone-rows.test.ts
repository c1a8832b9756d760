/** How many rows of prices a phone shows below each other, above its bar: the market page is for prices. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoLogin, goTo } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { SimulatedSite, type SportName } from './simulated-site.ts';

let site: SimulatedSite;
/** One player's, who goes from match to match: to open one costs half a second. */
let page: Page;
beforeAll(async () => {
	site = await SimulatedSite.open();
	const { storageState } = await demoLogin(site.url);
	page = await site.page('phone', { storageState });
	await page.goto('/favorites');
});
afterAll(() => site?.close());

/** Another market page than the one before: no row of that one counts. */
async function goToMatch(address: string): Promise<void> {
	await goTo(page, '/favorites');
	await page.getByRole('heading', { level: 1, name: 'Favourites' }).waitFor();
	await page.locator('.market-row').first().waitFor({ state: 'detached' });
	await goTo(page, address);
}

it.each([
	['Horse Racing', 12],
	['Cricket', 10],
	['Football', 10],
] as [SportName, number][])('of %s at least %i in 390 × 844 pixels', async (sport, least) => {
	const { address } = await site.match(sport, ({ status }) => status !== 'FINISHED');
	await goToMatch(address);
	await page.locator('.market-row .price').first().waitFor();
	const rows = () =>
		page.evaluate(() => {
			const bar = document.querySelector('.bottom-bar')?.getBoundingClientRect().top ?? innerHeight;
			const parts = [...document.querySelectorAll('.market-row, .fancy-row')].map((row) => row.getBoundingClientRect());
			return parts.filter(({ top, bottom }) => top >= 0 && bottom <= bar).length;
		});
	await expect.poll(rows).toBeGreaterThanOrEqual(least);
});

it('shows the lines of goals in one card, a row each: both sides are backed there, and the number opens all prices', async () => {
	const { address } = await site.match('Football', ({ status }) => status === 'UPCOMING');
	await goToMatch(address);
	const goals = page.getByRole('region', { name: 'Goals' });
	const rows = goals.getByRole('listitem');
	await expect.poll(() => rows.count()).toBe(3);
	expect(await rows.evaluateAll((items) => items.map(({ ariaLabel }) => ariaLabel))).toEqual(
		['1.5', '2.5', '3.5'].map((line) => `Over/Under ${line} Goals`),
	);
	await expectFine(page, 'phone');
	await rows
		.nth(1)
		.getByRole('button', { name: /^Back Under 2\.5 Goals/ })
		.tap();
	const card = page.getByRole('region', { name: 'Back Under 2.5 Goals' });
	await card.waitFor();
	await page.keyboard.press('Escape');
	await card.waitFor({ state: 'detached' });
	await rows.nth(2).getByRole('button', { name: 'Depth and price history of Over/Under 3.5 Goals' }).tap();
	await page
		.getByRole('dialog', { name: /^Over\/Under 3\.5 Goals/ })
		.locator('.ladder')
		.waitFor();
});
