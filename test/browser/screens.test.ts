/** Every screen at both widths and in both themes: nothing scrolls sideways, nothing is too small to touch, axe is content. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openBrowser, openContext, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { ServerProcess } from './server-process.ts';

let server: ServerProcess;
let browser: Browser;
beforeAll(async () => {
	server = await ServerProcess.create();
	await server.start([]);
	browser = await openBrowser();
});
afterAll(async () => {
	await browser?.close();
	await server?.dispose();
});

/** A demo player on the match in play, with one bet placed. */
async function playerWithBet(width: Width): Promise<{ context: BrowserContext; page: Page; market: string }> {
	const context = await openContext(browser, width, server.url);
	const page = await context.newPage();
	await page.goto('/matchlist/3');
	await page.locator('.match-link').first().click();
	await page.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.locator('.market-row').first().waitFor();
	return { context, page, market: new URL(page.url()).pathname };
}

const SCREENS: [string, string][] = [
	['/matchlist/3', 'Cricket'],
	['/matchlist/0', 'All sports'],
	['/open-bets', 'Open bets'],
	['/bet-history', 'Bet history'],
	['/account-cash-statement', 'Cash statement'],
	['/settings', 'Settings'],
	['/change-button-values', 'Stake buttons'],
	['/change-password', 'Change password'],
	['/rules', 'Rules'],
	['/inplay', 'In-Play'],
	['/error-404', 'Page Not Found'],
	['/not-authorized', 'Not Authorized'],
	['/error-500', 'Server Error 500'],
	['/under-maintenance', 'Cricket'],
];

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a visitor’s list and the login dialog are fine', async () => {
		const context = await openContext(browser, width, server.url);
		const page = await context.newPage();
		await page.goto('/');
		await page.locator('.match-row').first().waitFor();
		await expectFine(page, width);
		await page.getByRole('button', { name: 'Log in' }).first().click();
		await page.getByRole('dialog').waitFor();
		await expectFine(page, width);
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'hidden' });
		await context.close();
	});

	it('the market with its slip is fine, in dark and in light', async () => {
		const { context, page } = await playerWithBet(width);
		await page.locator('.price:not(:disabled)').first().click();
		const slip = page.getByRole('region', { name: /^(Back|Lay) / }).first();
		await slip.getByLabel('Stake').fill('100');
		await expectFine(page, width);
		await page.evaluate(() => localStorage.setItem('theme', 'light'));
		await page.reload();
		await page.locator('.market-row').first().waitFor();
		await expectFine(page, width);
		await context.close();
	});

	it('every other screen is fine', { timeout: 240_000 }, async () => {
		const { context, page } = await playerWithBet(width);
		for (const [path, heading] of SCREENS) {
			await page.goto(path);
			await page.getByRole('heading', { level: 1, name: heading }).waitFor();
			await expectFine(page, width);
		}
		await context.close();
	});
});
