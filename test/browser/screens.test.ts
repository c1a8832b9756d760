/** Every screen at both widths and in both themes: nothing scrolls sideways, nothing is too small to touch, axe is content. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, type Width } from './browser.ts';
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

const LEAST_TARGET_PX = 44;
/** Text links inside a sentence and what only a screen reader sees are no targets. */
const TARGETS = 'button, a[href], summary, select, input:not([type="checkbox"]):not([type="radio"])';

async function sidewaysBy(page: Page): Promise<number> {
	return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Visible targets lower or narrower than a finger, with their words. */
async function tooSmall(page: Page): Promise<string[]> {
	return await page.evaluate(
		({ selector, least }) =>
			[...document.querySelectorAll<HTMLElement>(selector)]
				.filter((target) => target.checkVisibility({ visibilityProperty: true }))
				.filter((target) => !target.closest('.field-box') && !target.matches('.skip-link, .tree-link'))
				.map((target) => ({ target, box: target.getBoundingClientRect() }))
				.filter(({ box }) => box.width > 1 && (box.height < least || box.width < least))
				.map(({ target, box }) => `${target.ariaLabel ?? target.textContent} ${box.width}×${box.height}`),
		{ selector: TARGETS, least: LEAST_TARGET_PX },
	);
}

async function findings(page: Page): Promise<string[]> {
	const { violations } = await new AxeBuilder({ page }).analyze();
	return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

async function expectFine(page: Page, width: Width): Promise<void> {
	expect(await sidewaysBy(page), page.url()).toBeLessThanOrEqual(0);
	if (width === 'phone') expect(await tooSmall(page)).toEqual([]);
	expect(await findings(page)).toEqual([]);
}

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

	it('every other screen is fine', async () => {
		const { context, page } = await playerWithBet(width);
		for (const [path, heading] of SCREENS) {
			await page.goto(path);
			await page.getByRole('heading', { level: 1, name: heading }).waitFor();
			await expectFine(page, width);
		}
		await context.close();
	});
});
