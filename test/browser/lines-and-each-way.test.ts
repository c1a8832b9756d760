/**
 * Lines that are bought and sold, and each way, as players bet on them: on the simulated sports of a real server.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoLogin, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { SimulatedSite, type SportName } from './simulated-site.ts';

let site: SimulatedSite;
let page: Page;

beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());
afterEach(() => site?.leave());

/**
 * A fresh demo player on the sport's first announced match whose market of that name takes bets. In play the odds could
 * move on while the page is judged, and the slip would ask before it places.
 */
async function open(width: Width, sport: SportName, market: RegExp): Promise<void> {
	type Markets = { markets: { name: string; status: string }[] };
	const { address } = await site.match(sport, async ({ id, status }) => {
		if (status !== 'UPCOMING') return false;
		const { markets } = await site.answer<Markets>(`/Market/GetByEventId?eventId=${id}`);
		return markets.some(({ name, status }) => market.test(name) && status === 'OPEN');
	});
	const { storageState } = await demoLogin(site.url);
	page = await site.page(width, { storageState });
	await page.goto(address);
	await page.getByRole('region', { name: market }).first().waitFor();
}

/** The amount behind a word of the slip. */
const amount = (word: string) => page.locator('.slip-amounts dt', { hasText: word }).locator('+ dd');

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a line is bought: the slip shows the winning numbers, the book the result of every number', async () => {
		await open(width, 'Kabaddi', /^Total points line$/);
		const market = page.getByRole('region', { name: 'Total points line' });
		await market
			.getByRole('button', { name: /^Buy Points in the match at \d+\.5, / })
			.first()
			.click();
		await page.getByLabel('Stake', { exact: true }).fill('500');
		const line = Number(await page.getByLabel('Line', { exact: true }).inputValue());
		expect(line % 1).toBe(0.5);
		expect([await amount('Profit').innerText(), await amount('Liability').innerText()]).toEqual(['₹500', '₹500']);
		// On a phone the slip's sheet may lie over it.
		await market.getByRole('button', { name: '→ −500 / +500' }).press('Enter');
		const sheet = page.getByRole('dialog');
		await expect
			.poll(() => sheet.locator('.fancy-book :is(th, td:last-child)').allInnerTexts())
			.toEqual([`${line - 0.5} or less`, '−500', `${line + 0.5} or more`, '+500']);
		await expectFine(page, width);
		await sheet.getByRole('button', { name: 'Close' }).click();
		// Far below the sellers' lines, so that it rests.
		await page.getByLabel('Line', { exact: true }).fill('50.4');
		await page.getByLabel('Stake', { exact: true }).focus();
		await expect.poll(() => page.getByLabel('Line', { exact: true }).inputValue()).toBe('50.5');
		await page.getByRole('button', { name: /^Buy Points in the match at 50\.5/ }).click();
		await page.getByText(/^Unmatched: .* at 50\.5$/).waitFor();
		if (width === 'phone') await page.keyboard.press('Escape');
		await market.locator('.own-strip').getByText('1 unmatched').click();
		await sheet.getByText('Points in the match at 50.5').waitFor();
		expect(await sheet.locator('.fancy-book').count()).toBe(0);
		await expectFine(page, width);
	});

	it('each way a stake counts twice, and the slip shows the return of a place alone', async () => {
		await open(width, 'Horse Racing', /^Each way/);
		const market = page.getByRole('region', { name: /^Each way/ });
		await market.locator('.price[data-side="BACK"][data-level="1"]:not(:disabled)').first().click();
		await page.getByLabel('Stake', { exact: true }).fill('500');
		await page.getByText('Your stake counts twice').waitFor();
		const price = Number(await page.getByRole('textbox', { name: 'Odds', exact: true }).inputValue());
		expect(await amount('Risk').innerText()).toBe('₹1,000');
		// 500 less than a fifth of what 500 wins at these odds.
		const placed = 500 * ((price - 1) / 5) - 500;
		const said = (await amount('If only placed').innerText()).replace('−', '-').replace(',', '');
		expect(Number(said)).toBeCloseTo(placed, 0);
		await expectFine(page, width);
		// Odds that moved meanwhile are accepted by the same button.
		await page.getByRole('button', { name: / · risk |^Accept .+ · back / }).click();
		// Laid at what is offered now it does not come out level: what is said is the least.
		await market
			.locator('.own-strip')
			.getByText(/Cash out −\d/)
			.click();
		await page
			.getByRole('dialog')
			.getByText(/^At least −\d/)
			.waitFor();
		await expectFine(page, width);
	});
});
