/** How many rows of prices a phone shows below each other, above its bar: the market page is for prices. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoLogin } from './browser.ts';
import { SimulatedSite, type SportName } from './simulated-site.ts';

let site: SimulatedSite;
beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());

it.each([
	['Horse Racing', 12],
	['Cricket', 10],
	['Football', 9],
] as [SportName, number][])('of %s at least %i in 390 × 844 pixels', async (sport, least) => {
	const { address } = await site.match(sport, ({ status }) => status !== 'FINISHED');
	const { storageState } = await demoLogin(site.url);
	const page = await site.page('phone', { storageState });
	await page.goto(address);
	await page.locator('.market-row .price').first().waitFor();
	const rows = () =>
		page.evaluate(() => {
			const bar = document.querySelector('.bottom-bar')?.getBoundingClientRect().top ?? innerHeight;
			const parts = [...document.querySelectorAll('.market-row, .fancy-row')].map((row) => row.getBoundingClientRect());
			return parts.filter(({ top, bottom }) => top >= 0 && bottom <= bar).length;
		});
	await expect.poll(rows).toBeGreaterThanOrEqual(least);
	await site.leave();
});
