/**
 * The main job, as a player lives it, on a real recorded match in a real browser: from the match list to the payment,
 * with the server killed between bet and settlement.
 *
 * @module-tag thorough
 */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/shared-folder.ts';
import { closeContexts, openBrowser, openContext } from './browser.ts';
import { ServerProcess } from './server-process.ts';

const RECORDINGS = sharedFolder('recordings', 'the test of the recorded match is skipped');
const MARKET = join(RECORDINGS.path, '1.200806927-cricket-market.bz2');
const SCORE = join(RECORDINGS.path, '1.200806927-cricket-score.bz2');

const STARTING_BALANCE = 20_000;
const replay = (speed: number) => ['--recording', MARKET, '--score', SCORE, '--speed', String(speed)];

/** "₹19,500.50" → 19500.5 */
const amountIn = (text: string): number => Number(/−?₹([\d,.]+)/.exec(text)?.[1]?.replaceAll(',', ''));

const figure = async (page: Page, name: 'Balance' | 'Bets held'): Promise<number> =>
	amountIn((await page.locator(`[data-figure="${name}"]`).textContent()) ?? '');

const waitForFigure = (page: Page, name: 'Balance' | 'Bets held', amount: number) =>
	expect.poll(() => figure(page, name), { timeout: 20_000 }).toBe(amount);

describe.skipIf(!RECORDINGS.isPresent)('a player and a recorded match', () => {
	let server: ServerProcess;
	let browser: Browser;
	let context: BrowserContext;
	let page: Page;
	/** The same player's second window, which the player does not touch: what changes there came over the hub. */
	let bystander: Page;
	/** The average price at which ₹500 on the Netherlands were matched. */
	let matchedAt = 0;

	beforeAll(async () => {
		server = await ServerProcess.create();
		await server.start(replay(1));
		browser = await openBrowser();
		context = await openContext(browser, 'desktop', server.url);
		page = await context.newPage();
	});
	afterAll(async () => {
		await closeContexts(browser);
		await server?.dispose();
	});

	it('shows a visitor the match and its prices, and makes the visitor a player with one press', async () => {
		await page.goto('/');
		await page.waitForURL('**/matchlist/3');
		await page.getByRole('link', { name: 'Netherlands v Papua New Guinea' }).last().click();
		await page.waitForURL('**/markets/*');
		await page.locator('.market .price:enabled').first().waitFor();
		await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
		const dialog = page.getByRole('dialog', { name: 'Log in' });
		await dialog.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.getByRole('heading', { level: 1, name: 'Netherlands v Papua New Guinea' }).waitFor();
		await waitForFigure(page, 'Balance', STARTING_BALANCE);
		bystander = await context.newPage();
		await bystander.goto(page.url());
		await waitForFigure(bystander, 'Balance', STARTING_BALANCE);
		await page.bringToFront();
	});

	it('shows profit and cost while the stake is typed', async () => {
		await page
			.getByRole('button', { name: /^Back Netherlands [\d.]+, / })
			.last()
			.click();
		const slip = page.getByRole('region', { name: 'Back Netherlands' });
		// Three ticks below the best price: whatever the market does meanwhile, this is taken at the best.
		for (let tick = 0; tick < 3; tick++) await slip.getByLabel('Odds').press('ArrowDown');
		await slip.getByLabel('Stake').fill('500');
		const odds = Number(await slip.getByLabel('Odds').inputValue());
		const profit = Math.round(500 * (odds - 1) * 100) / 100;
		expect(amountIn((await slip.locator('dd').first().textContent()) ?? '')).toBe(profit);
		await slip.getByRole('button', { name: `Back Netherlands ${odds.toFixed(2)} · risk ₹500` }).waitFor();
		// The market's result with this bet is under each runner before it is placed.
		await page.getByText(`+${profit}`).first().waitFor();
	});

	it('matches the bet at a price as good or better, and every window knows at once', async () => {
		const slip = page.getByRole('region', { name: 'Back Netherlands' });
		const asked = Number(await slip.getByLabel('Odds').inputValue());
		await slip.getByLabel('Stake').press('Enter');
		const outcome = await slip.getByText(/^Matched: ₹500 at /).textContent();
		matchedAt = Number(/at ([\d.]+)$/.exec(outcome ?? '')?.[1]);
		expect(matchedAt).toBeGreaterThanOrEqual(asked);
		for (const window of [page, bystander]) {
			await waitForFigure(window, 'Balance', STARTING_BALANCE - 500);
			await waitForFigure(window, 'Bets held', 500);
		}
		await slip.getByRole('button', { name: 'Done' }).click();
	});

	it('lists a resting bet and cancels it', async () => {
		await page
			.getByRole('button', { name: /^Back Netherlands [\d.]+, / })
			.last()
			.click();
		const slip = page.getByRole('region', { name: 'Back Netherlands' });
		await slip.getByLabel('Odds').fill('900');
		await slip.getByLabel('Stake').fill('100');
		await slip.getByLabel('Stake').press('Enter');
		await slip.getByText('Unmatched: ₹100 at 900').waitFor();
		await waitForFigure(bystander, 'Balance', STARTING_BALANCE - 600);
		const open = page.getByRole('region', { name: 'Open bets' });
		await open.getByRole('button', { name: 'Cancel Back Netherlands, ₹100 at 900' }).click();
		await page.getByText('₹100 cancelled.').waitFor();
		for (const window of [page, bystander]) await waitForFigure(window, 'Balance', STARTING_BALANCE - 500);
		await page.locator('[data-part="matched"]', { hasText: '₹500' }).waitFor();
	});

	it('survives a kill -9 of the server, reconnects by itself, and settles when the match ends', {
		timeout: 240_000,
	}, async () => {
		await server.kill();
		await page.getByText('Connection lost.', { exact: false }).waitFor();
		// The rest of the match in some twenty seconds.
		await server.start(replay(800));
		await page.locator('.board-figure', { hasText: /^\d+\/\d+$/ }).waitFor({ timeout: 60_000 });
		await page.locator('.market-cover', { hasText: 'Settled' }).waitFor({ timeout: 60_000 });
		await page.getByText('Winner', { exact: true }).waitFor();
		// The Netherlands won; two per cent of the net winnings are the house's, to the nearest minor unit.
		const won = Math.round(500 * (matchedAt - 1) * 100);
		const commission = Math.round((won * 2) / 100);
		const expected = (STARTING_BALANCE * 100 + won - commission) / 100;
		for (const window of [page, bystander]) {
			await waitForFigure(window, 'Balance', expected);
			await waitForFigure(window, 'Bets held', 0);
		}
		await page.goto('/bet-history');
		await page.getByRole('cell', { name: 'Won' }).waitFor();
	});

	it('leaves a sound ledger', async () => {
		expect(await server.failedAuditChecks()).toEqual([]);
	});
});
